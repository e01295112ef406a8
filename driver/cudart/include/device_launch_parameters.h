// SPDX-License-Identifier: MIT
// device_launch_parameters.h, for sources that include it: everything of it is in vector_types.h.
//
// Must not hold anything of its own.
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#include "vector_types.h"
#endif  // __DEVICE_LAUNCH_PARAMETERS_H__
