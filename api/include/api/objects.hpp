// SPDX-License-Identifier: MIT
// What a call makes or ends: the kind of the object, when it ends, and which arguments hold its handle, name
// and size.
//
// The keys `makes` and `ends` of each described function say it (api/README.md); descriptions.hpp has the
// tables. What a call changes in a state is decided by those who use the tables.
#pragma once
#include <cstdint>
#include <string_view>

#include "api/generated/object_kind.hpp"

namespace api {

enum class MemoryKind : std::uint8_t {
  Device,
  Host,
  Managed,
  Registered,
  Pooled,    // cuMemAllocAsync and the like: belongs to a pool, not to a context
  Mapped,    // cuMemMap: addresses to which physical memory is mapped
  Imported,  // memory of another process or of another API
};
inline constexpr std::size_t kMemoryKinds = static_cast<std::size_t>(MemoryKind::Imported) + 1;

// When an object ends, if no call ends it before.
enum class Lifetime : std::uint8_t {
  Current,  // with the context that is current on the calling thread
  Origin,   // with the object in `origin`; the program cannot destroy it by itself
  Process,  // with the process
  Driver,   // never: it exists before the call, and stays
};

struct ObjectDescription {
  std::string_view handle_type;  // "CUmodule"; "" if an address or a number identifies the object
};

// The views are names of parameters, "" where the call has no such parameter.
struct MakesDescription {
  ObjectKind kind = ObjectKind::None;
  MemoryKind memory = MemoryKind::Device;  // of an Allocation
  std::string_view handle;                 // identifies the object; an input if the program passes it
  Lifetime lifetime = Lifetime::Process;
  std::string_view origin;  // the handle of the object that it was made from
  ObjectKind origin_kind = ObjectKind::None;
  std::string_view label;  // its name, or its file
  std::string_view size;   // its bytes, or those of each row
  std::string_view rows;
};

struct EndsDescription {
  ObjectKind kind = ObjectKind::None;
  std::string_view handle;
};

}  // namespace api
