// SPDX-License-Identifier: MIT
// Where managed memory should be, as CUDA 12 said it: the number of a device, and -1 for the host.
//
// Knows nothing of the calls that take it.
#pragma once

#include "runtime.hpp"

namespace cudart::for_12 {

inline CUmemLocation place_of(int device) {
  return {.type = device == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE,
          .id = device == CU_DEVICE_CPU ? 0 : device};
}

}  // namespace cudart::for_12
