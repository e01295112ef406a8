// Exercise 15, a wrong answer: "the driver knows only the addresses that
// it has returned". It finds the allocation for every address inside.
#include <string>
#include <vector>

#include "check.hpp"

struct Answer {
  std::string type;   // "device" or "host"; "unknown" if cuPointerGetAttribute returns an error
  std::string owner;  // "A" or "B" for device memory; otherwise "none"
};

// Change this table only.
const Answer answers[] = {
    // 1: memory from cuMemAlloc, allocated while A was current
    {"device", "A"},
    // 2: memory from cuMemAlloc, allocated while B was current
    {"device", "B"},
    // 3: an address in the middle of the memory of 2
    {"unknown", "none"},
    // 4: memory from cuMemAllocHost, which allocates host memory and pins it
    {"host", "none"},
    // 5: an array of this program, on its stack
    {"unknown", "none"},
    // 6: memory from cuMemAlloc that has been freed; the variable still holds the address
    {"unknown", "none"},
};

int main() {
  CUcontext a = nullptr, b = nullptr;
  CUdeviceptr of_a = 0, of_b = 0, freed = 0;
  void* pinned = nullptr;
  int array[16] = {};
  check(cuInit(0));
  check(create_context(&a, 0, 0));
  check(cuMemAlloc(&of_a, lesson::KiB));
  check(cuMemAlloc(&freed, lesson::KiB));
  check(create_context(&b, 0, 0));  // stack: A, B
  check(cuMemAlloc(&of_b, lesson::KiB));
  check(cuMemAllocHost(&pinned, lesson::KiB));
  check(cuMemFree(freed));

  // All six questions are asked while B is current.
  const CUdeviceptr addresses[] = {
      of_a,  of_b, of_b + 512, reinterpret_cast<CUdeviceptr>(pinned), reinterpret_cast<CUdeviceptr>(array),
      freed,
  };
  std::vector<Answer> facts;
  for (const CUdeviceptr address : addresses) {
    Answer& fact = facts.emplace_back(Answer{"unknown", "none"});
    unsigned type = 0;
    CUcontext owner = nullptr;
    if (cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) != CUDA_SUCCESS) continue;
    fact.type = type == CU_MEMORYTYPE_DEVICE ? "device" : "host";
    if (type != CU_MEMORYTYPE_DEVICE) continue;
    check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, address));
    fact.owner = owner == a ? "A" : "B";
  }

  check(cuMemFreeHost(pinned));
  check(cuMemFree(of_b));
  check(cuCtxDestroy(b));
  check(cuMemFree(of_a));
  check(cuCtxDestroy(a));

  for (std::size_t i = 0; i < facts.size(); ++i) {
    const Answer &fact = facts[i], &answer = answers[i];
    if (answer.type == fact.type && answer.owner == fact.owner) continue;
    std::printf("question %zu: you wrote %s, %s; the driver says %s, %s\n", i + 1, answer.type.c_str(),
                answer.owner.c_str(), fact.type.c_str(), fact.owner.c_str());
    return 1;
  }
  std::printf("all %zu answers are right\n", facts.size());
}
