// Exercise 18, a wrong answer: "cudaSetDevice pushes, so a pop
// brings A back". It replaces the top: A is no longer on the stack.
#include <string>
#include <thread>
#include <vector>

#include "check_runtime.hpp"

// Change this table only: "none" for no context, "P" for the primary context of device 0, "A" for the
// program's own context.
const std::string answers[] = {
    // 1: which context is current after cudaGetDeviceCount?
    "none",
    // 2: and after cudaFree(nullptr), while no context is current?
    "P",
    // 3: A has been created; which context is current after cudaMalloc?
    "A",
    // 4: which context owns the memory from 3?
    "A",
    // 5: which context is current after cudaSetDevice(0)?
    "P",
    // 6: and after one cuCtxPopCurrent?
    "A",
    // 7: which context is current on a new thread?
    "none",
    // 8: and on that thread after cudaGetDevice?
    "none",
    // 9: and on that thread after cudaMalloc?
    "P",
    // 10: which context is current on the first thread after cudaDeviceReset?
    "P",
};

int main() {
  std::vector<std::string> facts;
  CUcontext primary = nullptr, a = nullptr, owner = nullptr;
  void *memory = nullptr, *of_thread = nullptr;
  int devices = 0;
  const auto name_of = [&](CUcontext context) {
    return context == nullptr ? "none" : context == primary ? "P" : "A";
  };
  const auto note_current = [&] {
    CUcontext current = nullptr;
    check(cuCtxGetCurrent(&current));
    facts.emplace_back(name_of(current));
  };
  check(cuInit(0));
  check(cuDevicePrimaryCtxRetain(&primary, 0));  // only to know its handle
  check(cuDevicePrimaryCtxRelease(0));

  check(cudaGetDeviceCount(&devices));
  note_current();
  check(cudaFree(nullptr));
  note_current();
  check(create_context(&a, 0, 0));
  check(cudaMalloc(&memory, 64));
  note_current();
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, reinterpret_cast<CUdeviceptr>(memory)));
  facts.emplace_back(name_of(owner));
  check(cudaFree(memory));
  check(cudaSetDevice(0));
  note_current();
  check(cuCtxPopCurrent(nullptr));
  note_current();

  std::thread other([&] {
    int device = -1;
    note_current();
    check(cudaGetDevice(&device));
    note_current();
    check(cudaMalloc(&of_thread, 64));
    note_current();
    check(cudaFree(of_thread));
  });
  other.join();

  check(cuCtxDestroy(a));
  check(cudaDeviceReset());
  note_current();
  check(cuCtxPopCurrent(nullptr));

  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (answers[i] == facts[i]) continue;
    std::printf("question %zu: you wrote %s; it is %s\n", i + 1, answers[i].c_str(), facts[i].c_str());
    return 1;
  }
  std::printf("all %zu answers are right\n", facts.size());
}
