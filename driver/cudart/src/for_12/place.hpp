// SPDX-License-Identifier: MIT
// A place for managed memory in the form of CUDA 12: the number of a device, or -1 for the host.
//
// Does not depend on the calls that take it.
#pragma once

#include "runtime.hpp"

namespace cudart::for_12 {

inline CUmemLocation place_of(int device) {
  return {.type = device == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE,
          .id = device == CU_DEVICE_CPU ? 0 : device};
}

}  // namespace cudart::for_12
