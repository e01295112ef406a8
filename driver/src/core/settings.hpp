// SPDX-License-Identifier: MIT
// The values of the variables DRIVERLAB_DEVICES and DRIVERLAB_KERNELS. An unknown value is reported on
// stderr, with the known ones, and the default is used.
#pragma once

namespace driver {

inline constexpr int most_devices = 8;

int wanted_device_count();
// The runner reads it; this only checks whether the value is valid.
void check_wanted_kernels();

}  // namespace driver
