// Exercise 00, a wrong answer: the error stays, like one after which the process is broken.
#include <string>
#include <thread>
#include <vector>

#include "check_runtime.hpp"

// Change this table only. Each answer is a number: 0 for success, 2 for out of memory.
const std::string answers[] = {
    // 1: what does cudaMalloc of 1 PiB return?
    "2",
    // 2: and cudaPeekAtLastError after it?
    "2",
    // 3: then cudaMalloc of 64 bytes?
    "0",
    // 4: what does cudaGetLastError return now?
    "2",
    // 5: and cudaGetLastError again?
    "2",
    // 6: what does cuMemAlloc of 1 PiB return, a call of the driver?
    "2",
    // 7: and cudaGetLastError after it?
    "0",
    // 8: cudaMalloc of 1 PiB fails again; what does cudaGetLastError return on a new thread?
    "0",
    // 9: and then on the first thread?
    "2",
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
