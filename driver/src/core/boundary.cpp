// SPDX-License-Identifier: MIT
// What the program gets instead of an exception.
#include "core/api.hpp"  // first: sources may be compiled in batches
// Then what includes cuda.h itself:
#include "core/boundary.hpp"

#include "boundary/instead_of_exception.hpp"

namespace driver {

CUresult instead_of_exception() {
  return boundary::instead_of_exception<CUresult>({.out_of_memory = CUDA_ERROR_OUT_OF_MEMORY,
                                                   .system = CUDA_ERROR_OPERATING_SYSTEM,
                                                   .other = CUDA_ERROR_UNKNOWN});
}

}  // namespace driver
