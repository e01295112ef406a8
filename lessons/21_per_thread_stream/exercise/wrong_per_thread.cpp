// Exercise 21, a wrong answer: the per-thread default stream. It belongs to the thread, but waits for the
// legacy one.
#include "check.hpp"

namespace library {

CUstream stream = nullptr;

void open() {
  stream = CU_STREAM_PER_THREAD;
}

void fill(CUdeviceptr memory) {
  check(cuMemsetD8Async(memory, 42, 1024, stream));
}

void close() {
  stream = nullptr;
}

}  // namespace library

int main() {
  CUcontext context = nullptr;
  CUdevice device = 0;
  CUdeviceptr memory = 0;
  void* pinned = nullptr;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));
  check(cuMemAlloc(&memory, 1024));
  check(cuMemsetD8(memory, 0, 1024));
  check(cuMemAllocHost(&pinned, 4));
  auto* const gate = static_cast<volatile unsigned*>(pinned);
  *gate = 0;

  library::open();
  unsigned flags = 0;
  check(cuStreamGetFlags(library::stream, &flags));
  claim("the library's stream does not wait for the default stream", flags == CU_STREAM_NON_BLOCKING);

  check(cuStreamWaitValue32(CU_STREAM_LEGACY, reinterpret_cast<CUdeviceptr>(pinned), 1,
                            CU_STREAM_WAIT_VALUE_EQ));
  library::fill(memory);
  check(cuStreamSynchronize(library::stream));
  claim("the library is done while the application's stream waits", *gate == 0);
  *gate = 1;
  check(cuCtxSynchronize());
  unsigned char last = 0;
  check(cuMemcpyDtoH(&last, memory + 1023, 1));
  claim("and the buffer is filled", last == 42);

  library::close();
  check(cuMemFreeHost(pinned));
  check(cuMemFree(memory));
  check(cuCtxDestroy(context));
}
