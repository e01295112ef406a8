// SPDX-License-Identifier: MIT
// The manual's launches of kernels, by a kernel's address in the program.
//
// Compiled twice; see copy.cpp. The kernel is looked up (code.hpp), and the driver does everything else.
#include "code.hpp"

using namespace cudart;

namespace {

// A CUkernel may be launched as the function that it is in the current context.
CUfunction as_function(CUkernel kernel) {
  return reinterpret_cast<CUfunction>(kernel);
}

// An address of no kernel is used as a handle, and is not a valid one (measured on an H200).
CUresult find_launched(const void* host, CUkernel& kernel) {
  const CUresult error = find_kernel(host, kernel);
  return error == kInvalidDeviceFunction && !is_registered(host) ? CUDA_ERROR_INVALID_HANDLE : error;
}

CUresult launch(CUkernel kernel, const dim3& grid, const dim3& block, void** arguments, size_t shared,
                cudaStream_t stream) {
  return cuLaunchKernel(as_function(kernel), grid.x, grid.y, grid.z, block.x, block.y, block.z,
                        static_cast<unsigned int>(shared), stream, arguments, nullptr);
}

}  // namespace

// cudaLaunchKernel. Errors: InvalidDeviceFunction, InvalidConfiguration, LaunchFailure, LaunchTimeout,
// LaunchOutOfResources, SharedObjectInitFailed, InvalidPtx, UnsupportedPtxVersion, NoKernelImageForDevice,
// JitCompilerNotFound, JitCompilationDisabled. A block of 2000 threads gives InvalidValue (rt_bad_args,
// step 8).
cudaError_t CUDARTAPI cudaLaunchKernel(const void* host, dim3 grid, dim3 block, void** arguments,
                                       size_t shared, cudaStream_t stream) {
  return with_context([&] {
    CUkernel kernel = nullptr;
    const CUresult error = find_launched(host, kernel);
    return error != CUDA_SUCCESS ? error : launch(kernel, grid, block, arguments, shared, stream);
  });
}

// What nvcc 13 makes of a launch: the stub has the handle already, or what __cudaGetKernel left in its place.
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define __cudaLaunchKernel __cudaLaunchKernel_ptsz
#endif
extern "C" cudaError_t CUDARTAPI __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                                                    void** arguments, size_t shared, cudaStream_t stream);
cudaError_t CUDARTAPI __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                         size_t shared, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

// cudaLaunchCooperativeKernel. Errors: as cudaLaunchKernel, and CooperativeLaunchTooLarge.
cudaError_t CUDARTAPI cudaLaunchCooperativeKernel(const void* host, dim3 grid, dim3 block, void** arguments,
                                                  size_t shared, cudaStream_t stream) {
  return with_context([&] {
    CUkernel kernel = nullptr;
    if (const CUresult error = find_launched(host, kernel)) return error;
    return cuLaunchCooperativeKernel(as_function(kernel), grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                     static_cast<unsigned int>(shared), stream, arguments);
  });
}

// cudaLaunchKernelExC. Errors: as cudaLaunchKernel, and CooperativeLaunchTooLarge. The attributes are the
// driver's.
cudaError_t CUDARTAPI cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* host,
                                          void** arguments) {
  return with_context([&] {
    if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUkernel kernel = nullptr;
    if (const CUresult error = find_launched(host, kernel)) return error;
    const CUlaunchConfig drivers = {.gridDimX = config->gridDim.x,
                                    .gridDimY = config->gridDim.y,
                                    .gridDimZ = config->gridDim.z,
                                    .blockDimX = config->blockDim.x,
                                    .blockDimY = config->blockDim.y,
                                    .blockDimZ = config->blockDim.z,
                                    .sharedMemBytes = static_cast<unsigned int>(config->dynamicSmemBytes),
                                    .hStream = config->stream,
                                    .attrs = same<CUlaunchAttribute>(config->attrs),
                                    .numAttrs = config->numAttrs};
    return cuLaunchKernelEx(&drivers, as_function(kernel), arguments, nullptr);
  });
}
