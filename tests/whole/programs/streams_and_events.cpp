// Two streams, one of which waits for an event of the other; and a time between two events.
#include "sample.hpp"

int main() {
  const sample::Device device;
  const CUmodule module = sample::load(R"(
extern "C" __global__ void fill(int* p, int value) { p[blockIdx.x * blockDim.x + threadIdx.x] = value; }
extern "C" __global__ void add(int* p, int value) { p[blockIdx.x * blockDim.x + threadIdx.x] += value; })");
  CUstream first = nullptr, second = nullptr;
  CHECK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
  CHECK(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
  CUevent begin = nullptr, filled = nullptr, end = nullptr;
  for (CUevent* const event : {&begin, &filled, &end}) CHECK(cuEventCreate(event, CU_EVENT_DEFAULT));
  sample::Values<int> values(4096);
  CHECK(cuCtxSynchronize());
  int seven = 7, five = 5;
  CHECK(cuEventRecord(begin, first));
  sample::launch(sample::kernel(module, "fill"), 16, 256, first, values.argument(), &seven);
  CHECK(cuEventRecord(filled, first));
  CHECK(cuStreamWaitEvent(second, filled, 0));
  sample::launch(sample::kernel(module, "add"), 16, 256, second, values.argument(), &five);
  CHECK(cuEventRecord(end, second));
  CHECK(cuEventSynchronize(end));
  float milliseconds = -1;
  CHECK(cuEventElapsedTime(&milliseconds, begin, end));
  int wrong = 0;
  for (const int value : values.read()) wrong += value != 12;
  std::printf("%d wrong, time %s\n", wrong, milliseconds >= 0 ? "has passed" : "went back");
  for (const CUevent event : {begin, filled, end}) CHECK(cuEventDestroy(event));
  for (const CUstream stream : {first, second}) CHECK(cuStreamDestroy(stream));
}
