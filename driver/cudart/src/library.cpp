// SPDX-License-Identifier: MIT
// The manual's chapter "Library Management": code that the program loads itself; and the handles of its own
// kernels.
//
// The driver has the same functions; options are the driver's numbers.
#include "code.hpp"

using namespace cudart;

// cudaLibraryLoadData. Errors: InvalidValue, MemoryAllocation, InitializationError, CudartUnloading,
// InvalidPtx, UnsupportedPtxVersion, NoKernelImageForDevice, SharedObjectSymbolNotFound,
// SharedObjectInitFailed, JitCompilerNotFound.
cudaError_t CUDARTAPI cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* options,
                                          void** values, unsigned int count,
                                          cudaLibraryOption* library_options, void** library_values,
                                          unsigned int library_count) {
  return with_context([&] {
    return cuLibraryLoadData(library, code, same<CUjit_option>(options), values, count,
                             same<CUlibraryOption>(library_options), library_values, library_count);
  });
}

// cudaLibraryLoadFromFile. Errors: those of cudaLibraryLoadData, and FileNotFound.
cudaError_t CUDARTAPI cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* file,
                                              cudaJitOption* options, void** values, unsigned int count,
                                              cudaLibraryOption* library_options, void** library_values,
                                              unsigned int library_count) {
  return with_context([&] {
    return cuLibraryLoadFromFile(library, file, same<CUjit_option>(options), values, count,
                                 same<CUlibraryOption>(library_options), library_values, library_count);
  });
}

// cudaLibraryUnload. Errors: CudartUnloading, InitializationError, InvalidValue.
cudaError_t CUDARTAPI cudaLibraryUnload(cudaLibrary_t library) {
  return with_context([&] { return cuLibraryUnload(library); });
}

// cudaLibraryGetKernel. Errors: CudartUnloading, InitializationError, InvalidValue, InvalidResourceHandle,
// SymbolNotFound.
cudaError_t CUDARTAPI cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  return with_context([&] {
    const CUresult error = cuLibraryGetKernel(kernel, library, name);
    if (error == CUDA_SUCCESS) know_kernel(*kernel);
    return error;
  });
}

// cudaLibraryGetGlobal. Errors: as cudaLibraryGetKernel, and DeviceUninitialized.
cudaError_t CUDARTAPI cudaLibraryGetGlobal(void** pointer, size_t* size, cudaLibrary_t library,
                                           const char* name) {
  return with_context([&] { return cuLibraryGetGlobal(same<CUdeviceptr>(pointer), size, library, name); });
}

// cudaLibraryGetManaged. Errors: as cudaLibraryGetKernel.
cudaError_t CUDARTAPI cudaLibraryGetManaged(void** pointer, size_t* size, cudaLibrary_t library,
                                            const char* name) {
  return with_context([&] { return cuLibraryGetManaged(same<CUdeviceptr>(pointer), size, library, name); });
}

// cudaLibraryGetUnifiedFunction. Errors: as cudaLibraryGetKernel.
cudaError_t CUDARTAPI cudaLibraryGetUnifiedFunction(void** function, cudaLibrary_t library,
                                                    const char* symbol) {
  return with_context([&] { return cuLibraryGetUnifiedFunction(function, library, symbol); });
}

// cudaLibraryGetKernelCount. Errors: CudartUnloading, InitializationError, InvalidValue,
// InvalidResourceHandle.
cudaError_t CUDARTAPI cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t library) {
  return with_context([&] { return cuLibraryGetKernelCount(count, library); });
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

// cudaKernelSetAttributeForDevice. Errors: InvalidDeviceFunction, InvalidDevice, InvalidValue.
cudaError_t CUDARTAPI cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute,
                                                      int value, int device) {
  return with_context([&] {
    return cuKernelSetAttribute(static_cast<CUfunction_attribute>(attribute), value, kernel, device);
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
