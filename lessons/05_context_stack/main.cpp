// Lesson 05: every thread has a stack of contexts, and the top of the stack is the current context. The
// program shows how creating, pushing, popping and destroying change the stack, and that a pop frees no
// memory. Then it does the same with the primary context.
#include "check.hpp"

constexpr std::size_t kBytes = 64 * lesson::MiB;

int main() {
  CUcontext a = nullptr, b = nullptr, current = nullptr, popped = nullptr;
  CUdevice device = 0;

  // step: start
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));

  // step: create
  // Creating a context also pushes it.
  check(create_context(&a, CU_CTX_SCHED_AUTO, device));  // stack: A
  check(create_context(&b, CU_CTX_SCHED_AUTO, device));  // stack: A, B
  check(cuCtxGetCurrent(&current));
  claim("B is current: it was created last", current == b);

  // step: push
  // A context may be on a stack more than once. The stack now has three entries, not two.
  check(cuCtxPushCurrent(a));  // stack: A, B, A
  check(cuCtxGetCurrent(&current));
  claim("A is current again", current == a);

  // step: pop
  check(cuCtxPopCurrent(&popped));  // stack: A, B
  claim("A was popped", popped == a);
  check(cuCtxGetCurrent(&current));
  claim("B is current again", current == b);

  // step: allocate
  // 64 MiB in A, filled with 42. The program keeps how much memory is free now, to print the change later.
  CUdeviceptr memory = 0;
  std::size_t before = 0, after = 0, total = 0;
  check(cuCtxPushCurrent(a));  // stack: A, B, A
  check(cuMemAlloc(&memory, kBytes));
  check(cuMemsetD8(memory, 42, kBytes));
  check(cuCtxSynchronize());  // the fill may still be running when the call returns
  check(cuMemGetInfo(&before, &total));

  // step: three_pops
  // Three entries, so three pops. After the last one A and B float: they exist, and are on no stack.
  check(cuCtxPopCurrent(&popped));  // stack: A, B
  check(cuCtxPopCurrent(&popped));  // stack: A
  check(cuCtxPopCurrent(&popped));  // stack: empty
  claim("A lay at the bottom", popped == a);
  check(cuCtxGetCurrent(&current));
  claim("the stack is empty: no context is current", current == nullptr);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&popped));

  // step: nothing_freed
  // People believe that the pop has freed the memory. Now B is current and reads it.
  unsigned char byte = 0;
  CUcontext owner = nullptr;
  check(cuCtxPushCurrent(a));  // stack: A
  check(cuCtxPushCurrent(b));  // stack: A, B
  check(cuMemcpyDtoH(&byte, memory + kBytes - 1, 1));
  claim("the 42 is still there", byte == 42);
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  claim("and A still owns it", owner == a);
  check(cuMemGetInfo(&after, &total));
  std::printf("after the pops: free memory changed by %+lld MiB\n", lesson::change_in_mib(before, after));

  // step: destroy_below
  // A is destroyed while it is below B. Its memory is freed, but its entry stays on the stack.
  check(cuCtxDestroy(a));  // stack: A (destroyed), B
  check(cuMemGetInfo(&after, &total));
  std::printf("A destroyed: free memory changed by %+lld MiB\n", lesson::change_in_mib(before, after));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(memory, 0, 16));

  // step: destroy_top
  // B is on top, so destroying it also pops it. Now the entry of the destroyed A is on top.
  check(cuCtxDestroy(b));  // stack: A (destroyed)
  check(cuCtxGetCurrent(&current));
  claim("the destroyed A is current", current == a);
  expect(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemAlloc(&memory, 16));
  check(cuCtxPopCurrent(&popped));  // stack: empty
  claim("the entry of the destroyed A is popped", popped == a);

  // step: retain
  // Each device has one primary context. The first retain makes it active, but does not make it current.
  CUcontext primary = nullptr, again = nullptr;
  unsigned flags = 0;
  int active = 0;
  check(cuDevicePrimaryCtxGetState(device, &flags, &active));
  claim("the primary context is not active yet", active == 0);
  check(cuDevicePrimaryCtxRetain(&primary, device));  // stack: still empty
  check(cuDevicePrimaryCtxGetState(device, &flags, &active));
  claim("it is active now", active == 1);
  check(cuCtxGetCurrent(&current));
  claim("but no context is current", current == nullptr);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 100));

  // step: primary_current
  // Once pushed, it is used like any other context. Each retain returns the same handle.
  check(cuCtxPushCurrent(primary));  // stack: P0
  check(cuMemAlloc(&memory, 100));
  check(cuDevicePrimaryCtxRetain(&again, device));
  claim("a second retain returns the same context", again == primary);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(primary));

  // step: release
  // Two retains need two releases. A release never pops, so the program pops first.
  check(cuMemFree(memory));
  check(cuCtxPopCurrent(&popped));  // stack: empty
  check(cuDevicePrimaryCtxRelease(device));
  check(cuDevicePrimaryCtxGetState(device, &flags, &active));
  claim("after one release of two it is still active", active == 1);
  check(cuDevicePrimaryCtxRelease(device));
  check(cuDevicePrimaryCtxGetState(device, &flags, &active));
  claim("after both it is no longer active", active == 0);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(device));
}
