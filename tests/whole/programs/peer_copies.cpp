// From the first device to the last one and back; with one device it is the same one.
#include "sample.hpp"

int main() {
  CHECK(cuInit(0));
  int count = 0;
  CHECK(cuDeviceGetCount(&count));
  CUcontext contexts[2] = {};
  CUdevice devices[2] = {};
  CUdeviceptr memory[2] = {};
  for (int i = 0; i < 2; ++i) {
    CHECK(cuDeviceGet(&devices[i], i == 0 ? 0 : count - 1));
    CHECK(cuDevicePrimaryCtxRetain(&contexts[i], devices[i]));
    CHECK(cuCtxSetCurrent(contexts[i]));
    CHECK(cuMemAlloc(&memory[i], 4096));
    CHECK(cuMemsetD32(memory[i], static_cast<unsigned>(i + 1), 1024));
  }
  std::vector<unsigned> values(1024);
  CHECK(cuMemcpyPeer(memory[1], contexts[1], memory[0], contexts[0], 2048));
  CHECK(cuMemcpyDtoH(values.data(), memory[1], 4096));
  std::printf("the first half %u, the second %u\n", values[511], values[512]);
  CHECK(cuMemcpyPeer(memory[0], contexts[0], memory[1] + 2048, contexts[1], 2048));
  CHECK(cuCtxSetCurrent(contexts[0]));
  CHECK(cuMemcpyDtoH(values.data(), memory[0], 4096));
  std::printf("back: %u and %u\n", values[511], values[512]);
  for (int i = 0; i < 2; ++i) {
    CHECK(cuCtxSetCurrent(contexts[i]));
    CHECK(cuMemFree(memory[i]));
    CHECK(cuDevicePrimaryCtxRelease(devices[i]));
  }
}
