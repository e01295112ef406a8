// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Primary Context Management".
//
// One primary context for each device, with a count of retains. It is active while the count is above 0. Its
// handle never changes, and nothing here changes any thread's stack (truth primary).
#include "core/call.hpp"
#include "core/log.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

Completions work_of(CUdevice handle) {
  Device* const device = Driver::get().device(handle);
  return device != nullptr ? Driver::get().primary(*device).streams().unfinished() : Completions{};
}

// Waits for the work of a device's primary context, and then calls `change` with it.
template <typename Change>
CUresult when_done(CUdevice handle, Change change) {
  if (const CUresult error = Driver::ready()) return error;
  const auto lock = lock_when_done([handle] { return work_of(handle); });
  Driver& driver = Driver::get();
  Device* const device = driver.device(handle);
  return device == nullptr ? CUDA_ERROR_INVALID_DEVICE : change(driver, driver.primary(*device));
}

}  // namespace

// cuDevicePrimaryCtxRetain. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_DEVICE,
// INVALID_VALUE, OUT_OF_MEMORY, UNKNOWN.
CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext* handle, CUdevice device_handle) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Driver& driver = Driver::get();
  Device* const device = driver.device(device_handle);
  if (device == nullptr) return no_such_device("dev", driver.device_count());
  if (const CUresult error = driver.sticky_error) return error;
  Context& primary = driver.primary(*device);
  if (!primary.alive()) driver.revive(primary);
  ++primary.uses;
  *handle = primary.handle();
  return CUDA_SUCCESS;
}

// cuDevicePrimaryCtxRelease. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_DEVICE, INVALID_CONTEXT.
// Measured: without a retain 201 (primary, steps 5 and 29); a reset does not give a retain back, so the
// release that belongs to it still succeeds (revived_id, step 14). Green contexts count as retains; the
// release that would leave them without a primary context gives 800 (green_primary_released, step 9).
CUresult CUDAAPI cuDevicePrimaryCtxRelease_v2(CUdevice handle) {
  return when_done(handle, [](Driver& driver, Context& primary) {
    if (primary.uses == 0) return CUDA_ERROR_INVALID_CONTEXT;
    if (--primary.uses > 0 || !primary.alive()) return CUDA_SUCCESS;
    if (!primary.greens.empty()) return CUDA_ERROR_NOT_PERMITTED;
    driver.end(primary);
    return CUDA_SUCCESS;
  });
}

// cuDevicePrimaryCtxReset. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_DEVICE, PRIMARY_CONTEXT_ACTIVE.
// Measured: it ends the context however often it was retained, and on an inactive one does nothing (primary,
// steps 36 to 45). While there are green contexts it gives 800 (green_device_reset, step 6).
CUresult CUDAAPI cuDevicePrimaryCtxReset_v2(CUdevice handle) {
  return when_done(handle, [](Driver& driver, Context& primary) {
    if (!primary.greens.empty()) return CUDA_ERROR_NOT_PERMITTED;
    if (primary.alive()) driver.end(primary);
    return CUDA_SUCCESS;
  });
}

// cuDevicePrimaryCtxSetFlags. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_DEVICE, INVALID_VALUE.
// Measured: it works on an active one too (primary, steps 12 to 14); to map the host's memory, which it does
// anyway, gives 1.
CUresult CUDAAPI cuDevicePrimaryCtxSetFlags_v2(CUdevice device_handle, unsigned int flags) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  Driver& driver = Driver::get();
  Device* const device = driver.device(device_handle);
  if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (!valid_context_flags(flags) || (flags & CU_CTX_MAP_HOST) != 0) return CUDA_ERROR_INVALID_VALUE;
  driver.primary(*device).flags = flags;
  return CUDA_SUCCESS;
}

// cuDevicePrimaryCtxGetState. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_DEVICE, INVALID_VALUE.
CUresult CUDAAPI cuDevicePrimaryCtxGetState(CUdevice device_handle, unsigned int* flags, int* active) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  Driver& driver = Driver::get();
  Device* const device = driver.device(device_handle);
  if (device == nullptr) return no_such_device("dev", driver.device_count());
  if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context& primary = driver.primary(*device);
  *flags = primary.flags;
  *active = primary.alive() ? 1 : 0;
  return CUDA_SUCCESS;
}
