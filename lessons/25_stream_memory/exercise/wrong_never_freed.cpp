// Exercise 25, a wrong answer: the memory is never freed.
#include <chrono>
#include <thread>

#include "check.hpp"

constexpr std::size_t kBytes = 4096;

namespace relay {

CUevent filled = nullptr;

void open() {
  check(cuEventCreate(&filled, CU_EVENT_DISABLE_TIMING));
}

// One round: `first` fills new memory with the value, and `second` copies it to `to`. Waits for nothing.
void round(CUstream first, CUstream second, unsigned char value, void* to) {
  CUdeviceptr memory = 0;
  check(cuMemAllocAsync(&memory, kBytes, first));
  check(cuMemsetD8Async(memory, value, kBytes, first));
  check(cuEventRecord(filled, first));
  check(cuStreamWaitEvent(second, filled, CU_EVENT_WAIT_DEFAULT));
  check(cuMemcpyDtoHAsync(to, memory, kBytes, second));
}

void close() {
  check(cuEventDestroy(filled));
}

}  // namespace relay

int main() {
  CUcontext context = nullptr;
  CUmemoryPool pool = nullptr;
  CUdeviceptr memory = 0;
  void *for_gate = nullptr, *for_results = nullptr;
  CUstream first = nullptr, second = nullptr;
  cuuint64_t threshold = UINT64_MAX;
  check(cuInit(0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  check(cuDeviceGetDefaultMemPool(&pool, 0));
  check(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  check(cuMemAlloc(&memory, kBytes));
  check(cuMemAllocHost(&for_gate, sizeof(unsigned)));
  check(cuMemAllocHost(&for_results, 2 * kBytes));
  auto* const gate = static_cast<volatile unsigned*>(for_gate);
  auto* const results = static_cast<unsigned char*>(for_results);
  for (CUstream* stream : {&first, &second}) {
    check(cuStreamCreate(stream, CU_STREAM_NON_BLOCKING));
    check(cuMemsetD8Async(memory, 0, kBytes, *stream));
    check(cuMemcpyDtoHAsync(results, memory, kBytes, *stream));
  }
  check(cuCtxSynchronize());

  relay::open();
  *gate = 0;
  check(cuStreamWaitValue32(second, reinterpret_cast<CUdeviceptr>(for_gate), 1, CU_STREAM_WAIT_VALUE_EQ));
  relay::round(first, second, 1, results);
  relay::round(first, second, 2, results + kBytes);
  // What does not wait for the gate is done long before this second is over.
  std::this_thread::sleep_for(std::chrono::seconds(1));
  *gate = 1;
  check(cuCtxSynchronize());
  claim("the first copy has read what the first round filled", results[0] == 1);
  claim("and the second copy what the second round filled", results[kBytes] == 2);
  relay::close();

  for (CUstream stream : {first, second}) check(cuStreamDestroy(stream));
  for (void* pinned : {for_results, for_gate}) check(cuMemFreeHost(pinned));
  check(cuMemFree(memory));
  check(cuCtxDestroy(context));
}
