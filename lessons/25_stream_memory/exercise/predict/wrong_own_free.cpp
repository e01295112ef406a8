// Exercise 25, a wrong answer: each way to allocate is taken to have its own way to free.
#include <string>
#include <vector>

#include "check.hpp"

// Change this table only. Each answer is the number of a result: 0 for success, 1 for an invalid value.
const std::string answers[] = {
    // 1: what does cuMemAllocAsync return for a size of 0?
    "0",
    // 2: what does cuMemFreeAsync return for the address 0?
    "0",
    // 3: memory of cuMemAllocAsync, when its stream is done; what does cuMemFree return?
    "1",
    // 4: memory of cuMemAlloc; what does cuMemFreeAsync return?
    "1",
    // 5: and then cuMemFree, for the same address?
    "0",
    // 6: what does cuMemAllocFromPoolAsync return if the pool is a null pointer?
    "1",
    // 7: what does cuMemPoolDestroy return for the default pool?
    "1",
    // 8: and for another pool, of which memory is still in use?
    "0",
    // 9: the pool is destroyed; what does a copy from that memory return?
    "0",
    // 10: what does cuMemPoolExportToShareableHandle return for the default pool?
    "1",
};

int main() {
  constexpr std::size_t kBytes = 4096;
  std::vector<std::string> facts;
  const auto note = [&](CUresult result) { facts.push_back(std::to_string(result)); };
  CUcontext context = nullptr;
  CUdeviceptr plain = 0, ordered = 0;
  CUmemoryPool usual = nullptr, pool = nullptr;
  CUstream stream = nullptr;
  int descriptor = -1;
  unsigned char byte = 0;
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  check(cuDeviceGetDefaultMemPool(&usual, 0));

  note(cuMemAllocAsync(&ordered, 0, stream));
  note(cuMemFreeAsync(0, stream));

  check(cuMemAllocAsync(&ordered, kBytes, stream));
  check(cuStreamSynchronize(stream));
  note(cuMemFree(ordered));

  check(cuMemAlloc(&plain, kBytes));
  note(cuMemFreeAsync(plain, stream));
  check(cuStreamSynchronize(stream));
  note(cuMemFree(plain));

  note(cuMemAllocFromPoolAsync(&ordered, kBytes, nullptr, stream));
  note(cuMemPoolDestroy(usual));

  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  check(cuMemPoolCreate(&pool, &properties));
  check(cuMemAllocFromPoolAsync(&ordered, kBytes, pool, stream));
  check(cuStreamSynchronize(stream));
  note(cuMemPoolDestroy(pool));
  note(cuMemcpyDtoH(&byte, ordered, 1));
  check(cuMemFreeAsync(ordered, stream));

  note(cuMemPoolExportToShareableHandle(&descriptor, usual, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  check(cuStreamDestroy(stream));
  check(cuCtxDestroy(context));

  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (answers[i] == facts[i]) continue;
    std::printf("question %zu: you wrote %s; it is %s\n", i + 1, answers[i].c_str(), facts[i].c_str());
    return 1;
  }
  std::printf("all %zu answers are right\n", facts.size());
}
