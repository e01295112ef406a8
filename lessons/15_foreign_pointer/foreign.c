/* A library by another author: C code that is built as libforeign.so and knows nothing about its callers. It
   works in the current context, does not say which one that was, and leaves freeing the memory to its caller.
   Its source is here so that you can see its calls; usually you have only the header. */
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
