// Lesson 07: each device has one primary context, which all libraries of a process can share. The program
// shows retains, flags, threads and devices; what the last release leaves on the stack; a new context with
// the same handle; and a reset, which destroys everything while users are left.
#include <thread>

#include "check.hpp"

// The state of device 0's primary context. Asking for it does not activate the context.
struct State {
  unsigned flags = 0;
  int active = 0;
};

int main() {
  CUcontext primary = nullptr, again = nullptr, current = nullptr;
  CUdeviceptr memory = 0;
  State state;
  int devices = 0;

  // step: not_active
  check(cuInit(0));
  check(cuDeviceGetCount(&devices));
  check(cuDevicePrimaryCtxGetState(0, &state.flags, &state.active));
  claim("no call has retained it: it is not active", state.active == 0);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));

  // step: retain
  // The first retain activates it and returns its handle. It makes no context current.
  check(cuDevicePrimaryCtxRetain(&primary, 0));
  check(cuDevicePrimaryCtxGetState(0, &state.flags, &state.active));
  claim("it is active", state.active == 1);
  check(cuCtxGetCurrent(&current));
  claim("but not current", current == nullptr);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, lesson::KiB));

  // step: make_current
  check(cuCtxSetCurrent(primary));  // stack: P0
  check(cuMemAlloc(&memory, lesson::KiB));
  expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(primary));  // a program cannot destroy it

  // step: all_threads
  // Every thread gets the same handle, and every thread has to make it current for itself.
  std::thread worker([&] {
    CUcontext mine = nullptr, now = nullptr;
    check(cuDevicePrimaryCtxRetain(&mine, 0));
    claim("another thread gets the same context", mine == primary);
    check(cuCtxGetCurrent(&now));
    claim("but no context is current there", now == nullptr);
    check(cuCtxSetCurrent(mine));
    check(cuMemsetD8(memory, 1, lesson::KiB));
    check(cuCtxSynchronize());
    check(cuCtxSetCurrent(nullptr));
    check(cuDevicePrimaryCtxRelease(0));
  });
  worker.join();

  // step: all_devices
  // Each device has its own. On a machine with one GPU there is nothing to compare.
  if (devices > 1) {
    CUcontext other = nullptr;
    int active = 1;
    unsigned flags = 0;
    check(cuDevicePrimaryCtxGetState(1, &flags, &active));
    claim("retaining device 0's has not activated device 1's", active == 0);
    check(cuDevicePrimaryCtxRetain(&other, 1));
    claim("device 1 has a primary context of its own", other != primary);
    check(cuDevicePrimaryCtxRelease(1));
  } else {
    check(cuDevicePrimaryCtxGetState(0, &state.flags, &state.active));
  }

  // step: flags
  // The flags may be changed while the context is active.
  check(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_BLOCKING_SYNC));
  check(cuDevicePrimaryCtxGetState(0, &state.flags, &state.active));
  claim("it is active with the new flags", state.flags == CU_CTX_SCHED_BLOCKING_SYNC && state.active == 1);
  check(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_AUTO));

  // step: last_release
  // When the count is zero, everything in it is freed. Its entry stays on the stack: a release never pops.
  unsigned long long first_id = 0, second_id = 0;
  check(cuCtxGetId(primary, &first_id));
  check(cuDevicePrimaryCtxRelease(0));
  check(cuDevicePrimaryCtxGetState(0, &state.flags, &state.active));
  claim("it is no longer active", state.active == 0);
  check(cuCtxGetCurrent(&current));
  claim("but its handle is still current", current == primary);
  expect(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemsetD8(memory, 2, lesson::KiB));

  // step: same_handle
  // A new context with the old handle. The entry on the stack is valid again; the old memory is not.
  check(cuDevicePrimaryCtxRetain(&again, 0));
  claim("the handle is the same", again == primary);
  check(cuCtxGetId(again, &second_id));
  claim("but it is another context", second_id != first_id);
  check(cuMemAlloc(&memory, lesson::KiB));

  // step: reset
  // A reset destroys everything in the context, even if it is retained. The retain count does not change.
  check(cuDevicePrimaryCtxReset(0));
  check(cuDevicePrimaryCtxGetState(0, &state.flags, &state.active));
  claim("it is retained, but not active", state.active == 0);
  expect(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemsetD8(memory, 3, lesson::KiB));

  // step: tidy_up
  check(cuCtxPopCurrent(&current));
  check(cuDevicePrimaryCtxRelease(0));
  expect(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
}
