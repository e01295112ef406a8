// Exercise 28, a wrong answer: 48 KiB are taken for dynamic shared memory alone.
#include <string>
#include <vector>

#include "check.hpp"

// Change this table only. Each answer is a number: of a result (0 for success), or of blocks.
const std::string answers[] = {
    // 1: `bounded` is compiled for at most 128 threads; what does a launch with 256 return?
    "1",
    // 2: `tile` declares 1 KiB of shared memory; what does a launch with 48 KiB of dynamic memory return?
    "0",
    // 3: `count` declares none; what does the same launch of it return?
    "0",
    // 4: how many blocks of question 2 does a multiprocessor hold, as the driver says?
    "1",
    // 5: and of question 1? Write 0 for none, 1 for some.
    "1",
    // 6: the limit of dynamic shared memory of `count` is set to 0; what does a launch with 4 bytes return?
    "1",
    // 7: `count` is launched with one block more than fit at the same time; what does the launch return?
    "0",
    // 8: and with CU_LAUNCH_ATTRIBUTE_COOPERATIVE?
    "720",
    // 9: what does a launch return whose only attribute is CU_LAUNCH_ATTRIBUTE_IGNORE?
    "0",
    // 10: and one with a numAttrs of 1, and a null pointer as attrs?
    "1",
    // 11: the completion event is a null pointer; what does the launch return?
    "400",
    // 12: and if the event measures time?
    "801",
};

constexpr unsigned kUsual = 48 * 1024;
constexpr CUfunction_attribute kLimit = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;

int main() {
  std::vector<std::string> facts;
  const auto note = [&](int fact) { facts.push_back(std::to_string(fact)); };
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction bounded = nullptr, tile = nullptr, count = nullptr;
  CUdeviceptr total = 0;
  CUevent timed = nullptr;
  unsigned bytes = kUsual;
  void *to_total[] = {&total}, *to_tile[] = {&total, &bytes};
  int held = 0, processors = 0;
  check(cuInit(0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&bounded, module, "bounded"));
  check(cuModuleGetFunction(&tile, module, "tile"));
  check(cuModuleGetFunction(&count, module, "count"));
  check(cuMemAlloc(&total, sizeof(unsigned)));
  check(cuEventCreate(&timed, CU_EVENT_DEFAULT));

  CUlaunchAttribute attribute = {};
  CUlaunchConfig config = {};
  config.gridDimX = config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.blockDimX = 256;
  note(cuLaunchKernelEx(&config, bounded, to_total, nullptr));
  config.sharedMemBytes = kUsual;
  note(cuLaunchKernelEx(&config, tile, to_tile, nullptr));
  note(cuLaunchKernelEx(&config, count, to_total, nullptr));
  check(cuOccupancyMaxActiveBlocksPerMultiprocessor(&held, tile, 256, kUsual));
  note(held);
  check(cuOccupancyMaxActiveBlocksPerMultiprocessor(&held, bounded, 256, 0));
  note(held > 0 ? 1 : 0);
  check(cuFuncSetAttribute(count, kLimit, 0));
  config.sharedMemBytes = 4;
  note(cuLaunchKernelEx(&config, count, to_total, nullptr));

  check(cuOccupancyMaxActiveBlocksPerMultiprocessor(&held, count, 256, 0));
  check(cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  config.gridDimX = static_cast<unsigned>(held * processors) + 1, config.sharedMemBytes = 0;
  note(cuLaunchKernelEx(&config, count, to_total, nullptr));
  attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, attribute.value.cooperative = 1;
  config.attrs = &attribute, config.numAttrs = 1;
  note(cuLaunchKernelEx(&config, count, to_total, nullptr));
  attribute.id = CU_LAUNCH_ATTRIBUTE_IGNORE;
  note(cuLaunchKernelEx(&config, count, to_total, nullptr));
  config.attrs = nullptr;
  note(cuLaunchKernelEx(&config, count, to_total, nullptr));
  config.attrs = &attribute;
  attribute.id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
  attribute.value.launchCompletionEvent.event = nullptr;
  note(cuLaunchKernelEx(&config, count, to_total, nullptr));
  attribute.value.launchCompletionEvent.event = timed;
  note(cuLaunchKernelEx(&config, count, to_total, nullptr));
  check(cuCtxDestroy(context));

  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (answers[i] == facts[i]) continue;
    std::printf("question %zu: you wrote %s; it is %s\n", i + 1, answers[i].c_str(), facts[i].c_str());
    return 1;
  }
  std::printf("all %zu answers are right\n", facts.size());
}
