// Lesson 14: in which context should a library work? First a library that creates a context of its own. Then
// three libraries that share the application's context and count its uses, which is deprecated. At last the
// way that needs no agreement with the application, the primary context, and when the caller's is better.
#include <array>

#include "check.hpp"

// cuCtxAttach and cuCtxDetach are deprecated. The notes say so, so the compiler does not have to warn.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

int main() {
  CUcontext application = nullptr, current = nullptr, careless = nullptr, owner = nullptr;
  CUdevice device = 0;
  CUdeviceptr memory = 0;

  // step: start
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&application, CU_CTX_SCHED_AUTO, device));  // stack: A

  // step: own_context
  // A library with a context of its own. Its caller's stack is the same before and after each call. Between
  // the calls the library's context floats.
  struct Solver {
    CUcontext own = nullptr;
    void open(CUdevice device) {
      check(create_context(&own, CU_CTX_SCHED_AUTO, device));
      check(cuCtxPopCurrent(nullptr));  // cuCtxCreate has pushed it
    }
    void work() {
      CUdeviceptr scratch = 0;
      check(cuCtxPushCurrent(own));
      check(cuMemAlloc(&scratch, lesson::MiB));
      check(cuMemsetD8(scratch, 0, lesson::MiB));
      check(cuMemFree(scratch));
      check(cuCtxPopCurrent(nullptr));
    }
    void close() { check(cuCtxDestroy(own)); }  // it is on no stack, so no stack changes
  };
  Solver solver;
  solver.open(device);
  check(cuCtxGetCurrent(&current));
  claim("after open() the application's context is current", current == application);
  solver.work();
  check(cuCtxGetCurrent(&current));
  claim("after work() it is current, too", current == application);
  solver.close();

  // step: forgotten_pop
  // A library forgets the pop: the application's next calls work in the library's context.
  check(create_context(&careless, CU_CTX_SCHED_AUTO, device));  // "library::open()", without its pop
  check(cuMemAlloc(&memory, lesson::MiB));                      // the application's next call, which succeeds
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  claim("the application's memory belongs to the library", owner == careless);
  check(cuCtxDestroy(careless));  // "library::close()"
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(memory, 0, lesson::MiB));

  // step: attach
  // Three libraries work in the context that is current. Each attaches to it when it is opened. With the
  // application itself, four users now share one context.
  std::array<CUcontext, 3> found = {};
  std::array<CUdeviceptr, 3> tables = {};
  for (std::size_t i = 0; i < tables.size(); ++i) {
    check(cuCtxAttach(&found[i], 0));
    check(cuMemAlloc(&tables[i], lesson::KiB));
  }
  claim("all of them found the application's context", found[0] == application && found[2] == application);

  // step: application_leaves
  // The application, which created the context, is the first to detach from it. Three uses are left.
  check(cuCtxDetach(application));
  check(cuCtxGetCurrent(&current));
  claim("the context still exists and is current", current == application);
  check(cuMemsetD8(tables[0], 1, lesson::KiB));

  // step: last_detach
  // Each library detaches when it is closed. The detach that reaches zero destroys the context and removes it
  // from the stack.
  for (std::size_t i = 0; i < tables.size(); ++i) {
    check(cuMemFree(tables[i]));
    check(cuCtxDetach(found[i]));
  }
  check(cuCtxGetCurrent(&current));
  claim("after the last detach no context is current", current == nullptr);

  // step: primary
  // The way of today: no context is current, and none exists yet. Still, all three get the same context.
  for (CUcontext& context : found) check(cuDevicePrimaryCtxRetain(&context, device));
  claim("the first and the last share one context", found[0] == found[2]);
  check(cuCtxGetCurrent(&current));
  claim("and the caller's stack is still empty", current == nullptr);

  // step: primary_work
  // A library works in it as in a context of its own: push, work, pop.
  check(cuCtxPushCurrent(found[1]));
  check(cuMemAlloc(&memory, lesson::MiB));
  check(cuMemFree(memory));
  check(cuCtxPopCurrent(nullptr));

  // step: callers_context
  // The rule of the runtime: the caller's context if one is current, otherwise the primary context. What a
  // library allocates in its caller's context is freed with that context.
  CUdeviceptr kept = 0;
  const auto chosen = [&] {
    check(cuCtxGetCurrent(&current));
    return current == nullptr ? found[1] : current;
  };
  claim("no context is current: the library chooses the primary context", chosen() == found[1]);
  check(create_context(&application, CU_CTX_SCHED_AUTO, device));
  claim("now the caller's context is current: the library chooses it", chosen() == application);
  check(cuMemAlloc(&memory, lesson::KiB));
  check(cuCtxPushCurrent(found[1]));
  check(cuMemAlloc(&kept, lesson::KiB));
  check(cuCtxPopCurrent(nullptr));
  check(cuCtxDestroy(application));  // the application's right
  check(cuCtxPushCurrent(found[1]));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(memory, 0, lesson::KiB));
  check(cuMemsetD8(kept, 0, lesson::KiB));
  check(cuMemFree(kept));
  check(cuCtxPopCurrent(nullptr));

  // step: primary_released
  // Each retain needs one release. With the last one the primary context becomes inactive.
  int active = 0;
  unsigned flags = 0;
  for (std::size_t i = 0; i < found.size(); ++i) check(cuDevicePrimaryCtxRelease(device));
  check(cuDevicePrimaryCtxGetState(device, &flags, &active));
  claim("after the last release it is no longer active", active == 0);
}
