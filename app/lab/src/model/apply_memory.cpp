// SPDX-License-Identifier: MIT
// Allocations and what is written into them. An allocation belongs to the context that was current when it
// was made and dies with it, but any context may free it (scenarios memory_across_contexts,
// memory_after_destroy). Memory from pools and mapped memory belong to no context and outlive them all
// (scenario memory_pools_vmm).
#include "model/apply.hpp"

namespace lab {

namespace {

// The allocation is not there any more; physical memory that has no handle ends with its last mapping.
void remove(Step& step, const Allocation& allocation) {
  step.ledger.remove(allocation.number);
  if (allocation.kind != MemoryKind::Mapped) return;
  const auto memory = step.ledger.object(allocation.from);
  if (!memory || memory->mappings == 0) return;
  Object now = *memory;
  --now.mappings;
  step.ledger.change(now);
  if (now.mappings == 0 && now.references == 0) step.end(now.id);
}

// cuMemMap maps physical memory at addresses that were reserved.
void map(Step& step) {
  Allocation allocation;
  allocation.address = step.passed("ptr");
  allocation.size = step.passed("size");
  if (allocation.address == 0 || allocation.size == 0) return;
  if (const auto old = step.ledger.starting_at(allocation.address)) remove(step, *old);
  allocation.number = step.state.next_allocation++;
  allocation.kind = MemoryKind::Mapped;
  allocation.created_at = step.event.seq;
  if (const auto memory = step.ledger.object_of(ObjectKind::PhysicalMemory, step.passed("handle"))) {
    allocation.from = memory->id;
    allocation.device = memory->device;
    Object now = *memory;
    ++now.mappings;
    step.ledger.change(now);
  }
  step.ledger.add(allocation);
  step.note(Change::Kind::Allocated, kNone, allocation.number);
}

// One call removes every mapping in the range.
void unmap(Step& step) {
  for (const Allocation& mapped : step.ledger.between(step.passed("ptr"), step.passed("size"))) {
    if (mapped.kind != MemoryKind::Mapped) continue;
    step.note(Change::Kind::Freed, kNone, mapped.number);
    remove(step, mapped);
  }
}

// Where managed memory is prefetched to. Old versions take a device, with -1 for the host; new ones a
// location.
void prefetch(Step& step) {
  const auto found = step.ledger.holding(step.passed("devPtr"));
  if (!found || found->kind != MemoryKind::Managed) return;
  std::uint32_t place = kNone;
  if (const trace::Argument* device = step.argument("dstDevice")) {
    const auto ordinal = static_cast<std::int32_t>(device->word);
    place = ordinal < 0 ? kHost : static_cast<std::uint32_t>(ordinal);
  } else if (const trace::Argument* location = step.argument("location")) {
    place = location_in(*location).value_or(kNone);
  }
  if (place == kNone) return;
  Allocation now = *found;
  now.place = place;
  if (now != *found) step.ledger.change(now);
  step.note(Change::Kind::MemoryMoved, now.context, now.number);
}

void mark_written(Step& step) {
  for (const std::string_view target : {"dstDevice", "dst", "dstHost"}) {
    const trace::Argument* argument = step.argument(target);
    if (!argument) continue;
    if (const auto found = step.ledger.holding(argument->word))
      step.note(Change::Kind::MemoryWritten, found->context, found->number);
    return;
  }
  // Copies of two and three dimensions say where in a struct.
  for (const trace::Argument& argument : step.event.arguments) {
    if (argument.kind != trace::ValueKind::Struct) continue;
    const auto address = argument.field_number("dstDevice");
    if (!address || *address == 0) continue;
    if (const auto found = step.ledger.holding(*address))
      step.note(Change::Kind::MemoryWritten, found->context, found->number);
    return;
  }
}

}  // namespace

void note_write(Step& step) {
  mark_written(step);
  name_host_memory(step);
}

void allocate(Step& step, const api::MakesDescription& made) {
  const std::uint64_t address = step.value(made.handle);
  if (address == 0) return;
  // No two live allocations begin at one address: the end of an older one was not recorded.
  if (const auto old = step.ledger.starting_at(address)) remove(step, *old);
  Allocation allocation;
  allocation.number = step.state.next_allocation++;
  allocation.address = address;
  allocation.size = step.value(made.size) * (made.rows.empty() ? 1 : step.value(made.rows));
  allocation.kind = made.memory;
  allocation.created_at = step.event.seq;
  const std::uint32_t top = step.top();
  if (made.lifetime == api::Lifetime::Current) {
    allocation.context = step.owner();
  } else {
    if (top != kNone) allocation.device = step.state.contexts[top].device;
    if (made.memory == MemoryKind::Pooled && made.origin.empty() && allocation.device != kNone)
      if (const Device* device = step.device(allocation.device))
        if (const auto pool = step.ledger.object_of(ObjectKind::MemoryPool, device->pool()))
          allocation.from = pool->id;
    if (const auto origin = step.ledger.object_of(made.origin_kind, step.passed(made.origin))) {
      allocation.from = origin->id;
      if (origin->device != kNone) allocation.device = origin->device;
    }
  }
  step.ledger.add(allocation);
  if (made.memory == MemoryKind::Host || made.memory == MemoryKind::Registered) note_host_memory(step);
  step.note(Change::Kind::Allocated, allocation.context, allocation.number);
}

void release(Step& step, const api::EndsDescription& ended) {
  const std::uint64_t address = step.passed(ended.handle);
  const auto found = address == 0 ? std::nullopt : step.ledger.starting_at(address);
  if (!found) return;  // cuMemFree(0) succeeds and frees nothing
  step.ledger.remove(found->number);
  step.note(Change::Kind::Freed, found->context, found->number);
}

std::optional<std::uint32_t> location_in(const trace::Argument& properties) {
  const bool itself = properties.field("type").starts_with("CU_MEM_LOCATION_TYPE_");
  const std::string_view type = properties.field(itself ? "type" : "location.type");
  if (type.starts_with("CU_MEM_LOCATION_TYPE_HOST")) return kHost;
  if (!type.starts_with("CU_MEM_LOCATION_TYPE_DEVICE")) return std::nullopt;
  const auto ordinal = properties.field_number(itself ? "id" : "location.id");
  return ordinal ? std::optional(static_cast<std::uint32_t>(*ordinal)) : std::nullopt;
}

std::vector<Rule> memory_rules() {
  return {{Function::cuMemMap, map}, {Function::cuMemUnmap, unmap}, {Function::cuMemPrefetchAsync, prefetch}};
}

}  // namespace lab
