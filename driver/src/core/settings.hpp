// SPDX-License-Identifier: MIT
// The values of the variables DRIVERLAB_DEVICES, DRIVERLAB_DEVICE and DRIVERLAB_KERNELS: an unknown value is
// reported on stderr, with the known ones, and the default is used. And that of CUDA_MODULE_LOADING.
#pragma once

#include "api/devices.hpp"

namespace driver {

inline constexpr int kMostDevices = 8;

int wanted_device_count();
// The real device whose figures the devices have; null for the embedded driver's own.
const api::DeviceDescription* wanted_device();
// The runner reads it; this only checks whether the value is valid.
void check_wanted_kernels();

// CUDA_MODULE_LOADING is EAGER. Any other value is as none (truth loading_DEFAULT, step 6).
bool is_loading_eager();

}  // namespace driver
