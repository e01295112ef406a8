// Lesson 21: there are two default streams. The legacy one waits for nearly everybody and everybody for it;
// the per-thread one is a stream of each thread's own. Which of them a call means when it is given no stream.
#include <future>
#include <thread>

#include "check.hpp"

constexpr std::size_t kBytes = 64 * lesson::KiB;

// A gate is a number in pinned memory. A stream that waits for it to be 1 does nothing more until the host
// opens it: no time is measured here, for a closed gate stays closed. Returns the address that a stream
// wants.
CUdeviceptr closed(volatile unsigned* gate) {
  *gate = 0;
  return reinterpret_cast<CUdeviceptr>(gate);
}

constexpr unsigned kOpen = 1, kUntil = CU_STREAM_WAIT_VALUE_EQ;  // wait until it is 1

using MemsetAsync = CUresult (*)(CUdeviceptr, unsigned char, std::size_t, CUstream);

// Holds up this thread's own default stream, and waits for it once it may go on.
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
  // Each is used once: a GPU may fetch code at the first use of it, and must not have to wait behind a gate
  // then.
  check(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
  check(cuStreamCreate(&free_running, CU_STREAM_NON_BLOCKING));
  for (CUstream stream : {legacy, per_thread, blocking, free_running})
    check(cuMemsetD8Async(memory, 0, kBytes, stream));
  check(cuCtxSynchronize());

  // step: legacy_waits
  // The legacy stream has nothing before it but the other stream's gate. That is enough.
  check(cuStreamWaitValue32(blocking, closed(gate), kOpen, kUntil));
  check(cuMemsetD8Async(memory, 1, kBytes, legacy));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(legacy));
  *gate = kOpen;
  check(cuStreamSynchronize(legacy));

  // step: others_wait
  // And the other way round.
  check(cuStreamWaitValue32(legacy, closed(gate), kOpen, kUntil));
  check(cuMemsetD8Async(memory, 2, kBytes, blocking));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(blocking));
  *gate = kOpen;
  check(cuStreamSynchronize(blocking));

  // step: non_blocking
  // A stream that was made not to take part in this.
  check(cuStreamWaitValue32(free_running, closed(gate), kOpen, kUntil));
  check(cuMemsetD8Async(memory, 3, kBytes, legacy));
  check(cuStreamSynchronize(legacy));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(free_running));
  *gate = kOpen;
  check(cuStreamSynchronize(free_running));

  // step: per_thread
  // The other default stream does not wait for a blocking stream either.
  check(cuStreamWaitValue32(blocking, closed(gate), kOpen, kUntil));
  check(cuMemsetD8Async(memory, 4, kBytes, per_thread));
  check(cuStreamSynchronize(per_thread));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(blocking));
  *gate = kOpen;
  check(cuStreamSynchronize(blocking));

  // step: both_defaults
  // But the two default streams wait for each other.
  check(cuStreamWaitValue32(legacy, closed(gate), kOpen, kUntil));
  check(cuMemsetD8Async(memory, 5, kBytes, per_thread));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(per_thread));
  *gate = kOpen;
  check(cuStreamSynchronize(per_thread));

  // step: two_threads
  // One handle, and behind it another stream in each thread.
  std::promise<void> held, opened;
  check(cuStreamQuery(per_thread));  // nothing is left to do in this thread's
  std::thread other(other_thread, context, gate, &held, opened.get_future());
  held.get_future().wait();
  check(cuMemsetD8Async(memory, 6, kBytes, per_thread));
  check(cuStreamSynchronize(per_thread));
  claim("this thread's stream did not wait for the other thread's", *gate != kOpen);
  *gate = kOpen;
  opened.set_value();
  other.join();

  // step: null
  // No stream given: which default is meant was decided when the function was chosen.
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
