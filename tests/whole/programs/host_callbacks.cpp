// Functions of the host between kernels of a stream, in their order.
#include "sample.hpp"

namespace {

void CUDA_CB note(void* list) {
  auto& numbers = *static_cast<std::vector<int>*>(list);
  numbers.push_back(static_cast<int>(numbers.size()) + 1);
}

}  // namespace

int main() {
  const sample::Device device;
  const CUmodule module = sample::load(R"(extern "C" __global__ void add_one(int* value) { *value += 1; })");
  const CUfunction add_one = sample::kernel(module, "add_one");
  CUstream stream = nullptr;
  CHECK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  sample::Values<int> value(1);
  std::vector<int> numbers;
  for (int i = 0; i < 5; ++i) {
    sample::launch(add_one, 1, 1, stream, value.argument());
    CHECK(cuLaunchHostFunc(stream, note, &numbers));
  }
  CHECK(cuStreamSynchronize(stream));
  for (const int number : numbers) std::printf("call %d\n", number);
  std::printf("the value is %d\n", value.read()[0]);
  CHECK(cuStreamDestroy(stream));
}
