// Ends a program with the name of the call that failed and of its error. For the programs in this folder.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                     \
  do {                                                                                  \
    const cudaError_t check_error = (call);                                             \
    if (check_error != cudaSuccess) {                                                   \
      std::printf("line %d, %s: %s\n", __LINE__, #call, cudaGetErrorName(check_error)); \
      std::exit(1);                                                                     \
    }                                                                                   \
  } while (false)
