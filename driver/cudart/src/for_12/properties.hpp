// SPDX-License-Identifier: MIT
// cudaDeviceProp of CUDA 12, under another name than that of 13.
//
// Does not depend on how it is filled in.
#pragma once

#include "12/device_properties.h"

namespace cudart::for_12 {

using DeviceProperties = ::cudaDeviceProperties12;

}  // namespace cudart::for_12
