// SPDX-License-Identifier: MIT
// cudaDeviceProp as CUDA 12 had it, by a name of its own beside that of 13.
//
// Knows nothing of how it is filled.
#pragma once

#include "12/device_properties.h"

namespace cudart::for_12 {

using DeviceProperties = ::cudaDeviceProperties12;

}  // namespace cudart::for_12
