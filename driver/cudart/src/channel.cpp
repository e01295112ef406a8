// SPDX-License-Identifier: MIT
// Descriptions of array elements (cudaCreateChannelDesc): how many parts one has, of which kind and size.
//
// Needs no driver: the numbers are put into a struct.
#include "runtime.hpp"

// cudaCreateChannelDesc. No errors.
cudaChannelFormatDesc CUDARTAPI cudaCreateChannelDesc(int x, int y, int z, int w,
                                                      cudaChannelFormatKind kind) {
  return {.x = x, .y = y, .z = z, .w = w, .f = kind};
}
