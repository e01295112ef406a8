// SPDX-License-Identifier: MIT
// The smallest program that uses the driver API, as C and as C++: the header must not raise a warning in it.
#include <cuda.h>
#include <cudaProfiler.h>

int main(void) {
  CUcontext context = NULL;
  return cuInit(0) == CUDA_SUCCESS && cuCtxGetCurrent(&context) == CUDA_SUCCESS ? 0 : 1;
}
