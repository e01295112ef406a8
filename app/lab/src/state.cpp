// SPDX-License-Identifier: MIT
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
  switch (id.kind) {
    case ObjectKind::Function:
    case ObjectKind::Kernel:
    case ObjectKind::Global:
    case ObjectKind::ManagedVariable:
    case ObjectKind::TextureReference:
    case ObjectKind::SurfaceReference:
      return "";
    default:
      return object_name(id);
  }
}

}  // namespace lab
