// SPDX-License-Identifier: MIT
// What the driver makes besides contexts: modules, functions, libraries, streams, events, graphs, pools and
// more, as far as driver calls show. Plain values with names that are the same in every run of a program.
//
// The rules about calls are in src/apply*.cpp. Nothing here depends on a language.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "api/objects.hpp"

namespace lab {

inline constexpr std::uint32_t kNone = 0xffffffffu;  // "no such index" for every index below

// Context, Thread, Device and Allocation have lists of their own in State; `number` is the index in
// State::contexts, Thread::number, Device::ordinal or Allocation::number. All other kinds are in
// State::objects; `number` counts from 1 for each kind.
using ObjectKind = api::ObjectKind;
using api::kObjectKinds;

// Identifies one object for the whole run: numbers are not used again.
struct ObjectId {
  ObjectKind kind = ObjectKind::None;
  std::uint32_t number = 0;

  explicit operator bool() const { return kind != ObjectKind::None; }
  bool operator==(const ObjectId&) const = default;
  auto operator<=>(const ObjectId&) const = default;
};

struct Object {
  ObjectId id;
  std::uint32_t serial = 0;           // order of creation over all kinds in State::objects, from 1
  std::uint32_t multiprocessors = 0;  // GreenContext: how many it has; 0: not known
  std::uint64_t handle = 0;           // the driver's handle; 0 for a library's copy that was never asked for
  std::uint64_t size = 0;             // in bytes, if it has a size
  std::uint32_t context = kNone;      // index of the context that owns it; kNone: the process owns it
  std::uint32_t device = kNone;       // ordinal, for what belongs to a device and to no context
  ObjectId owner;                     // what it was made from: a module's library, a function's module, …
  std::uint32_t references = 1;       // PhysicalMemory: handles that were returned and not released
  std::uint32_t mappings = 0;         // PhysicalMemory: it stays while it is mapped, even without a handle
  bool given = false;     // the program must not destroy it: it ends with its owner, or is the driver's own
  bool blocking = false;  // Stream: made without CU_STREAM_NON_BLOCKING, so ordered with the legacy stream
  std::uint64_t created_at = 0;              // event seq
  std::shared_ptr<const std::string> label;  // function, variable or file as the program spells it; or null

  std::string_view label_text() const { return label ? std::string_view(*label) : std::string_view(); }
  bool operator==(const Object& other) const;
};

// "M1", "S2", "Pool1"; for an object with a name of its own "M1.vecAdd", "L1.counter". Allocations are "#3".
// The names of contexts, threads and devices are in State, see State::name_of().
std::string object_name(const Object& object);
std::string object_name(ObjectId id);  // of kinds that have no name of their own
bool has_own_name(ObjectKind kind);    // functions and variables: the program names them

// The kind of a handle type of the API: "CUmodule" -> Module. None for types that are not followed.
ObjectKind kind_of_handle(std::string_view type);
// True for an object that the program has to destroy, because it is a leak otherwise.
bool must_be_destroyed(const Object& object);

}  // namespace lab
