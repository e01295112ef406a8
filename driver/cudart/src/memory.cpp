// SPDX-License-Identifier: MIT
// The manual's chapter "Memory Management": allocating and freeing memory of devices and of the host.
//
// Copies and fills are in on_stream/, symbols in symbol.cpp. Pools and managed memory are calls of the
// driver.
#include "runtime.hpp"

using namespace cudart;

namespace {

// Rows that the driver lines up; what a caller of several dimensions gets.
CUresult allocate_rows(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (pointer == nullptr || pitch == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUdeviceptr address = 0;
  if (width != 0 && height != 0) {
    if (const CUresult error = cuMemAllocPitch(&address, pitch, width, height, 16)) return error;
  }
  *pointer = reinterpret_cast<void*>(address);
  return CUDA_SUCCESS;
}

}  // namespace

// cudaMalloc. Errors: InvalidValue, MemoryAllocation, ExternalDevice. Zero bytes are a null pointer and a
// success (rt_bad_args, step 2).
cudaError_t CUDARTAPI cudaMalloc(void** pointer, size_t size) {
  return with_context([&] {
    if (pointer == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *pointer = nullptr;
    return size == 0 ? CUDA_SUCCESS : cuMemAlloc(same<CUdeviceptr>(pointer), size);
  });
}

// cudaFree. Errors: InvalidValue. A null pointer is a success; people initialise the runtime with it.
cudaError_t CUDARTAPI cudaFree(void* pointer) {
  return with_context([&] { return pointer == nullptr ? CUDA_SUCCESS : cuMemFree(address_of(pointer)); });
}

// cudaMallocPitch. Errors: InvalidValue, MemoryAllocation, ExternalDevice.
cudaError_t CUDARTAPI cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return with_context([&] { return allocate_rows(pointer, pitch, width, height); });
}

// cudaMalloc3D. Errors: InvalidValue, MemoryAllocation, ExternalDevice.
cudaError_t CUDARTAPI cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  return with_context([&] {
    if (pitched == nullptr) return CUDA_ERROR_INVALID_VALUE;
    pitched->xsize = extent.width;
    pitched->ysize = extent.height;
    return allocate_rows(&pitched->ptr, &pitched->pitch, extent.width, extent.height * extent.depth);
  });
}

// cudaFreeHost. Errors: InvalidValue. A null pointer is a success.
cudaError_t CUDARTAPI cudaFreeHost(void* pointer) {
  return with_context([&] { return pointer == nullptr ? CUDA_SUCCESS : cuMemFreeHost(pointer); });
}
