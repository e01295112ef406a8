/* Someone else's library: C, made into a libforeign.so of its own that knows nothing of its callers. It works
   in whatever context is current, tells nobody which that was, and leaves the memory to its caller. Its
   source is here so that one can watch it; in life one has only the header. */
#include "foreign.h"

#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 32 };

static void must(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  fprintf(stderr, "libforeign: %s failed (%d)\n", call, result);
  exit(EXIT_FAILURE);
}

CUdeviceptr generate_gpu_data(void) {
  float numbers[COUNT];
  for (int i = 0; i < COUNT; ++i) numbers[i] = (float)i;
  CUdeviceptr memory = 0;
  must(cuMemAlloc(&memory, sizeof numbers), "cuMemAlloc");
  must(cuMemcpyHtoD(memory, numbers, sizeof numbers), "cuMemcpyHtoD");
  return memory;
}
