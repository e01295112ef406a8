// Exercise 29, a wrong answer: it takes the text that is right for one device, without asking this one.
#include <vector>

#include "check.hpp"

struct Text {
  int architecture;
  std::string ptx;
};

namespace choosing {

// Returns the text to load: of those that this device can run, the one for the latest architecture.
const Text& best_of(const std::vector<Text>& texts, CUdevice device) {
  (void)device;
  const Text* best = &texts.front();
  for (const Text& text : texts)
    if (text.architecture == 80) best = &text;
  return *best;
}

}  // namespace choosing

int main() {
  CUcontext context = nullptr;
  CUdevice device = 0;
  CUmodule module = nullptr;
  CUfunction answer = nullptr;
  CUdeviceptr memory = 0;
  int major = 0, latest = 0, target = 0, number = 0;
  void* arguments[] = {&memory};
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  latest = major < 8 ? 75 : 80;  // of the texts below
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));
  check(cuMemAlloc(&memory, sizeof number));

  const std::string for_75 = lesson::text_of(lesson::beside_program("answer_75.ptx")),
                    for_80 = lesson::text_of(lesson::beside_program("answer_80.ptx"));
  std::string for_999 = for_75;
  for_999.replace(for_999.find("sm_75"), 5, "sm_999");
  const std::vector<Text> texts = {{75, for_75}, {999, for_999}, {80, for_80}};

  check(cuModuleLoadData(&module, choosing::best_of(texts, device).ptx.c_str()));
  check(cuModuleGetFunction(&answer, module, "answer"));
  check(cuFuncGetAttribute(&target, CU_FUNC_ATTRIBUTE_PTX_VERSION, answer));
  claim("the latest text that fits is loaded", target == latest);
  check(cuLaunchKernel(answer, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  check(cuMemcpyDtoH(&number, memory, sizeof number));
  claim("and its kernel runs", number == latest);

  check(cuModuleUnload(module));
  check(cuMemFree(memory));
  check(cuCtxDestroy(context));
}
