// Lesson 19: a stream is a queue of work, and an event is a mark in it. Calls put work into a stream and
// return before it is done. How the host and other streams wait for it, and what happens if they do not.
#include "check.hpp"

constexpr std::size_t kBytes = 64;

// A gate is a number in pinned memory. A stream that waits for 1 there does no more work until the host
// writes the 1, however slow the machine is. Closes the gate, and returns the address for the stream's wait.
CUdeviceptr closed(volatile unsigned* gate) {
  *gate = 0;
  return reinterpret_cast<CUdeviceptr>(gate);
}

constexpr unsigned kOpen = 1, kUntil = CU_STREAM_WAIT_VALUE_EQ;  // wait until it is 1

int main() {
  CUcontext a = nullptr, b = nullptr, owner = nullptr;
  CUdeviceptr memory = 0;
  void *for_gate = nullptr, *for_result = nullptr;
  CUstream first = nullptr, second = nullptr;
  CUevent filled = nullptr, late = nullptr, begin = nullptr, end = nullptr, of_b = nullptr;

  // step: start
  check(cuInit(0));
  check(create_context(&a, CU_CTX_SCHED_AUTO, 0));
  check(cuMemAlloc(&memory, kBytes));
  check(cuMemAllocHost(&for_gate, sizeof(unsigned)));
  check(cuMemAllocHost(&for_result, kBytes));
  auto* const gate = static_cast<volatile unsigned*>(for_gate);
  auto* const result = static_cast<volatile unsigned char*>(for_result);

  // step: streams
  // The driver may load code at its first use, so each stream is used once before a gate is closed.
  for (CUstream* stream : {&first, &second}) {
    check(cuStreamCreate(stream, CU_STREAM_NON_BLOCKING));
    check(cuMemsetD8Async(memory, 0, kBytes, *stream));
    check(cuMemcpyDtoHAsync(for_result, memory, kBytes, *stream));
  }
  check(cuCtxSynchronize());
  check(cuStreamGetCtx(first, &owner));
  claim("the stream belongs to A", owner == a);

  // step: returns_early
  // Two fills and a copy are put into the stream after the gate. All three calls return while it is closed.
  check(cuStreamWaitValue32(first, closed(gate), kOpen, kUntil));
  check(cuMemsetD8Async(memory, 1, kBytes, first));
  check(cuMemsetD8Async(memory, 2, kBytes, first));
  check(cuMemcpyDtoHAsync(for_result, memory, kBytes, first));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(first));
  claim("too early: the host reads the old 0", *result == 0);
  *gate = kOpen;
  check(cuStreamSynchronize(first));
  check(cuStreamQuery(first));
  claim("after both fills the copy ran, and the host reads 2", *result == 2);

  // step: no_order
  // The copy is put into the second stream after the fill was put into the first one, but it runs before it.
  check(cuStreamWaitValue32(first, closed(gate), kOpen, kUntil));
  check(cuMemsetD8Async(memory, 3, kBytes, first));
  *result = 0;
  check(cuMemcpyDtoHAsync(for_result, memory, kBytes, second));
  check(cuStreamSynchronize(second));
  claim("the second stream did not wait: it copied the old 2", *result == 2);
  *gate = kOpen;
  check(cuStreamSynchronize(first));

  // step: event
  // The event is recorded before the gate: it is done, and the stream is not.
  check(cuEventCreate(&filled, CU_EVENT_DISABLE_TIMING));
  check(cuMemsetD8Async(memory, 4, kBytes, first));
  check(cuEventRecord(filled, first));
  check(cuStreamWaitValue32(first, closed(gate), kOpen, kUntil));
  check(cuEventSynchronize(filled));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(first));
  check(cuEventRecord(filled, first));  // recorded again, after the gate
  expect(CUDA_ERROR_NOT_READY, cuEventQuery(filled));
  *gate = kOpen;
  check(cuEventSynchronize(filled));

  // step: wait_event
  // The second stream waits for the event in the first one. The host does not wait.
  check(cuStreamWaitValue32(first, closed(gate), kOpen, kUntil));
  check(cuMemsetD8Async(memory, 5, kBytes, first));
  check(cuEventRecord(filled, first));
  check(cuStreamWaitEvent(second, filled, CU_EVENT_WAIT_DEFAULT));
  check(cuMemcpyDtoHAsync(for_result, memory, kBytes, second));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(second));
  *gate = kOpen;
  check(cuStreamSynchronize(second));
  claim("the second stream copied after the fill", *result == 5);

  // step: too_late
  // The same calls, but the event is recorded after the wait. No call fails, and nothing waits.
  check(cuEventCreate(&late, CU_EVENT_DISABLE_TIMING));
  check(cuStreamWaitValue32(first, closed(gate), kOpen, kUntil));
  check(cuMemsetD8Async(memory, 6, kBytes, first));
  check(cuEventQuery(late));  // never recorded, and yet it counts as done
  check(cuStreamWaitEvent(second, late, CU_EVENT_WAIT_DEFAULT));
  check(cuEventRecord(late, first));
  *result = 0;
  check(cuMemcpyDtoHAsync(for_result, memory, kBytes, second));
  check(cuStreamSynchronize(second));
  claim("the second stream did not wait: it copied the old 5", *result == 5);
  *gate = kOpen;
  check(cuStreamSynchronize(first));

  // step: time
  float milliseconds = 0;
  for (CUevent* event : {&begin, &end}) check(cuEventCreate(event, CU_EVENT_DEFAULT));
  check(cuEventRecord(begin, first));
  check(cuStreamWaitValue32(first, closed(gate), kOpen, kUntil));
  check(cuEventRecord(end, first));
  check(cuEventSynchronize(begin));
  expect(CUDA_ERROR_NOT_READY, cuEventElapsedTime(&milliseconds, begin, end));
  *gate = kOpen;
  check(cuEventSynchronize(end));
  check(cuEventElapsedTime(&milliseconds, begin, end));
  claim("more than 0 milliseconds are between the events", milliseconds > 0);
  expect(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&milliseconds, begin, filled));

  // step: other_context
  // B is current now. Which calls take a stream or an event of A?
  check(create_context(&b, CU_CTX_SCHED_AUTO, 0));
  check(cuEventCreate(&of_b, CU_EVENT_DISABLE_TIMING));
  check(cuMemsetD8Async(memory, 7, kBytes, first));
  check(cuStreamSynchronize(first));
  check(cuEventRecord(filled, first));
  expect(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(of_b, first));
  expect(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(filled, nullptr));  // the default stream of B
  check(cuEventDestroy(of_b));
  check(cuCtxDestroy(b));

  // step: destroy
  check(cuStreamWaitValue32(first, closed(gate), kOpen, kUntil));
  check(cuMemsetD8Async(memory, 8, kBytes, first));
  check(cuStreamDestroy(first));
  claim("the stream is destroyed, and its gate is still closed", *gate != kOpen);
  *gate = kOpen;
  check(cuCtxSynchronize());
  check(cuMemcpyDtoH(for_result, memory, kBytes));
  claim("its last fill was done all the same", *result == 8);

  // step: end
  for (CUevent event : {filled, late, begin, end}) check(cuEventDestroy(event));
  check(cuStreamDestroy(second));
  for (void* pinned : {for_result, for_gate}) check(cuMemFreeHost(pinned));
  check(cuMemFree(memory));
  check(cuCtxDestroy(a));
}
