// SPDX-License-Identifier: MIT
// A copy as the manual's struct describes it, as places and an extent: what graphs keep of one. Implemented
// beside cuMemcpy3D.
#pragma once

#include "core/transfer.hpp"

namespace driver {

// Errors: INVALID_VALUE for what is no box, INVALID_HANDLE for an array that is none.
CUresult box_of(const CUDA_MEMCPY3D& shape, Place& to, Place& from, Extent& extent);

}  // namespace driver
