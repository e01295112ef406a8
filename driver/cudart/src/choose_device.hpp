// SPDX-License-Identifier: MIT
// What both forms of cudaDeviceProp share: a field that is an attribute, and choosing a device by its
// properties, for which the struct is that of CUDA 13.
#pragma once

#include "runtime.hpp"

namespace cudart {

// The manual does not define the best device: here it is the one that has the most of the wanted capability,
// memory, multiprocessors and shared memory; the first one of equal devices. Needs an initialised driver.
CUresult choose_device(int* device, const cudaDeviceProp* wants);

// What the driver does not know stays as it is.
template <class T>
void put(T& field, CUdevice_attribute attribute, CUdevice device) {
  int value = 0;
  if (cuDeviceGetAttribute(&value, attribute, device) == CUDA_SUCCESS) field = static_cast<T>(value);
}

}  // namespace cudart
