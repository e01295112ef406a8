// Exercise 00, to predict: which error does each call return, and when does the
// runtime forget one? Write your answers into the table before you run the
// program. It makes the calls, and prints the first answer that differs.
#include <string>
#include <thread>
#include <vector>

#include "check_runtime.hpp"

// Change this table only. Each answer is a number: 0 for success, 2 for out of memory.
const std::string answers[] = {
    // 1: what does cudaMalloc of 1 PiB return?
    "?",
    // 2: and cudaPeekAtLastError after it?
    "?",
    // 3: then cudaMalloc of 64 bytes?
    "?",
    // 4: what does cudaGetLastError return now?
    "?",
    // 5: and cudaGetLastError again?
    "?",
    // 6: what does cuMemAlloc of 1 PiB return, a call of the driver?
    "?",
    // 7: and cudaGetLastError after it?
    "?",
    // 8: cudaMalloc of 1 PiB fails again; what does cudaGetLastError return on a new thread?
    "?",
    // 9: and then on the first thread?
    "?",
};

int main() {
  constexpr std::size_t kTooMuch = std::size_t{1} << 50;
  std::vector<std::string> facts;
  const auto note = [&](int result) { facts.push_back(std::to_string(result)); };
  void *huge = nullptr, *memory = nullptr;
  CUdeviceptr of_driver = 0;

  note(cudaMalloc(&huge, kTooMuch));
  note(cudaPeekAtLastError());
  note(cudaMalloc(&memory, 64));
  note(cudaGetLastError());
  note(cudaGetLastError());
  note(cuMemAlloc(&of_driver, kTooMuch));
  note(cudaGetLastError());
  if (cudaMalloc(&huge, kTooMuch) == cudaSuccess) return 1;
  std::thread([&] { note(cudaGetLastError()); }).join();
  note(cudaGetLastError());
  check(cudaFree(memory));

  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (answers[i] == facts[i]) continue;
    std::printf("question %zu: you wrote %s; it is %s\n", i + 1, answers[i].c_str(), facts[i].c_str());
    return 1;
  }
  std::printf("all %zu answers are right\n", facts.size());
}
