// SPDX-License-Identifier: MIT
// A copy that the manual's struct CUDA_MEMCPY3D describes, as two places and an extent: what the node of a
// graph keeps of it. Defined in copy_shaped.cpp, beside cuMemcpy3D.
#pragma once

#include "core/transfer.hpp"

namespace driver {

// Errors: INVALID_VALUE for an invalid box, INVALID_HANDLE for an invalid array.
CUresult box_of(const CUDA_MEMCPY3D& shape, Place& to, Place& from, Extent& extent);

}  // namespace driver
