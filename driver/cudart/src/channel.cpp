// SPDX-License-Identifier: MIT
// Descriptions of array elements.
//
// Needs no driver.
#include "runtime.hpp"

// cudaCreateChannelDesc. No errors.
cudaChannelFormatDesc CUDARTAPI cudaCreateChannelDesc(int x, int y, int z, int w,
                                                      cudaChannelFormatKind kind) {
  return {.x = x, .y = y, .z = z, .w = w, .f = kind};
}
