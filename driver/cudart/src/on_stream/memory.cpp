// SPDX-License-Identifier: MIT
// Memory that is taken and given back in a stream's order.
//
// Compiled twice; see copy.cpp. Pools themselves are ../pool.cpp.
#include "runtime.hpp"

using namespace cudart;

// cudaMallocAsync. Errors: InvalidValue, NotSupported, OutOfMemory.
cudaError_t CUDARTAPI cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
  return with_context([&] { return cuMemAllocAsync(same<CUdeviceptr>(pointer), size, stream); });
}

// cudaMallocFromPoolAsync. Errors: InvalidValue, NotSupported, OutOfMemory.
cudaError_t CUDARTAPI cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool,
                                              cudaStream_t stream) {
  return with_context(
      [&] { return cuMemAllocFromPoolAsync(same<CUdeviceptr>(pointer), size, pool, stream); });
}

// cudaFreeAsync. Errors: InvalidValue, NotSupported.
cudaError_t CUDARTAPI cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return with_context([&] { return cuMemFreeAsync(address_of(pointer), stream); });
}
