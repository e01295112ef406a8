// SPDX-License-Identifier: MIT
// Arrays in the driver's terms: formats of elements, and their sizes.
//
// An array of the runtime is one of the driver under another type. Does not depend on copies.
#pragma once

#include <cstddef>

#include "runtime.hpp"

namespace cudart {

inline CUarray as_array(cudaArray_const_t array) {
  return reinterpret_cast<CUarray>(const_cast<cudaArray*>(array));
}

// Bytes of one element; widths of copies that touch an array are counted in them.
CUresult element_size(cudaArray_const_t array, std::size_t& size);

}  // namespace cudart
