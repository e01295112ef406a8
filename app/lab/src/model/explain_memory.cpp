// SPDX-License-Identifier: MIT
// Failures about memory: an address where no allocation begins, a freed one, a copy beyond the end.
// Measured on an H200: scenarios memory_*.
#include <array>
#include <string>

#include <fmt/format.h>

#include "model/explain.hpp"

namespace lab {
namespace {

constexpr std::int32_t kInvalidValue = 1, kOutOfMemory = 2;

std::string hex(std::uint64_t value) {
  return fmt::format("{:#x}", value);
}

const Allocation* starting_at(const State& state, std::uint64_t address) {
  const Allocation* found = state.allocation_at(address);
  return found && found->address == address ? found : nullptr;
}

bool allocates(Function function) {
  return one_of(function, {Function::cuMemAlloc, Function::cuMemAllocAsync, Function::cuMemAllocFromPoolAsync,
                           Function::cuMemAllocHost, Function::cuMemAllocManaged, Function::cuMemAllocPitch});
}

bool frees(Function function) {
  return one_of(function, {Function::cuMemFree, Function::cuMemFreeHost, Function::cuMemFreeAsync});
}

// Not those that only ask about an address, although they return one too.
bool makes_address(Function function) {
  return allocates(function) || one_of(function, {Function::cuMemHostAlloc, Function::cuMemPoolImportPointer,
                                                  Function::cuMemAddressReserve});
}

// Of memory that call `freed` has freed. A graph may have allocated at this address since then: its node's
// parameters, which have the address, are not recorded.
Explained gone_since(const Failure& failure, std::uint64_t address, std::size_t freed) {
  const auto by_graph = [](const trace::Event& event) {
    return event.function == Function::cuGraphAddMemAllocNode;
  };
  const auto launched = [&](const trace::Event& event) {
    return event.function == Function::cuGraphLaunch || by_graph(event);
  };
  const bool of_graph = failure.latest(by_graph) && failure.latest(launched) > freed;
  const Text key = of_graph                        ? Text::ExplainFreedOrOfGraph
                   : frees(failure.event.function) ? Text::ExplainFreedAlready
                                                   : Text::ExplainUsedAfterFree;
  return Explanation{{key, {hex(address), failure.call_word(freed), failure.place_word(freed)}}, freed};
}

}  // namespace

Explained gone(const Failure& failure, std::uint64_t address) {
  const auto freed = failure.latest([address](const trace::Event& event) {
    return frees(event.function) && !event.arguments.empty() && event.arguments[0].word == address;
  });
  const auto made = failure.latest([address](const trace::Event& event) {
    return makes_address(event.function) && !event.arguments.empty() && event.arguments[0].out == address;
  });
  if (freed && (!made || *made < *freed)) return gone_since(failure, address, *freed);
  if (!made) return std::nullopt;
  const State& then = failure.model.aside(*made + 1);
  const Allocation* allocation = starting_at(then, address);
  if (allocation == nullptr || allocation->context == kNone) return std::nullopt;
  const std::string number = std::to_string(allocation->number),
                    owner = then.contexts[allocation->context].name;
  return Explanation{{Text::ExplainDiedWithContext,
                      {hex(address), number, owner, failure.call_word(*made), failure.place_word(*made)}},
                     made};
}

Explained beyond_end(const Failure& failure, std::string_view argument, const Allocation& holder,
                     std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t offset = address - holder.address, left = holder.size - offset;
  if (bytes <= left) return std::nullopt;
  const auto made = static_cast<std::size_t>(holder.created_at);
  return Explanation{{Text::ExplainBeyondEnd,
                      {std::string(argument), std::to_string(holder.number), std::to_string(offset),
                       std::to_string(bytes), std::to_string(left), std::to_string(holder.size),
                       failure.call_word(made), failure.place_word(made)}},
                     made};
}

namespace {

bool host(MemoryKind kind) {
  return kind == MemoryKind::Host || kind == MemoryKind::Registered;
}

Explained freed_wrongly(const Failure& failure) {
  const bool of_host = failure.is(Function::cuMemFreeHost);
  if (!of_host && !failure.is(Function::cuMemFree)) return std::nullopt;
  const std::uint64_t address = failure.event.arguments.empty() ? 0 : failure.event.arguments[0].word;
  if (address == 0) return std::nullopt;
  const Allocation* holder = failure.before.allocation_at(address);
  if (holder == nullptr) {
    if (Explained found = gone(failure, address)) return found;
    return Explanation{{Text::ExplainNeverAllocated, {hex(address), std::string(failure.event.name)}}, {}};
  }
  const auto made = static_cast<std::size_t>(holder->created_at);
  if (holder->address != address)
    return Explanation{
        {Text::ExplainFreeInside,
         {hex(address), std::to_string(address - holder->address), std::to_string(holder->number),
          hex(holder->address), failure.call_word(made), failure.place_word(made)}},
        made};
  if (host(holder->kind) == of_host) return std::nullopt;
  const Function right = of_host                                  ? Function::cuMemFree
                         : holder->kind == MemoryKind::Registered ? Function::cuMemHostUnregister
                                                                  : Function::cuMemFreeHost;
  return Explanation{{Text::ExplainFreeOtherKind,
                      {std::to_string(holder->number), failure.call_word(made), failure.place_word(made),
                       std::string(failure.store.at(made).name), std::string(trace::name_of(right))}},
                     made};
}

// How many bytes a plain copy or memset touches.
std::optional<std::uint64_t> bytes_touched(const Failure& failure) {
  if (const auto bytes = failure.passed("ByteCount")) return bytes;
  const auto elements = failure.passed("N");
  if (!elements || failure.passed("Height")) return std::nullopt;
  const std::uint64_t each = element_bytes(failure.event.function);
  return each == 0 ? std::nullopt : std::optional(*elements * each);
}

Explained touched_wrongly(const Failure& failure) {
  const auto bytes = bytes_touched(failure);
  if (!bytes || *bytes == 0) return std::nullopt;
  for (const std::string_view name : {"dstDevice", "srcDevice"}) {
    const auto address = failure.passed(name);
    if (!address) continue;
    const Allocation* holder = failure.before.allocation_at(*address);
    if (holder == nullptr) {
      if (*address != 0)
        if (Explained found = gone(failure, *address)) return found;
      return Explanation{{Text::ExplainNoDeviceMemory, {std::string(name), hex(*address)}}, {}};
    }
    if (Explained found = beyond_end(failure, name, *holder, *address, *bytes)) return found;
  }
  return std::nullopt;
}

Explained asked_wrongly(const Failure& failure) {
  const auto bytes = failure.passed("bytesize");
  if (!bytes || !allocates(failure.event.function)) return std::nullopt;
  if (failure.event.result == kInvalidValue && *bytes == 0)
    return Explanation{{Text::ExplainNoBytes, {std::string(failure.event.name)}}, {}};
  if (failure.event.result != kOutOfMemory) return std::nullopt;
  const std::uint32_t current = failure.current();
  if (current == kNone) return std::nullopt;
  const std::uint32_t device = failure.before.contexts[current].device;
  std::uint64_t own = 0;
  for (const Allocation& allocation : failure.before.allocations)
    if (allocation.kind == MemoryKind::Device && allocation.context != kNone &&
        failure.before.contexts[allocation.context].device == device)
      own += allocation.size;
  return Explanation{{Text::ExplainOutOfMemory,
                      {std::to_string(*bytes >> 20), std::to_string(device), std::to_string(own >> 20)}},
                     {}};
}

}  // namespace

Explained explain_memory(const Failure& failure) {
  if (failure.event.result == kInvalidValue) {
    if (Explained found = freed_wrongly(failure)) return found;
    if (Explained found = touched_wrongly(failure)) return found;
  }
  return asked_wrongly(failure);
}

}  // namespace lab
