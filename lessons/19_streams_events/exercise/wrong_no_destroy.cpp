// Exercise 19, a wrong answer: it works, but the event is never destroyed.
#include <chrono>
#include <thread>

#include "check.hpp"

constexpr std::size_t kBytes = 64;

namespace pipeline {

CUevent filled = nullptr;

void open() {
  check(cuEventCreate(&filled, CU_EVENT_DISABLE_TIMING));
}

// Returns at once, while the producer waits at its gate.
void enqueue(CUstream producer, CUstream consumer, CUdeviceptr memory, void* result) {
  check(cuMemsetD8Async(memory, 42, kBytes, producer));
  check(cuEventRecord(filled, producer));
  check(cuStreamWaitEvent(consumer, filled, CU_EVENT_WAIT_DEFAULT));
  check(cuMemcpyDtoHAsync(result, memory, kBytes, consumer));
}

void close() {}

}  // namespace pipeline

int main() {
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  void *for_gate = nullptr, *for_result = nullptr;
  CUstream producer = nullptr, consumer = nullptr;
  check(cuInit(0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  check(cuMemAlloc(&memory, kBytes));
  check(cuMemsetD8(memory, 0, kBytes));
  check(cuMemAllocHost(&for_gate, sizeof(unsigned)));
  check(cuMemAllocHost(&for_result, kBytes));
  for (CUstream* stream : {&producer, &consumer}) {
    check(cuStreamCreate(stream, CU_STREAM_NON_BLOCKING));
    check(cuMemcpyDtoHAsync(for_result, memory, kBytes, *stream));
  }
  pipeline::open();
  check(cuCtxSynchronize());

  auto* const gate = static_cast<volatile unsigned*>(for_gate);
  *gate = 0;
  check(cuStreamWaitValue32(producer, reinterpret_cast<CUdeviceptr>(for_gate), 1, CU_STREAM_WAIT_VALUE_EQ));
  pipeline::enqueue(producer, consumer, memory, for_result);
  // A copy that does not wait for the gate is done long before this second is over.
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const CUresult before = cuStreamQuery(consumer);
  *gate = 1;
  claim("the consumer waits for the producer", before == CUDA_ERROR_NOT_READY);
  check(cuStreamSynchronize(producer));
  check(cuStreamSynchronize(consumer));
  claim("the copy ran after the fill", *static_cast<volatile unsigned char*>(for_result) == 42);

  pipeline::close();
  for (CUstream stream : {producer, consumer}) check(cuStreamDestroy(stream));
  for (void* pinned : {for_gate, for_result}) check(cuMemFreeHost(pinned));
  check(cuMemFree(memory));
  check(cuCtxDestroy(context));
}
