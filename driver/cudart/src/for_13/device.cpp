// SPDX-License-Identifier: MIT
// The version of libcudart.so.13, and choosing a device by the struct that only it has.
//
// for_12/ has the same for libcudart.so.12.
#include "choose_device.hpp"

using namespace cudart;

// cudaRuntimeGetVersion. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return remember(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

// cudaChooseDevice. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaChooseDevice(int* device, const cudaDeviceProp* wants) {
  return with_driver([&] { return choose_device(device, wants); });
}
