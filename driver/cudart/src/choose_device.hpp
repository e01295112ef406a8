// SPDX-License-Identifier: MIT
// Choosing a device by its properties, for both forms of the struct.
//
// Uses only the struct of CUDA 13.
#pragma once

#include "runtime.hpp"

namespace cudart {

// The manual does not say how it is measured: here by what is asked for of capability, memory,
// multiprocessors and shared memory; the first device of those that are equal. Needs an initialised driver.
CUresult choose_device(int* device, const cudaDeviceProp* wants);

}  // namespace cudart
