// Lesson 04: a context on a GPU is roughly what a process is on a CPU. Work on the device needs a current
// context. A context owns what is made in it, and destroying the context frees everything that it owns.
#include <array>
#include <thread>

#include "check.hpp"

int main() {
  // step: no_context
  // The driver is initialised and a device is chosen, but without a context no call can work on the device.
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
  // Creating a context also makes it current on this thread. The calls below use the device of this context.
  CUcontext first = nullptr;
  check(create_context(&first, CU_CTX_SCHED_AUTO, device));
  check(cuCtxGetCurrent(&current));
  claim("the new context is current", current == first);
  check(cuCtxGetDevice(&device));
  claim("it is a context of device 0", device == 0);

  // step: work
  // The memory belongs to the current context. The numbers are copied to the device and back.
  std::array<int, 4> out = {1, 2, 3, 4}, back = {};
  check(cuMemAlloc(&memory, sizeof out));
  check(cuMemcpyHtoD(memory, out.data(), sizeof out));
  check(cuMemcpyDtoH(back.data(), memory, sizeof back));
  claim("the four numbers came back", back == out);

  // step: second
  // A second context on the same device becomes current instead of the first. The first one does not change.
  CUcontext second = nullptr;
  check(create_context(&second, CU_CTX_SCHED_AUTO, device));
  check(cuCtxGetCurrent(&current));
  claim("the second context is current", current == second);

  // step: memory_of_first
  // People believe this to be impossible: to read the first context's memory while the second is current.
  CUcontext owner = nullptr;
  back = {};
  check(cuMemcpyDtoH(back.data(), memory, sizeof back));
  claim("the second context reads what the first one owns", back == out);
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  claim("it still belongs to the first context", owner == first);

  // step: destroy_frees
  // The program allocates 64 MiB in the second context. It does not free them, but destroys the context.
  CUdeviceptr large = 0;
  std::size_t before = 0, after = 0, total = 0;
  check(cuMemAlloc(&large, 64 * lesson::MiB));
  check(cuMemGetInfo(&before, &total));
  check(cuCtxDestroy(second));
  check(cuCtxGetCurrent(&current));
  claim("the first context is current again", current == first);
  check(cuMemGetInfo(&after, &total));
  std::printf("context destroyed: free memory changed by %+lld MiB\n", lesson::change_in_mib(before, after));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(large, 0, 16));
  check(cuMemcpyDtoH(back.data(), memory, sizeof back));
  claim("the first context's memory is unchanged", back == out);

  // step: thread
  // Each thread has its own current context. A new thread has none, and it may use the same context.
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
  // After the last context is destroyed, this thread has no current context, as at the start.
  check(cuCtxDestroy(first));
  check(cuCtxGetCurrent(&current));
  claim("no context is current", current == nullptr);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 16));
}
