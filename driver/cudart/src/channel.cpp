// Descriptions of array elements. Arrays themselves are not there yet.
//
// Needs no driver.
#include "runtime.hpp"

// cudaCreateChannelDesc. No errors.
cudaChannelFormatDesc CUDARTAPI cudaCreateChannelDesc(int x, int y, int z, int w,
                                                      cudaChannelFormatKind kind) {
  return {.x = x, .y = y, .z = z, .w = w, .f = kind};
}
