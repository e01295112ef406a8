// Lesson 07: each device keeps one context for whoever comes, the primary context. Retaining, flags, threads
// and devices; what the last release leaves behind; a second life under the same handle; and the reset, which
// asks nobody.
#include <thread>

#include "check.hpp"

// What the driver says of device 0's primary context without waking it.
struct State {
  unsigned flags = 0;
  int active = 0;
};

int main() {
  CUcontext primary = nullptr, again = nullptr, current = nullptr;
  CUdeviceptr memory = 0;
  State state;
  int devices = 0;

  // step: asleep
  check(cuInit(0));
  check(cuDeviceGetCount(&devices));
  check(cuDevicePrimaryCtxGetState(0, &state.flags, &state.active));
  claim("nobody has retained it: it is not active", state.active == 0);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));

  // step: retain
  // Retaining wakes it and gives out its handle. That is all: nothing is current yet.
  check(cuDevicePrimaryCtxRetain(&primary, 0));
  check(cuDevicePrimaryCtxGetState(0, &state.flags, &state.active));
  claim("it is active", state.active == 1);
  check(cuCtxGetCurrent(&current));
  claim("and not current", current == nullptr);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, lesson::KiB));

  // step: make_current
  check(cuCtxSetCurrent(primary));  // stack: P0
  check(cuMemAlloc(&memory, lesson::KiB));
  expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(primary));  // it is nobody's to destroy

  // step: all_threads
  // The same handle on every thread; and on every thread it has to be made current anew.
  std::thread worker([&] {
    CUcontext mine = nullptr, now = nullptr;
    check(cuDevicePrimaryCtxRetain(&mine, 0));
    claim("another thread gets the same context", mine == primary);
    check(cuCtxGetCurrent(&now));
    claim("where it is not current", now == nullptr);
    check(cuCtxSetCurrent(mine));
    check(cuMemsetD8(memory, 1, lesson::KiB));
    check(cuCtxSynchronize());
    check(cuCtxSetCurrent(nullptr));
    check(cuDevicePrimaryCtxRelease(0));
  });
  worker.join();

  // step: all_devices
  // One for each device. On a machine with a single GPU there is nothing to compare.
  if (devices > 1) {
    CUcontext other = nullptr;
    int active = 1;
    unsigned flags = 0;
    check(cuDevicePrimaryCtxGetState(1, &flags, &active));
    claim("retaining one device's does not wake another's", active == 0);
    check(cuDevicePrimaryCtxRetain(&other, 1));
    claim("device 1 has a primary context of its own", other != primary);
    check(cuDevicePrimaryCtxRelease(1));
  } else {
    check(cuDevicePrimaryCtxGetState(0, &state.flags, &state.active));
  }

  // step: flags
  // They may be changed while the context is in use.
  check(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_BLOCKING_SYNC));
  check(cuDevicePrimaryCtxGetState(0, &state.flags, &state.active));
  claim("the flags are taken", state.flags == CU_CTX_SCHED_BLOCKING_SYNC && state.active == 1);
  check(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_AUTO));

  // step: last_release
  // At zero everything in it is gone. Its handle stays on the stack: a release never pops.
  unsigned long long first_life = 0, second_life = 0;
  check(cuCtxGetId(primary, &first_life));
  check(cuDevicePrimaryCtxRelease(0));
  check(cuDevicePrimaryCtxGetState(0, &state.flags, &state.active));
  claim("it sleeps again", state.active == 0);
  check(cuCtxGetCurrent(&current));
  claim("and is still current", current == primary);
  expect(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemsetD8(memory, 2, lesson::KiB));

  // step: second_life
  // A new context under the old handle. The stack's dead entry comes to life with it; the memory does not.
  check(cuDevicePrimaryCtxRetain(&again, 0));
  claim("the handle is the same", again == primary);
  check(cuCtxGetId(again, &second_life));
  claim("but it is another context", second_life != first_life);
  check(cuMemAlloc(&memory, lesson::KiB));

  // step: reset
  // A reset takes everything from everyone, retained or not. The retain from above is still counted.
  check(cuDevicePrimaryCtxReset(0));
  check(cuDevicePrimaryCtxGetState(0, &state.flags, &state.active));
  claim("retained, and all the same not active", state.active == 0);
  expect(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemsetD8(memory, 3, lesson::KiB));

  // step: tidy_up
  check(cuCtxPopCurrent(&current));
  check(cuDevicePrimaryCtxRelease(0));
  expect(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
}
