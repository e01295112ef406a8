// Exercise 24, a wrong answer: only calls on the capturing stream are forbidden.
#include <string>
#include <vector>

#include "check.hpp"

// Change this table only. Each answer is the number of a result: 0 for success, 900 and so on.
const std::string answers[] = {
    // 1: a stream captures in global mode; what does cuMemAlloc return?
    "900",
    // 2: and then the end of this capture?
    "901",
    // 3: a stream captures in relaxed mode; what does cuMemAlloc return?
    "0",
    // 4: and then the end of this capture?
    "0",
    // 5: an event was recorded in a capture; what does cuEventQuery return?
    "907",
    // 6: a stream captures; what does a second cuStreamBeginCapture on it return?
    "401",
    // 7: and then the end of this capture?
    "0",
    // 8: what does cuStreamBeginCapture on the legacy stream return?
    "900",
    // 9: a stream captures in global mode; what does cuStreamQuery of another stream return?
    "0",
    // 10: and in relaxed mode?
    "0",
};

int main() {
  constexpr CUstreamCaptureMode kGlobal = CU_STREAM_CAPTURE_MODE_GLOBAL,
                                kRelaxed = CU_STREAM_CAPTURE_MODE_RELAXED;
  std::vector<std::string> facts;
  const auto note = [&](CUresult result) { facts.push_back(std::to_string(result)); };
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  CUstream stream = nullptr, other = nullptr;
  CUevent event = nullptr;
  CUgraph graph = nullptr;
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  for (CUstream* one : {&stream, &other}) check(cuStreamCreate(one, CU_STREAM_NON_BLOCKING));
  check(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));

  check(cuStreamBeginCapture(stream, kGlobal));
  note(cuMemAlloc(&memory, 16));
  note(cuStreamEndCapture(stream, &graph));

  check(cuStreamBeginCapture(stream, kRelaxed));
  note(cuMemAlloc(&memory, 16));
  note(cuStreamEndCapture(stream, &graph));

  check(cuStreamBeginCapture(stream, kGlobal));
  check(cuEventRecord(event, stream));
  note(cuEventQuery(event));
  expect(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));

  check(cuStreamBeginCapture(stream, kGlobal));
  note(cuStreamBeginCapture(stream, kGlobal));
  note(cuStreamEndCapture(stream, &graph));
  note(cuStreamBeginCapture(nullptr, kGlobal));

  check(cuStreamBeginCapture(stream, kGlobal));
  note(cuStreamQuery(other));
  expect(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
  check(cuStreamBeginCapture(stream, kRelaxed));
  note(cuStreamQuery(other));
  check(cuStreamEndCapture(stream, &graph));
  check(cuCtxDestroy(context));

  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (answers[i] == facts[i]) continue;
    std::printf("question %zu: you wrote %s; it is %s\n", i + 1, answers[i].c_str(), facts[i].c_str());
    return 1;
  }
  std::printf("all %zu answers are right\n", facts.size());
}
