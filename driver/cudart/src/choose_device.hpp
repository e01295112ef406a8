// SPDX-License-Identifier: MIT
// Choosing a device by its properties, for both forms of the struct.
//
// Uses only the struct of CUDA 13.
#pragma once

#include "runtime.hpp"

namespace cudart {

// The manual does not define the best device: here it is the one that has the most of the wanted capability,
// memory, multiprocessors and shared memory; the first one of equal devices. Needs an initialised driver.
CUresult choose_device(int* device, const cudaDeviceProp* wants);

}  // namespace cudart
