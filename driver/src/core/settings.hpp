// SPDX-License-Identifier: MIT
// The values of the variables DRIVERLAB_DEVICES, DRIVERLAB_DEVICE and DRIVERLAB_KERNELS. An unknown value is
// reported on stderr, with the known ones, and the default is used.
#pragma once

#include "api/devices.hpp"

namespace driver {

inline constexpr int kMostDevices = 8;

int wanted_device_count();
// The real device whose figures the devices have; null for the embedded driver's own.
const api::DeviceDescription* wanted_device();
// The runner reads it; this only checks whether the value is valid.
void check_wanted_kernels();

}  // namespace driver
