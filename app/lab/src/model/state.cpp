// SPDX-License-Identifier: MIT
// Look-ups in a State. Contexts are found by their handles, threads mostly by using their number as an index.
// Allocations are looked up one at a time here; the model, which folds long runs, keeps an index of its own.
#include "lab/state.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace lab {

// Threads are numbered as they appear, so the number of most threads is also their index.
std::size_t State::thread_index(std::uint32_t number) const {
  if (threads.empty()) return 0;
  for (const std::uint32_t guess : {number, number - threads.front().number})
    if (guess < threads.size() && threads[guess].number == number) return guess;
  const auto found = std::find_if(threads.begin(), threads.end(),
                                  [number](const Thread& thread) { return thread.number == number; });
  return static_cast<std::size_t>(found - threads.begin());
}

const Thread* State::thread(std::uint32_t number) const {
  const std::size_t index = thread_index(number);
  return index == threads.size() ? nullptr : &threads[index];
}

const std::vector<std::uint32_t>& State::stack_of(std::uint32_t number) const {
  static const std::vector<std::uint32_t> empty;
  const Thread* const found = thread(number);
  return found == nullptr ? empty : found->stack;
}

std::vector<std::string> State::stack_names(std::uint32_t number) const {
  std::vector<std::string> names;
  for (const std::uint32_t context : stack_of(number)) names.push_back(contexts[context].name);
  return names;
}

std::uint32_t State::current_of(std::uint32_t number) const {
  const std::vector<std::uint32_t>& stack = stack_of(number);
  return stack.empty() ? kNone : stack.back();
}

std::uint32_t State::add_context(Context context) {
  const auto index = static_cast<std::uint32_t>(contexts.size());
  const std::uint64_t handle = std::exchange(context.handle, 0);
  contexts.push_back(std::move(context));
  set_handle(index, handle);
  return index;
}

void State::set_handle(std::uint32_t context, std::uint64_t handle) {
  if (contexts[context].handle == handle) return;
  contexts[context].handle = handle;
  if (handle == 0) return;
  // Destroyed contexts stay destroyed: the entries before this one are not needed any more.
  std::uint32_t older = handles.last(handle);
  while (older != HandleIndex::kNothing) {
    const Context& one = contexts[handles.entry(older).context];
    if (!one.is_destroyed()) break;
    older = handles.entry(older).older;
  }
  handles.add(handle, context, older);
}

std::uint32_t State::context_of(std::uint64_t handle) const {
  if (handle == 0) return kNone;
  std::uint32_t dead = kNone;
  for (std::uint32_t i = handles.last(handle); i != HandleIndex::kNothing; i = handles.entry(i).older) {
    const std::uint32_t context = handles.entry(i).context;
    if (contexts[context].handle != handle || contexts[context].hidden) continue;
    if (contexts[context].alive) return context;
    if (dead == kNone) dead = context;
  }
  return dead;
}

std::string State::context_name(std::uint64_t handle) const {
  if (handle == 0) return "null";
  const std::uint32_t index = context_of(handle);
  return index == kNone ? fmt::format("{:#x}", handle) : contexts[index].name;
}

std::vector<bool> State::on_stacks() const {
  std::vector<bool> on(contexts.size());
  for (const Thread& thread : threads)
    for (const std::uint32_t context : thread.stack) on[context] = true;
  return on;
}

const Allocation* State::allocation_at(std::uint64_t address) const {
  const auto found =
      std::find_if(allocations.begin(), allocations.end(), [address](const Allocation& allocation) {
        return address >= allocation.address &&
               address - allocation.address < std::max<std::uint64_t>(allocation.size, 1);
      });
  return found == allocations.end() ? nullptr : &*found;
}

const Object* State::object(ObjectId id) const {
  const auto found =
      std::find_if(objects.begin(), objects.end(), [id](const Object& object) { return object.id == id; });
  return found == objects.end() ? nullptr : &*found;
}

const Object* State::object_of(ObjectKind kind, std::uint64_t handle) const {
  const auto found = std::find_if(objects.begin(), objects.end(), [kind, handle](const Object& object) {
    return object.handle == handle && object.id.kind == kind;
  });
  return found == objects.end() ? nullptr : &*found;
}

const Object* State::object_at(std::uint64_t address) const {
  const Object* range = nullptr;
  for (const Object& object : objects) {
    if (address < object.handle || address - object.handle >= object.size) continue;
    if (object.id.kind == ObjectKind::Global || object.id.kind == ObjectKind::ManagedVariable) return &object;
    if (object.id.kind == ObjectKind::AddressRange) range = &object;
  }
  return range;
}

std::string State::name_of(ObjectId id) const {
  switch (id.kind) {
    case ObjectKind::None:
      return "";
    case ObjectKind::Context:
      return id.number < contexts.size() ? contexts[id.number].name : "";
    case ObjectKind::Device:
      return fmt::format("device {}", id.number);
    case ObjectKind::Thread: {
      const Thread* found = thread(id.number);
      return found && !found->name.empty() ? found->name : fmt::format("thread {}", id.number);
    }
    default:
      break;
  }
  if (const Object* found = object(id)) return object_name(*found);
  return has_own_name(id.kind) ? "" : object_name(id);
}

}  // namespace lab
