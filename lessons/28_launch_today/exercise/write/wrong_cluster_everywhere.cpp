// Exercise 28, a wrong answer: it does not ask whether the device has clusters.
#include "check.hpp"

constexpr unsigned kThreads = 1024;

struct Wishes {
  bool cooperative = false;
  CUevent begun = nullptr;  // an event to be recorded when the blocks have begun; null: none
  unsigned cluster = 1;     // blocks of a cluster; 1: no clusters
};

// Launches `blocks` blocks of kThreads threads with cuLaunchKernelEx, in the default stream, and returns what
// the driver returns. Each wish is an attribute, and what is not wished is none. Clusters are a wish that
// only counts where the device has them.
CUresult launch(CUfunction function, unsigned blocks, void** arguments, const Wishes& wishes) {
  CUlaunchConfig config = {};
  config.gridDimX = blocks, config.blockDimX = kThreads;
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  CUlaunchAttribute list[3] = {};
  config.attrs = list;
  if (wishes.cooperative) {
    CUlaunchAttribute& attribute = list[config.numAttrs++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attribute.value.cooperative = 1;
  }
  if (wishes.begun != nullptr) {
    CUlaunchAttribute& attribute = list[config.numAttrs++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
    attribute.value.launchCompletionEvent.event = wishes.begun;
  }
  if (wishes.cluster > 1) {
    CUlaunchAttribute& attribute = list[config.numAttrs++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim.x = wishes.cluster;
    attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
  }
  return cuLaunchKernelEx(&config, function, arguments, nullptr);
}

int main() {
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction count = nullptr, meet = nullptr;
  CUdeviceptr total = 0;
  CUevent plain = nullptr, timed = nullptr;
  int held = 0, processors = 0;
  check(cuInit(0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&count, module, "count"));
  check(cuModuleGetFunction(&meet, module, "meet"));
  check(cuMemAlloc(&total, sizeof(unsigned)));
  check(cuEventCreate(&plain, CU_EVENT_DISABLE_TIMING));
  check(cuEventCreate(&timed, CU_EVENT_DEFAULT));
  check(cuOccupancyMaxActiveBlocksPerMultiprocessor(&held, meet, kThreads, 0));
  check(cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  const unsigned most = static_cast<unsigned>(held * processors);

  // Whether a launch succeeds, and the kernel counts to `expected`.
  const auto counts = [&](CUfunction function, unsigned blocks, const Wishes& wishes, unsigned expected) {
    unsigned value = 0;
    void* arguments[] = {&total};
    check(cuMemsetD32(total, 0, 1));
    const CUresult result = launch(function, blocks, arguments, wishes);
    check(cuMemcpyDtoH(&value, total, sizeof value));
    return result == CUDA_SUCCESS && value == expected;
  };
  void* arguments[] = {&total};
  claim("without a wish, four blocks count", counts(count, 4, {}, 4 * kThreads));
  claim("with a cluster of two as well, on every device", counts(count, 4, {.cluster = 2}, 4 * kThreads));
  claim("and with an event", counts(count, 4, {.begun = plain}, 4 * kThreads));
  check(cuEventSynchronize(plain));
  claim("an event that measures time is refused",
        launch(count, 4, arguments, {.begun = timed}) == CUDA_ERROR_NOT_SUPPORTED);
  claim("as many blocks as fit have met", counts(meet, most, {.cooperative = true}, most));
  claim("the wishes can be combined", counts(count, 2, {true, plain, 2}, 2 * kThreads));
  claim("twice as many blocks as fit are refused, with an event, too",
        launch(count, 2 * most, arguments, {true, plain, 1}) == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);

  for (CUevent one : {plain, timed}) check(cuEventDestroy(one));
  check(cuMemFree(total));
  check(cuModuleUnload(module));
  check(cuCtxDestroy(context));
}
