// SPDX-License-Identifier: MIT
// The state of the runtime: the last error and the chosen device of each thread, and the primary contexts
// that it has retained.
//
// Does not depend on memory, streams or code.
#include "runtime.hpp"

#include <array>
#include <atomic>

#include "boundary/instead_of_exception.hpp"

namespace cudart {

namespace {

thread_local cudaError_t last_error = cudaSuccess;
thread_local int chosen_device = 0;

// The primary contexts that the runtime took, so that it recognises one that is current. Their handles stay
// the same for the life of a process.
constexpr int kMostDevices = 64;
std::array<std::atomic<CUcontext>, kMostDevices> primaries;

// After a kernel has failed, every call of the driver returns that kernel's error, this one too. The runtime
// then returns that no device is available (rt_sticky, step 8).
CUresult retain(int device, CUcontext& context) {
  const CUresult error = cuDevicePrimaryCtxRetain(&context, device);
  if (error >= CUDA_ERROR_ILLEGAL_ADDRESS && error <= CUDA_ERROR_LAUNCH_FAILED)
    return CUDA_ERROR_DEVICE_UNAVAILABLE;
  if (error == CUDA_SUCCESS) primaries[static_cast<std::size_t>(device)] = context;
  return error;
}

bool is_active(int device) {
  unsigned int flags = 0;
  int active = 0;
  return cuDevicePrimaryCtxGetState(device, &flags, &active) == CUDA_SUCCESS && active != 0;
}

// The device whose primary context this is, or -1.
int device_of_primary(CUcontext context) {
  for (int device = 0; device < kMostDevices; ++device) {
    const CUcontext known = primaries[static_cast<std::size_t>(device)].load(std::memory_order_relaxed);
    if (known == context) return device;
    if (known == nullptr && device > chosen_device) break;
  }
  return -1;
}

}  // namespace

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

cudaError_t instead_of_exception() {
  return boundary::instead_of_exception<cudaError_t>({.out_of_memory = cudaErrorMemoryAllocation,
                                                      .system = cudaErrorOperatingSystem,
                                                      .other = cudaErrorUnknown});
}

CUresult need_driver() {
  static constinit std::atomic<CUresult> result{CUDA_ERROR_NOT_INITIALIZED};
  CUresult known = result.load(std::memory_order_acquire);
  if (known != CUDA_ERROR_NOT_INITIALIZED) return known;
  known = cuInit(0);
  // If there was no memory, the next call tries again.
  if (known != CUDA_ERROR_OUT_OF_MEMORY) result.store(known, std::memory_order_release);
  return known;
}

CUresult primary_context(int device, CUcontext& context) {
  if (device < 0 || device >= kMostDevices) return CUDA_ERROR_INVALID_DEVICE;
  context = primaries[static_cast<std::size_t>(device)];
  if (context != nullptr && is_active(device)) return CUDA_SUCCESS;
  return retain(device, context);
}

CUresult use_device(int device) {
  CUcontext context = nullptr;
  if (const CUresult error = primary_context(device, context)) return error;
  chosen_device = device;
  return cuCtxSetCurrent(context);
}

CUresult need_context() {
  if (const CUresult error = need_driver()) return error;
  CUcontext context = nullptr;
  if (const CUresult error = cuCtxGetCurrent(&context)) return error;
  if (context == nullptr) return use_device(chosen_device);
  const int device = device_of_primary(context);
  if (device < 0 || is_active(device)) return CUDA_SUCCESS;
  return retain(device, context);
}

int current_device() {
  CUdevice device = 0;
  if (need_driver() == CUDA_SUCCESS && cuCtxGetDevice(&device) == CUDA_SUCCESS) return device;
  return chosen_device;
}

}  // namespace cudart

using namespace cudart;

// cudaGetLastError. Errors: whatever earlier calls of the thread left. What is read is forgotten
// (rt_bad_args, steps 8 and 9).
cudaError_t CUDARTAPI cudaGetLastError() {
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

// cudaPeekAtLastError. Errors: whatever earlier calls of the thread left.
cudaError_t CUDARTAPI cudaPeekAtLastError() {
  return last_error;
}
