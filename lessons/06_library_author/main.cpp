// Lesson 06: you write a library, and someone else's program calls it. Whose context does it work in? First a
// library that brings its own, then three that share one by counting uses, as was once done, and at last the
// way that needs no agreement: the primary context.
#include <array>

#include "check.hpp"

// cuCtxAttach and cuCtxDetach are deprecated; that is part of the lesson, so the compiler need not say it.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

int main() {
  CUcontext application = nullptr, current = nullptr, careless = nullptr, owner = nullptr;
  CUdeviceptr memory = 0;

  // step: start
  check(cuInit(0));
  check(create_context(&application, CU_CTX_SCHED_AUTO, 0));  // A

  // step: own_context
  // A library with a context of its own. Its caller's stack is the same before and after each call; in
  // between the library's context floats.
  struct Solver {
    CUcontext own = nullptr;
    void open() {
      check(create_context(&own, CU_CTX_SCHED_AUTO, 0));
      check(cuCtxPopCurrent(nullptr));  // creating has pushed
    }
    void work() {
      CUdeviceptr scratch = 0;
      check(cuCtxPushCurrent(own));
      check(cuMemAlloc(&scratch, lesson::MiB));
      check(cuMemsetD8(scratch, 0, lesson::MiB));
      check(cuMemFree(scratch));
      check(cuCtxPopCurrent(nullptr));
    }
    void close() { check(cuCtxDestroy(own)); }  // it is on no stack, so it leaves none
  };
  Solver solver;
  solver.open();
  check(cuCtxGetCurrent(&current));
  claim("after open() the application's context is current", current == application);
  solver.work();
  check(cuCtxGetCurrent(&current));
  claim("after work() too", current == application);
  solver.close();

  // step: careless
  // What happens when a library forgets the pop: the application goes on in a context that it does not know.
  check(create_context(&careless, CU_CTX_SCHED_AUTO, 0));  // "library::open()", without its pop
  check(cuMemAlloc(&memory, lesson::MiB));                 // the application's next line, and it succeeds
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  claim("the application's memory belongs to the library", owner == careless);
  check(cuCtxDestroy(careless));  // "library::close()"
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(memory, 0, lesson::MiB));

  // step: attach
  // Three libraries work in the context that they find. Each counts itself in when it is opened: with the
  // application's own that makes four uses of one context.
  std::array<CUcontext, 3> found = {};
  std::array<CUdeviceptr, 3> tables = {};
  for (std::size_t i = 0; i < tables.size(); ++i) {
    check(cuCtxAttach(&found[i], 0));
    check(cuMemAlloc(&tables[i], lesson::KiB));
  }
  claim("all of them found the application's context", found[0] == application && found[2] == application);

  // step: application_leaves
  // The application is the first to be done with the context that it created. Three are left.
  check(cuCtxDetach(application));
  check(cuCtxGetCurrent(&current));
  claim("the context lives and is current", current == application);
  check(cuMemsetD8(tables[0], 1, lesson::KiB));

  // step: last_detach
  // Each library counts itself out when it is closed. The detach that reaches zero destroys the context and
  // takes it off the stack.
  for (std::size_t i = 0; i < tables.size(); ++i) {
    check(cuMemFree(tables[i]));
    check(cuCtxDetach(found[i]));
  }
  check(cuCtxGetCurrent(&current));
  claim("the last one has closed the door", current == nullptr);

  // step: primary
  // Today's answer. Nothing is current, nobody has created anything, and still all three get one context.
  for (CUcontext& context : found) check(cuDevicePrimaryCtxRetain(&context, 0));
  claim("the first and the last share one context", found[0] == found[2]);
  check(cuCtxGetCurrent(&current));
  claim("and none of them has touched the caller's stack", current == nullptr);

  // step: primary_work
  // Working in it goes as with a context of one's own: push, work, pop.
  check(cuCtxPushCurrent(found[1]));
  check(cuMemAlloc(&memory, lesson::MiB));
  check(cuMemFree(memory));
  check(cuCtxPopCurrent(nullptr));

  // step: primary_released
  // For each retain one release. The last one ends it, whoever that is.
  int active = 0;
  unsigned flags = 0;
  for (std::size_t i = 0; i < found.size(); ++i) check(cuDevicePrimaryCtxRelease(0));
  check(cuDevicePrimaryCtxGetState(0, &flags, &active));
  claim("after the last release it is no longer active", active == 0);
}
