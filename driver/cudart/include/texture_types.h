// SPDX-License-Identifier: MIT
// texture_types.h, for sources that include it: everything of it is in driver_types.h.
//
// Must not hold anything of its own.
#ifndef __TEXTURE_TYPES_H__
#define __TEXTURE_TYPES_H__
#include "driver_types.h"
#endif  // __TEXTURE_TYPES_H__
