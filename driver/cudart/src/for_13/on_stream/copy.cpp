// SPDX-License-Identifier: MIT
// Copies in a batch. CUDA 13 no longer returns the place of a failed one in the list.
//
// Compiled twice; see ../../on_stream/copy.cpp. CUDA 12 has another form under the same name.
#include "runtime.hpp"

using namespace cudart;

// cudaMemcpyBatchAsync. Errors: InvalidValue. The attributes are the driver's.
cudaError_t CUDARTAPI cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* sizes,
                                           size_t count, cudaMemcpyAttributes* attributes, size_t* first,
                                           size_t attribute_count, cudaStream_t stream) {
  return with_context([&] {
    return cuMemcpyBatchAsync(reinterpret_cast<CUdeviceptr*>(const_cast<void**>(to)),
                              reinterpret_cast<CUdeviceptr*>(const_cast<void**>(from)),
                              const_cast<size_t*>(sizes), count, same<CUmemcpyAttributes>(attributes), first,
                              attribute_count, stream);
  });
}
