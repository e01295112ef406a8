// An assertion in a kernel: the word of it, and that its context has ended with it.
#include "sample.hpp"

int main() {
  CHECK(cuInit(0));
  CUdevice device = 0;
  CHECK(cuDeviceGet(&device, 0));
  CUcontext context = nullptr;
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  const char* const source =
      R"(extern "C" __global__ void hold(int least) { assert((int)threadIdx.x >= least); })";
  CUfunction hold = sample::kernel(sample::load(source), "hold");
  for (int least : {0, 5}) {
    sample::launch(hold, 1, 8, nullptr, &least);
    const char* name = nullptr;
    cuGetErrorName(cuCtxSynchronize(), &name);
    std::printf("at least %d: %s\n", least, name);
  }
  CUdeviceptr memory = 0;
  const char* name = nullptr;
  cuGetErrorName(cuMemAlloc(&memory, 4), &name);
  std::printf("afterwards: %s\n", name);
}
