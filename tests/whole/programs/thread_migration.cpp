// One context wanders through the stacks of four threads; what it holds stays.
#include <thread>

#include "sample.hpp"

int main() {
  CHECK(cuInit(0));
  CUdevice device = 0;
  CHECK(cuDeviceGet(&device, 0));
  CUcontext context = nullptr;
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxPushCurrent(context));
  const CUmodule module = sample::load(R"(extern "C" __global__ void add_one(int* value) { *value += 1; })");
  const CUfunction add_one = sample::kernel(module, "add_one");
  {
    sample::Values<int> value(1);
    CUcontext popped = nullptr;
    CHECK(cuCtxPopCurrent(&popped));
    for (int i = 0; i < 4; ++i) {
      std::thread([&, i] {
        CUcontext none = nullptr;
        CHECK(cuCtxGetCurrent(&none));
        CHECK(cuCtxPushCurrent(context));
        sample::launch(add_one, 1, 1, nullptr, value.argument());
        std::printf("thread %d began with %s context and made it %d\n", i, none == nullptr ? "no" : "a",
                    value.read()[0]);
        CUcontext mine = nullptr;
        CHECK(cuCtxPopCurrent(&mine));
      }).join();
    }
    CHECK(cuCtxPushCurrent(context));
    std::printf("the first thread reads %d\n", value.read()[0]);
  }
  CHECK(cuDevicePrimaryCtxRelease(device));
}
