// Exercise 21, a wrong answer: "the legacy stream waits
// for every stream". It waits for blocking streams only.
#include <string>
#include <vector>

#include "check.hpp"

// Change this table only: "yes" or "no".
const std::string answers[] = {
    // The gate is closed in `first`. What is done while it is closed?
    // 1: a fill in `second`
    "yes",
    // 2: an event that was recorded in `first` after the gate
    "no",
    // 3: a fill in `legacy`
    "no",
    // 4: a fill in `second`, which was first made to wait for that event
    "no",
    // 5: `second` waits for an event that is done. Then `first` gets a gate, and the event is recorded there
    // again. Is a fill in `second` done while the gate is closed?
    "yes",
    // The gate is closed in `blocking`. What is done while it is closed?
    // 6: a fill in `per_thread`
    "yes",
    // 7: a fill in `legacy`
    "no",
    // Two streams fill the same memory: one with 1, and the other, whose call comes later, with 2.
    // Is the result always 2?
    // 8: `first`, then `second`
    "no",
    // 9: the same, but `second` waits for an event that is recorded in `first` after its fill
    "yes",
    // 10: `blocking`, then `legacy`
    "yes",
};

constexpr std::size_t kBytes = lesson::KiB;
constexpr unsigned kOpen = 1, kUntil = CU_STREAM_WAIT_VALUE_EQ;  // wait until it is 1

int main() {
  std::vector<std::string> facts;
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  void* pinned = nullptr;
  CUstream first = nullptr, second = nullptr, blocking = nullptr;
  const CUstream legacy = CU_STREAM_LEGACY, per_thread = CU_STREAM_PER_THREAD;
  CUevent event = nullptr;
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  check(cuMemAlloc(&memory, kBytes));
  check(cuMemAllocHost(&pinned, sizeof(unsigned)));
  check(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
  check(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
  check(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
  check(cuEventCreate(&event, CU_EVENT_DEFAULT));
  auto* const gate = static_cast<volatile unsigned*>(pinned);

  const auto fill = [&](CUstream stream, unsigned char value = 0) {
    check(cuMemsetD8Async(memory, value, kBytes, stream));
  };
  const auto close_gate_in = [&](CUstream stream) {
    *gate = 0;
    check(cuStreamWaitValue32(stream, reinterpret_cast<CUdeviceptr>(pinned), kOpen, kUntil));
  };
  const auto open_gate = [&] {
    *gate = kOpen;
    check(cuCtxSynchronize());
  };
  const auto note = [&](CUresult query) { facts.emplace_back(query == CUDA_SUCCESS ? "yes" : "no"); };

  // Each stream is used once before a gate is closed.
  for (CUstream stream : {legacy, per_thread, first, second, blocking}) fill(stream);
  check(cuEventRecord(event, first));
  check(cuCtxSynchronize());

  close_gate_in(first);
  fill(second);
  check(cuStreamSynchronize(second));
  note(cuStreamQuery(second));
  check(cuEventRecord(event, first));
  note(cuEventQuery(event));
  fill(legacy);
  check(cuStreamSynchronize(legacy));
  note(cuStreamQuery(legacy));
  check(cuStreamWaitEvent(second, event, CU_EVENT_WAIT_DEFAULT));
  fill(second);
  note(cuStreamQuery(second));
  open_gate();

  check(cuStreamWaitEvent(second, event, CU_EVENT_WAIT_DEFAULT));
  close_gate_in(first);
  check(cuEventRecord(event, first));
  fill(second);
  check(cuStreamSynchronize(second));
  note(cuStreamQuery(second));
  open_gate();

  close_gate_in(blocking);
  fill(per_thread);
  check(cuStreamSynchronize(per_thread));
  note(cuStreamQuery(per_thread));
  fill(legacy);
  note(cuStreamQuery(legacy));
  open_gate();

  // The two fills, with the gate in one of the two streams. `free` is the one that need not wait, if there is
  // one: its fill is done before the gate opens.
  const auto result = [&](CUstream one, CUstream two, bool ordered, CUstream gated, CUstream free) {
    unsigned char value = 0;
    close_gate_in(gated);
    fill(one, 1);
    if (ordered) check(cuEventRecord(event, one));
    if (ordered) check(cuStreamWaitEvent(two, event, CU_EVENT_WAIT_DEFAULT));
    fill(two, 2);
    if (free != nullptr) check(cuStreamSynchronize(free));
    open_gate();
    check(cuMemcpyDtoH(&value, memory, 1));
    return value;
  };
  // Both times the calls come in the same order. Only the gate is in another stream.
  const auto note_always = [&](unsigned char once, unsigned char again) {
    facts.emplace_back(once == 2 && again == 2 ? "yes" : "no");
  };
  note_always(result(first, second, false, first, second), result(first, second, false, second, first));
  note_always(result(first, second, true, first, nullptr), result(first, second, true, second, first));
  note_always(result(blocking, legacy, false, blocking, nullptr),
              result(blocking, legacy, false, legacy, nullptr));

  check(cuEventDestroy(event));
  for (CUstream stream : {first, second, blocking}) check(cuStreamDestroy(stream));
  check(cuMemFreeHost(pinned));
  check(cuMemFree(memory));
  check(cuCtxDestroy(context));

  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (answers[i] == facts[i]) continue;
    std::printf("question %zu: you wrote %s; it is %s\n", i + 1, answers[i].c_str(), facts[i].c_str());
    return 1;
  }
  std::printf("all %zu answers are right\n", facts.size());
}
