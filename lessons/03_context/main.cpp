// Lesson 03: a context is to a GPU roughly what a process is to a CPU. Nothing works without one; it owns
// what is made in it; and when it goes, everything that it owned goes with it.
#include <array>
#include <thread>

#include "check.hpp"

int main() {
  // step: none
  // The driver is ready, a device is chosen, and still nothing that works on the device is possible.
  CUdevice device = 0;
  CUcontext current = nullptr;
  CUdeviceptr memory = 0;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(cuCtxGetCurrent(&current));
  claim("no context is current", current == nullptr);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 16));
  expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
  expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetDevice(&device));

  // step: create
  // Creating a context also makes it current on this thread. No call below says which device it means.
  CUcontext first = nullptr;
  check(create_context(&first, CU_CTX_SCHED_AUTO, 0));
  check(cuCtxGetCurrent(&current));
  claim("the new context is current", current == first);
  check(cuCtxGetDevice(&device));
  claim("it stands on device 0", device == 0);

  // step: work
  // Memory now belongs to the current context. A round trip: to the device and back.
  std::array<int, 4> out = {1, 2, 3, 4}, back = {};
  check(cuMemAlloc(&memory, sizeof out));
  check(cuMemcpyHtoD(memory, out.data(), sizeof out));
  check(cuMemcpyDtoH(back.data(), memory, sizeof back));
  claim("the four numbers came back", back == out);

  // step: second
  // A second context on the same device becomes current in place of the first, which stays as it was.
  CUcontext second = nullptr;
  check(create_context(&second, CU_CTX_SCHED_AUTO, 0));
  check(cuCtxGetCurrent(&current));
  claim("the second context is current", current == second);

  // step: not_walled_off
  // Said to be impossible: reading memory of the first context while the second one is current.
  CUcontext owner = nullptr;
  back = {};
  check(cuMemcpyDtoH(back.data(), memory, sizeof back));
  claim("the second context reads what the first one owns", back == out);
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  claim("it still belongs to the first context", owner == first);

  // step: like_a_process
  // 64 MiB in the second context, never freed. The context is destroyed instead.
  CUdeviceptr large = 0;
  std::size_t before = 0, after = 0, total = 0;
  check(cuMemAlloc(&large, 64 * lesson::MiB));
  check(cuMemGetInfo(&before, &total));
  check(cuCtxDestroy(second));
  check(cuCtxGetCurrent(&current));
  claim("the first context is current again", current == first);
  check(cuMemGetInfo(&after, &total));
  std::printf("free memory after the second context: %+lld MiB\n", lesson::change_in_mib(before, after));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(large, 0, 16));
  check(cuMemcpyDtoH(back.data(), memory, sizeof back));
  claim("the first context's memory is untouched", back == out);

  // step: thread
  // "Current" is a word about one thread. A new one starts with nothing, and can be given the same context.
  std::thread worker([&] {
    CUcontext mine = nullptr;
    check(cuCtxGetCurrent(&mine));
    claim("the new thread has no current context", mine == nullptr);
    expect(CUDA_ERROR_INVALID_CONTEXT, cuMemsetD8(memory, 0, 16));
    check(cuCtxSetCurrent(first));
    check(cuMemsetD8(memory, 0, sizeof out));
  });
  worker.join();
  check(cuMemcpyDtoH(back.data(), memory, sizeof back));
  claim("the thread filled the same memory", back == std::array<int, 4>{});

  // step: destroy
  // Destroying the last one leaves this thread as it began.
  check(cuCtxDestroy(first));
  check(cuCtxGetCurrent(&current));
  claim("no context is current", current == nullptr);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 16));
}
