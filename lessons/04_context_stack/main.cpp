// Lesson 04: every thread has a stack of contexts, and its top is the current one. What creating, pushing,
// popping and destroying do to that stack, and what they do not do to the memory. Then the primary context,
// which needs all of this too.
#include "check.hpp"

constexpr std::size_t kBytes = 64 * lesson::MiB;

int main() {
  CUcontext a = nullptr, b = nullptr, current = nullptr, popped = nullptr;
  CUdevice device = 0;

  // step: start
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));

  // step: create
  // Creating also pushes.
  check(create_context(&a, CU_CTX_SCHED_AUTO, device));  // stack: A
  check(create_context(&b, CU_CTX_SCHED_AUTO, device));  // stack: A, B
  check(cuCtxGetCurrent(&current));
  claim("B is current: it was created last", current == b);

  // step: push
  // A context may stand on a stack more than once. This is three entries, not two.
  check(cuCtxPushCurrent(a));  // stack: A, B, A
  check(cuCtxGetCurrent(&current));
  claim("A is current again", current == a);

  // step: pop
  check(cuCtxPopCurrent(&popped));  // stack: A, B
  claim("A was popped", popped == a);
  check(cuCtxGetCurrent(&current));
  claim("B is current again", current == b);

  // step: allocate
  // 64 MiB in A, filled with 42. How much memory is free now is noted, and printed again later.
  CUdeviceptr memory = 0;
  std::size_t before = 0, after = 0, total = 0;
  check(cuCtxPushCurrent(a));  // stack: A, B, A
  check(cuMemAlloc(&memory, kBytes));
  check(cuMemsetD8(memory, 42, kBytes));
  check(cuCtxSynchronize());  // a fill may still be under way when its call returns
  check(cuMemGetInfo(&before, &total));

  // step: three_pops
  // Three entries, so three pops. After the last one A and B float: alive, and on no stack.
  check(cuCtxPopCurrent(&popped));  // stack: A, B
  check(cuCtxPopCurrent(&popped));  // stack: A
  check(cuCtxPopCurrent(&popped));  // stack: empty
  claim("A lay at the bottom", popped == a);
  check(cuCtxGetCurrent(&current));
  claim("the stack is empty: no context is current", current == nullptr);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&popped));

  // step: nothing_freed
  // Said to be freed by the pop. B is on top now, and reads it.
  unsigned char byte = 0;
  CUcontext owner = nullptr;
  check(cuCtxPushCurrent(a));  // stack: A
  check(cuCtxPushCurrent(b));  // stack: A, B
  check(cuMemcpyDtoH(&byte, memory + kBytes - 1, 1));
  claim("the 42 is still there", byte == 42);
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  claim("and it is still A's", owner == a);
  check(cuMemGetInfo(&after, &total));
  std::printf("free memory after the pops: %+lld MiB\n", lesson::change_in_mib(before, after));

  // step: destroy_below
  // A is destroyed while it lies under B. Now its memory goes, but its entry on the stack does not.
  check(cuCtxDestroy(a));  // stack: A (destroyed), B
  check(cuMemGetInfo(&after, &total));
  std::printf("free memory after A: %+lld MiB\n", lesson::change_in_mib(before, after));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(memory, 0, 16));

  // step: destroy_top
  // B is on top, so destroying it pops it as well. What comes to light is the destroyed A.
  check(cuCtxDestroy(b));  // stack: A (destroyed)
  check(cuCtxGetCurrent(&current));
  claim("the destroyed A is current", current == a);
  expect(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemAlloc(&memory, 16));
  check(cuCtxPopCurrent(&popped));  // stack: empty
  claim("the stack is empty once its dead entry is popped", popped == a);

  // step: retain
  // Each device has one primary context, made when it is first retained. Retaining makes nothing current.
  CUcontext primary = nullptr, again = nullptr;
  unsigned flags = 0;
  int active = 0;
  check(cuDevicePrimaryCtxGetState(device, &flags, &active));
  claim("the primary context is not active yet", active == 0);
  check(cuDevicePrimaryCtxRetain(&primary, device));  // stack: still empty
  check(cuDevicePrimaryCtxGetState(device, &flags, &active));
  claim("it is active now", active == 1);
  check(cuCtxGetCurrent(&current));
  claim("and yet no context is current", current == nullptr);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 100));

  // step: primary_current
  // Pushed, it is a context like any other, and everyone who retains it gets the same one.
  check(cuCtxPushCurrent(primary));  // stack: P0
  check(cuMemAlloc(&memory, 100));
  check(cuDevicePrimaryCtxRetain(&again, device));
  claim("a second retain gives the same context", again == primary);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(primary));

  // step: release
  // Two retains, two releases. Releasing never pops: that is done first, and separately.
  check(cuMemFree(memory));
  check(cuCtxPopCurrent(&popped));  // stack: empty
  check(cuDevicePrimaryCtxRelease(device));
  check(cuDevicePrimaryCtxGetState(device, &flags, &active));
  claim("one release of two: still active", active == 1);
  check(cuDevicePrimaryCtxRelease(device));
  check(cuDevicePrimaryCtxGetState(device, &flags, &active));
  claim("two of two: no longer active", active == 0);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(device));
}
