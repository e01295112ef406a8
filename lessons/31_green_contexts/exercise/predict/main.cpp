// Exercise 31, to predict: what calls return that have to do with green contexts. Write your
// answers into the table before you run the program. It makes the calls, and
// prints the first answer that differs.
#include <string>
#include <vector>

#include "check.hpp"

// Change this table only. Each answer is a number: that of a result (0 for success, 915 and so on), a count,
// 1 for yes and 0 for no, or the value of flags.
const std::string answers[] = {
    // 1: two groups are asked for, each with all multiprocessors; what does the split return?
    "?",
    // 2: and how many groups has it made?
    "?",
    // 3: a group is split again; what does the split return?
    "?",
    // 4: no context exists; what does cuGreenCtxCreate return?
    "?",
    // 5: and is the primary context active after it?
    "?",
    // 6: a stream is created in the green context with CU_STREAM_DEFAULT; which flags does it have?
    "?",
    // 7: the resource of the green context is split; what does the split return?
    "?",
    // 8: what does cuCtxDestroy of the context of the green context return?
    "?",
    // 9: what does cuDevicePrimaryCtxReset return while there is a green context?
    "?",
    // 10: the green context is destroyed and still current; what does cuMemAlloc return?
    "?",
    // 11: the primary context is current; what does cuMemFree return for memory allocated before?
    "?",
};

int main() {
  constexpr CUdevResourceType kSm = CU_DEV_RESOURCE_TYPE_SM;
  std::vector<std::string> facts;
  const auto note = [&](auto value) { facts.push_back(std::to_string(value)); };
  CUdevResource all = {}, groups[2] = {}, part = {}, own = {};
  CUdevResourceDesc descriptor = nullptr;
  CUgreenCtx green = nullptr;
  CUcontext context = nullptr, primary = nullptr;
  CUstream stream = nullptr;
  CUdeviceptr memory = 0, more = 0;
  unsigned two = 2, one = 1, flags = 0;
  int active = 0;
  check(cuInit(0));
  check(cuDeviceGetDevResource(0, &all, kSm));

  note(cuDevSmResourceSplitByCount(groups, &two, &all, nullptr, 0, all.sm.smCount));
  note(two);
  note(cuDevSmResourceSplitByCount(&part, &one, &groups[0], nullptr, 0, 1));

  check(cuDevSmResourceSplitByCount(groups, &one, &all, nullptr, 0, 1));
  check(cuDevResourceGenerateDesc(&descriptor, &groups[0], 1));
  note(cuGreenCtxCreate(&green, descriptor, 0, CU_GREEN_CTX_DEFAULT_STREAM));
  check(cuDevicePrimaryCtxGetState(0, &flags, &active));
  note(active);

  check(cuCtxFromGreenCtx(&context, green));
  check(cuCtxSetCurrent(context));
  check(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  check(cuStreamGetFlags(stream, &flags));
  note(flags);
  check(cuStreamDestroy(stream));
  check(cuGreenCtxGetDevResource(green, &own, kSm));
  note(cuDevSmResourceSplitByCount(&part, &one, &own, nullptr, 0, 1));

  note(cuCtxDestroy(context));
  note(cuDevicePrimaryCtxReset(0));

  check(cuMemAlloc(&memory, 16));
  check(cuDevicePrimaryCtxRetain(&primary, 0));
  check(cuGreenCtxDestroy(green));
  note(cuMemAlloc(&more, 16));
  check(cuCtxSetCurrent(primary));
  note(cuMemFree(memory));
  check(cuCtxSetCurrent(nullptr));
  check(cuDevicePrimaryCtxRelease(0));

  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (answers[i] == facts[i]) continue;
    std::printf("question %zu: you wrote %s; it is %s\n", i + 1, answers[i].c_str(), facts[i].c_str());
    return 1;
  }
  std::printf("all %zu answers are right\n", facts.size());
}
