// Lesson 21: there are two default streams. The legacy one waits for all blocking streams of its context, and
// they wait for it. Each thread has a per-thread one. Which of the two a call without a stream uses.
#include <future>
#include <thread>

#include "check.hpp"

constexpr std::size_t kBytes = 64 * lesson::KiB;

// A gate is a number in pinned memory. A stream that waits for 1 there does no more work until the host
// writes the 1. A closed gate stays closed, so the program does not have to measure times. Closes the gate,
// and returns the address for the stream's wait.
CUdeviceptr closed(volatile unsigned* gate) {
  *gate = 0;
  return reinterpret_cast<CUdeviceptr>(gate);
}

constexpr unsigned kOpen = 1, kUntil = CU_STREAM_WAIT_VALUE_EQ;  // wait until it is 1

using MemsetAsync = CUresult (*)(CUdeviceptr, unsigned char, std::size_t, CUstream);

// Makes this thread's own default stream wait at the gate, and waits for the stream once the gate is open.
void other_thread(CUcontext context, volatile unsigned* gate, std::promise<void>* held,
                  std::future<void> opened) {
  check(cuCtxPushCurrent(context));
  check(cuStreamWaitValue32(CU_STREAM_PER_THREAD, closed(gate), kOpen, kUntil));
  held->set_value();
  opened.wait();
  check(cuStreamSynchronize(CU_STREAM_PER_THREAD));
  check(cuCtxPopCurrent(nullptr));
}

int main() {
  CUcontext context = nullptr;
  CUdevice device = 0;
  CUdeviceptr memory = 0;
  void* pinned = nullptr;
  CUstream blocking = nullptr, free_running = nullptr;
  const CUstream legacy = CU_STREAM_LEGACY, per_thread = CU_STREAM_PER_THREAD;

  // step: start
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));
  check(cuMemAlloc(&memory, kBytes));
  check(cuMemAllocHost(&pinned, sizeof(unsigned)));
  auto* const gate = static_cast<volatile unsigned*>(pinned);

  // step: streams
  // Each stream is used once: a GPU may load code at its first use, and that must not happen while a gate is
  // closed.
  check(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
  check(cuStreamCreate(&free_running, CU_STREAM_NON_BLOCKING));
  for (CUstream stream : {legacy, per_thread, blocking, free_running})
    check(cuMemsetD8Async(memory, 0, kBytes, stream));
  check(cuCtxSynchronize());

  // step: legacy_waits
  // The legacy stream has no other work. It waits only because the blocking stream waits at its gate.
  check(cuStreamWaitValue32(blocking, closed(gate), kOpen, kUntil));
  check(cuMemsetD8Async(memory, 1, kBytes, legacy));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(legacy));
  *gate = kOpen;
  check(cuCtxSynchronize());  // no stream is at the gate when the next step closes it

  // step: others_wait
  // The blocking stream also waits for the legacy stream.
  check(cuStreamWaitValue32(legacy, closed(gate), kOpen, kUntil));
  check(cuMemsetD8Async(memory, 2, kBytes, blocking));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(blocking));
  *gate = kOpen;
  check(cuCtxSynchronize());

  // step: non_blocking
  // The legacy stream does not wait for a stream that is created with CU_STREAM_NON_BLOCKING.
  check(cuStreamWaitValue32(free_running, closed(gate), kOpen, kUntil));
  check(cuMemsetD8Async(memory, 3, kBytes, legacy));
  check(cuStreamSynchronize(legacy));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(free_running));
  *gate = kOpen;
  check(cuStreamSynchronize(free_running));

  // step: per_thread
  // The per-thread default stream does not wait for a blocking stream either.
  check(cuStreamWaitValue32(blocking, closed(gate), kOpen, kUntil));
  check(cuMemsetD8Async(memory, 4, kBytes, per_thread));
  check(cuStreamSynchronize(per_thread));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(blocking));
  *gate = kOpen;
  check(cuStreamSynchronize(blocking));

  // step: both_defaults
  // But the per-thread default stream waits for the legacy default stream.
  check(cuStreamWaitValue32(legacy, closed(gate), kOpen, kUntil));
  check(cuMemsetD8Async(memory, 5, kBytes, per_thread));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(per_thread));
  *gate = kOpen;
  check(cuCtxSynchronize());

  // step: two_threads
  // The handle is the same in each thread, but it means another stream in each.
  std::promise<void> held, opened;
  check(cuStreamQuery(per_thread));  // this thread's stream has no work left
  std::thread other(other_thread, context, gate, &held, opened.get_future());
  held.get_future().wait();
  check(cuMemsetD8Async(memory, 6, kBytes, per_thread));
  check(cuStreamSynchronize(per_thread));
  claim("this thread's stream did not wait for the other thread's", *gate != kOpen);
  *gate = kOpen;
  opened.set_value();
  other.join();

  // step: null_stream
  // The stream is null. Which default stream this means depends on the function that the program has chosen.
  void *one = nullptr, *other_one = nullptr;
  check(cuGetProcAddress("cuMemsetD8Async", &one, 12000, CU_GET_PROC_ADDRESS_LEGACY_STREAM, nullptr));
  check(cuGetProcAddress("cuMemsetD8Async", &other_one, 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM,
                         nullptr));
  claim("one name, two functions", one != other_one);
  const auto with_legacy = reinterpret_cast<MemsetAsync>(one);
  const auto with_per_thread = reinterpret_cast<MemsetAsync>(other_one);
  check(cuStreamWaitValue32(blocking, closed(gate), kOpen, kUntil));
  check(with_per_thread(memory, 7, kBytes, nullptr));
  check(cuStreamSynchronize(per_thread));
  check(with_legacy(memory, 8, kBytes, nullptr));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(legacy));
  *gate = kOpen;
  check(cuCtxSynchronize());

  // step: end
  check(cuStreamDestroy(free_running));
  check(cuStreamDestroy(blocking));
  check(cuMemFreeHost(pinned));
  check(cuMemFree(memory));
  check(cuCtxDestroy(context));
}
