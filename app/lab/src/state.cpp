// Look-ups in a State. They search linearly: threads and contexts are few, and allocations are looked up
// one at a time here; the model, which folds long runs, keeps an index of its own.
#include "lab/state.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace lab {

const Thread* State::thread(std::uint32_t number) const {
  const auto found = std::find_if(threads.begin(), threads.end(),
                                  [number](const Thread& thread) { return thread.number == number; });
  return found == threads.end() ? nullptr : &*found;
}

std::uint32_t State::context_of(std::uint64_t handle) const {
  if (handle == 0) return kNone;
  std::uint32_t dead = kNone;
  for (std::size_t i = contexts.size(); i-- > 0;) {
    if (contexts[i].handle != handle || contexts[i].hidden) continue;
    if (contexts[i].alive) return static_cast<std::uint32_t>(i);
    if (dead == kNone) dead = static_cast<std::uint32_t>(i);
  }
  return dead;
}

std::string State::context_name(std::uint64_t handle) const {
  if (handle == 0) return "null";
  const std::uint32_t index = context_of(handle);
  return index == kNone ? fmt::format("{:#x}", handle) : contexts[index].name;
}

bool State::on_any_stack(std::uint32_t context) const {
  return std::any_of(threads.begin(), threads.end(), [context](const Thread& thread) {
    return std::find(thread.stack.begin(), thread.stack.end(), context) != thread.stack.end();
  });
}

const Allocation* State::allocation_at(std::uint64_t address) const {
  const auto found =
      std::find_if(allocations.begin(), allocations.end(), [address](const Allocation& allocation) {
        return address >= allocation.address && address - allocation.address < allocation.size;
      });
  return found == allocations.end() ? nullptr : &*found;
}

}  // namespace lab
