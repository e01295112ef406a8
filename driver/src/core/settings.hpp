// SPDX-License-Identifier: MIT
// What the variables DRIVERLAB_DEVICES and DRIVERLAB_KERNELS ask for. A value that is not known is reported
// on stderr, with those that are, and the default is used.
#pragma once

namespace driver {

inline constexpr int most_devices = 8;

int wanted_device_count();
// The runner reads it; this only looks whether it will understand.
void check_wanted_kernels();

}  // namespace driver
