// SPDX-License-Identifier: MIT
// What DRIVERLAB_DEVICES and DRIVERLAB_KERNELS ask for. A value that means nothing is said on stderr, with
// those that do, and the default taken.
#pragma once

namespace driver {

int wanted_device_count();
// The runner reads it; this only looks whether it will understand.
void check_wanted_kernels();

}  // namespace driver
