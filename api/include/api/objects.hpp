// SPDX-License-Identifier: MIT
// What calls make and end: of which kind it is, with what it goes, and which arguments tell its handle, name
// and size.
//
// The description says it of each function (`makes` and `ends` in api/README.md); descriptions.hpp has the
// tables. How a state changes by it is for those who read them.
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
  Pooled,    // cuMemAllocAsync and its kin: belongs to a pool, not to a context
  Mapped,    // cuMemMap: addresses with physical memory behind them
  Imported,  // another process's, or another API's
};
inline constexpr std::size_t kMemoryKinds = static_cast<std::size_t>(MemoryKind::Imported) + 1;

// With what an object goes, if nobody ends it before.
enum class Lifetime : std::uint8_t {
  Current,  // the context that is current on the calling thread
  Origin,   // the object in `origin`: it goes with that and is not the program's to destroy
  Process,  // nothing
  Driver,   // it was there before, and stays
};

struct ObjectDescription {
  std::string_view handle_type;  // "CUmodule"; "" for what is known by its address or number
};

// The views are names of parameters, "" where the call has no such parameter.
struct MakesDescription {
  ObjectKind kind = ObjectKind::None;
  MemoryKind memory = MemoryKind::Device;  // of an Allocation
  std::string_view handle;                 // what it is known by; an input where the program gave it
  Lifetime lifetime = Lifetime::Process;
  std::string_view origin;  // the handle of what it comes from
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
