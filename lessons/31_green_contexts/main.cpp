// Lesson 31: kernels of a green context use only some multiprocessors of a device. How these are divided,
// which kernel runs where, what a green context shares with the primary context, and what its end leaves.
#include "check.hpp"
#include "places.h"

#if CUDA_VERSION < 12050  // CUDA 12.4 has green contexts, but its header does not declare this function
extern "C" CUresult cuGreenCtxStreamCreate(CUstream*, CUgreenCtx, unsigned int, int);
#endif

constexpr CUdevResourceType kSm = CU_DEV_RESOURCE_TYPE_SM;  // multiprocessors

int main() {
  CUdevResource all = {}, groups[2] = {}, rest = {}, other = {};
  CUdevResourceDesc descriptors[2] = {};
  CUgreenCtx greens[2] = {}, twin = nullptr, found = nullptr;
  CUcontext primary = nullptr, context = nullptr, current = nullptr, owner = nullptr;
  CUstream streams[2] = {}, of_twin = nullptr;
  CUevent done = nullptr;
  CUdeviceptr memory = 0;
  int count = 0, active = 0;
  unsigned flags = 0, fitting = 0, two = 2, one = 1, value = 0;

  // step: resource
  // The multiprocessors are a resource of the device. No context is needed to ask for it.
  check(cuInit(0));
  check(cuDeviceGetAttribute(&count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  check(cuDeviceGetDevResource(0, &all, kSm));
  claim("the resource has all multiprocessors", all.sm.smCount == static_cast<unsigned>(count));

  // step: split
  // Groups with at least one multiprocessor each: first only counted, then two of them.
  check(cuDevSmResourceSplitByCount(nullptr, &fitting, &all, nullptr, 0, 1));
  check(cuDevSmResourceSplitByCount(groups, &two, &all, &rest, 0, 1));
  const unsigned size = groups[0].sm.smCount;
  std::printf("%u of %u in a group, %u groups fit, %u left after two\n", size, all.sm.smCount, fitting,
              rest.sm.smCount);
  claim("two groups of the same size were made", two == 2 && groups[1].sm.smCount == size);
  claim("groups and rest are the whole device", 2 * size + rest.sm.smCount == all.sm.smCount);

  // step: wrong_split
  // More than there are; a group, which is not split again; a resource that the program has changed.
  expect(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION,
         cuDevSmResourceSplitByCount(&other, &one, &all, nullptr, 0, all.sm.smCount + 1));
  expect(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION,
         cuDevSmResourceSplitByCount(&other, &one, &groups[0], nullptr, 0, 1));
  other = all, other.sm.smCount = size;
  expect(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, cuDevResourceGenerateDesc(descriptors, &other, 1));

  // step: create
  for (int i : {0, 1}) check(cuDevResourceGenerateDesc(&descriptors[i], &groups[i], 1));
  expect(CUDA_ERROR_INVALID_VALUE, cuGreenCtxCreate(&greens[0], descriptors[0], 0, 0));
  for (int i : {0, 1}) check(cuGreenCtxCreate(&greens[i], descriptors[i], 0, CU_GREEN_CTX_DEFAULT_STREAM));
  check(cuDevicePrimaryCtxGetState(0, &flags, &active));
  check(cuCtxGetCurrent(&current));
  claim("the primary context is active, and no context is current", active == 1 && current == nullptr);

  // step: primary
  // The kernels are loaded once, into P0. They know nothing of green contexts.
  check(cuDevicePrimaryCtxRetain(&primary, 0));
  check(cuCtxSetCurrent(primary));  // stack: P0
  check(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
  places_open(lesson::beside_program("kernels.ptx").c_str());

  // step: streams
  expect(CUDA_ERROR_INVALID_VALUE, cuGreenCtxStreamCreate(&of_twin, greens[0], CU_STREAM_DEFAULT, 0));
  for (int i : {0, 1}) check(cuGreenCtxStreamCreate(&streams[i], greens[i], CU_STREAM_NON_BLOCKING, 0));
  check(cuStreamGetGreenCtx(streams[0], &found));
  claim("the stream belongs to the first green context", found == greens[0]);

  // step: two_sets
  // P0 is current, but the stream of a launch decides where its kernel runs.
  check(cuGreenCtxGetDevResource(greens[0], &other, kSm));
  const Places first = places_run(streams[0], other.sm.smCount), second = places_run(streams[1], size);
  claim("each kernel ran on all multiprocessors of its group", first.count == size && second.count == size);
  claim("and no multiprocessor ran both kernels", places_in_common(&first, &second) == 0);
  expect(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, places_hold(streams[0], size + 1));

  // step: not_reserved
  // P0 still has all multiprocessors.
  check(cuCtxGetDevResource(primary, &other, kSm));
  const Places of_p0 = places_run(nullptr, other.sm.smCount);
  claim("the kernel ran on the whole device", of_p0.count == all.sm.smCount);
  claim("so it also ran on the first group", places_in_common(&of_p0, &first) == size);

  // step: twin
  // A third green context, of the first group again. No call fails.
  check(cuGreenCtxCreate(&twin, descriptors[0], 0, CU_GREEN_CTX_DEFAULT_STREAM));
  check(cuGreenCtxStreamCreate(&of_twin, twin, CU_STREAM_NON_BLOCKING, 0));
  const Places same = places_run(of_twin, size);
  claim("it has no multiprocessor of its own", places_in_common(&same, &first) == size);
  check(cuStreamDestroy(of_twin));
  check(cuGreenCtxDestroy(twin));

  // step: at_once
  // The first group is full, and its kernel waits. The urgent kernel has the second group.
  check(cuStreamQuery(streams[0]));
  places_launch_urgent(streams[1]);
  check(places_hold(streams[0], size));
  places_launch_urgent(streams[1]);
  check(cuStreamSynchronize(streams[1]));
  claim("the urgent kernel is done, on the second group", second.used[places_of_urgent()] == 1);
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(streams[0]));

  // step: events
  // The event comes after all work of the first green context. All later work of the second one waits for it.
  check(cuGreenCtxRecordEvent(greens[0], done));
  check(cuGreenCtxWaitEvent(greens[1], done));
  places_launch_urgent(streams[1]);
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(streams[1]));
  places_release();
  check(cuStreamSynchronize(streams[1]));
  check(cuEventQuery(done));

  // step: current
  // The context of a green context becomes current like any other. Code and memory are those of P0.
  check(cuCtxFromGreenCtx(&context, greens[0]));
  check(cuCtxSetCurrent(context));  // stack: A
  const Places of_a = places_run(nullptr, size);
  claim("the null stream uses the first group", places_in_common(&of_a, &first) == size);
  check(cuMemAlloc(&memory, sizeof value));
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  claim("memory that was allocated in A belongs to P0", owner == primary);

  // step: destroy
  // The second one ends before its stream. The first one ends while its context is current.
  check(cuGreenCtxDestroy(greens[1]));
  claim("the stream that was left can no longer be used", cuStreamQuery(streams[1]) != CUDA_SUCCESS);
  check(cuStreamDestroy(streams[0]));
  check(cuGreenCtxDestroy(greens[0]));
  expect(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());

  // step: end
  // P0 still exists, with everything that was allocated and loaded.
  check(cuCtxSetCurrent(primary));  // stack: P0
  check(cuMemsetD32(memory, 7, 1));
  check(cuMemcpyDtoH(&value, memory, sizeof value));
  claim("the memory that was allocated in A can be used", value == 7);
  check(cuMemFree(memory));
  check(cuEventDestroy(done));
  places_close();
  check(cuCtxSetCurrent(nullptr));  // stack: empty
  check(cuDevicePrimaryCtxRelease(0));
  check(cuDevicePrimaryCtxGetState(0, &flags, &active));
  claim("each green context has released the primary context", active == 0);
}
