// SPDX-License-Identifier: MIT
// The manual's chapter "Library Management", where kernels are concerned: their handles are the driver's, and
// are remembered as such.
#include "code.hpp"

using namespace cudart;

// cudaLibraryGetKernel. Errors: CudartUnloading, InitializationError, InvalidValue, InvalidResourceHandle,
// SymbolNotFound.
cudaError_t CUDARTAPI cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  return with_context([&] {
    const CUresult error = cuLibraryGetKernel(kernel, library, name);
    if (error == CUDA_SUCCESS) know_kernel(*kernel);
    return error;
  });
}

// cudaLibraryEnumerateKernels. Errors: as cudaLibraryGetKernelCount.
cudaError_t CUDARTAPI cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int count,
                                                  cudaLibrary_t library) {
  return with_context([&] {
    const CUresult error = cuLibraryEnumerateKernels(kernels, count, library);
    unsigned int filled = 0;
    if (error != CUDA_SUCCESS || cuLibraryGetKernelCount(&filled, library) != CUDA_SUCCESS) return error;
    for (unsigned int index = 0; index < count && index < filled; ++index) know_kernel(kernels[index]);
    return CUDA_SUCCESS;
  });
}

// cudaGetKernel. Errors: InvalidDeviceFunction, InvalidValue.
cudaError_t CUDARTAPI cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  return with_context([&] {
    if (kernel == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const CUresult error = find_kernel(host, *kernel);
    if (error == CUDA_SUCCESS) know_kernel(*kernel);
    return error;
  });
}

// cudaGetFuncBySymbol. Errors: InvalidDeviceFunction, InvalidValue.
cudaError_t CUDARTAPI cudaGetFuncBySymbol(cudaFunction_t* function, const void* host) {
  return with_context(
      [&] { return function == nullptr ? CUDA_ERROR_INVALID_VALUE : find_function(host, *function); });
}
