// Allocations and what is written into them. An allocation belongs to the context that was current when it
// was made and dies with it, but any context may free it (scenarios memory_across_contexts,
// memory_after_destroy).
//
// Memory from pools and from cuMemCreate belongs to no context; it is listed, not drawn.
#include "apply.hpp"

#include <algorithm>
#include <array>

namespace lab {

void StateLedger::forget() {
  index_.clear();
  scans_ = 0;
}

bool StateLedger::indexed() const {
  if (scans_ > kScansBeforeIndex) return true;
  if (++scans_ <= kScansBeforeIndex) return false;
  for (const Allocation& allocation : state_.allocations) index_[allocation.address] = allocation.number;
  return true;
}

// Allocations stand in the order of their numbers.
std::vector<Allocation>::iterator StateLedger::numbered(std::uint32_t number) const {
  return std::partition_point(state_.allocations.begin(), state_.allocations.end(),
                              [number](const Allocation& allocation) { return allocation.number < number; });
}

void StateLedger::add(const Allocation& allocation) {
  state_.allocations.push_back(allocation);
  if (scans_ > kScansBeforeIndex) index_[allocation.address] = allocation.number;
}

void StateLedger::remove(std::uint32_t number) {
  const auto found = numbered(number);
  if (found == state_.allocations.end() || found->number != number) return;
  index_.erase(found->address);
  state_.allocations.erase(found);
}

std::optional<Allocation> StateLedger::starting_at(std::uint64_t address) const {
  if (indexed()) {
    const auto found = index_.find(address);
    return found == index_.end() ? std::nullopt : std::optional(*numbered(found->second));
  }
  for (const Allocation& allocation : state_.allocations)
    if (allocation.address == address) return allocation;
  return std::nullopt;
}

std::optional<Allocation> StateLedger::holding(std::uint64_t address) const {
  if (indexed()) {
    const auto after = index_.upper_bound(address);
    if (after == index_.begin()) return std::nullopt;
    const Allocation& allocation = *numbered(std::prev(after)->second);
    return address - allocation.address < allocation.size ? std::optional(allocation) : std::nullopt;
  }
  const Allocation* found = state_.allocation_at(address);
  return found ? std::optional(*found) : std::nullopt;
}

std::vector<std::uint32_t> StateLedger::owned_by(std::uint32_t context) const {
  std::vector<std::uint32_t> numbers;
  for (const Allocation& allocation : state_.allocations)
    if (allocation.context == context) numbers.push_back(allocation.number);
  return numbers;
}

void StateLedger::give(std::uint32_t from_context, std::uint32_t to_context) {
  for (Allocation& allocation : state_.allocations)
    if (allocation.context == from_context) allocation.context = to_context;
}

namespace {

struct Maker {
  std::string_view name;
  std::string_view pointer;  // the argument that holds the address
  MemoryKind kind;
};
constexpr std::array<Maker, 6> kMakers = {{{"cuMemAlloc", "dptr", MemoryKind::Device},
                                           {"cuMemAllocPitch", "dptr", MemoryKind::Device},
                                           {"cuMemAllocHost", "pp", MemoryKind::Host},
                                           {"cuMemHostAlloc", "pp", MemoryKind::Host},
                                           {"cuMemAllocManaged", "dptr", MemoryKind::Managed},
                                           {"cuMemHostRegister", "p", MemoryKind::Registered}}};

std::uint64_t size_of(const Step& step) {
  if (step.event.name != "cuMemAllocPitch") return step.passed("bytesize");
  return step.written("pPitch").value_or(step.passed("WidthInBytes")) * step.passed("Height");
}

void allocate(Step& step, const Maker& maker) {
  // An address that is registered is an input; all others are outputs.
  const auto address = maker.kind == MemoryKind::Registered ? std::optional(step.passed(maker.pointer))
                                                            : step.written(maker.pointer);
  if (!address || *address == 0) return;
  // No two live allocations begin at one address: one that is still there was freed without our seeing it.
  if (const auto old = step.ledger.starting_at(*address)) step.ledger.remove(old->number);
  Allocation allocation;
  allocation.number = step.state.next_allocation++;
  allocation.address = *address;
  allocation.size = size_of(step);
  allocation.kind = maker.kind;
  allocation.context = step.top();
  allocation.created_at = step.event.seq;
  step.ledger.add(allocation);
  step.note(Change::Kind::Allocated, allocation.context, allocation.number);
}

void release(Step& step, std::uint64_t address) {
  const auto found = address == 0 ? std::nullopt : step.ledger.starting_at(address);
  if (!found) return;  // cuMemFree(0) succeeds and frees nothing
  step.ledger.remove(found->number);
  step.note(Change::Kind::Freed, found->context, found->number);
}

void write(Step& step) {
  for (const std::string_view target : {"dstDevice", "dst", "dstHost"}) {
    const trace::Argument* argument = step.argument(target);
    if (!argument) continue;
    if (const auto found = step.ledger.holding(argument->word))
      step.note(Change::Kind::MemoryWritten, found->context, found->number);
    return;
  }
}

}  // namespace

bool apply_memory(Step& step) {
  const std::string_view name = step.event.name;
  const auto maker = std::find_if(kMakers.begin(), kMakers.end(),
                                  [name](const Maker& candidate) { return candidate.name == name; });
  if (maker != kMakers.end())
    allocate(step, *maker);
  else if (name == "cuMemFree")
    release(step, step.passed("dptr"));
  else if (name == "cuMemFreeHost" || name == "cuMemHostUnregister")
    release(step, step.passed("p"));
  else if (name.starts_with("cuMemcpy") || name.starts_with("cuMemset"))
    write(step);
  else
    return false;
  return true;
}

}  // namespace lab
