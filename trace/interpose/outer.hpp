// SPDX-License-Identifier: MIT
// What the interposed libcuda.so.1 gives the other interposed libraries (libcudart, libnvrtc): their calls go
// into the same rings, around the driver calls that they make.
//
// They find it by name in the library beside them, so a program that never loads our libcuda.so.1 runs as
// without the tracer. `kOuterVersion` makes sure that all of them come from one build.
#pragma once
#include <cstddef>
#include <cstdint>

#include "side.hpp"

namespace trace::interpose {

inline constexpr std::uint32_t kOuterVersion = 1;
inline constexpr const char* kOuterName = "driverlab_outer_calls";

struct OuterCalls {
  std::uint32_t version;
  std::uint32_t wire_version;
  // False: this call is not recorded, and leave() must not be called. Waits while the program is held.
  // `side` may be nullptr.
  bool (*enter)(unsigned function, std::uintptr_t address, const std::uint64_t* words, std::size_t count,
                const CarefulSide* side);
  // `ask`: note the context that the driver calls current now.
  void (*leave)(int result, bool ask, const Side& side);
  // An exception left the call: its result is not known.
  void (*abandon)();
};

}  // namespace trace::interpose
