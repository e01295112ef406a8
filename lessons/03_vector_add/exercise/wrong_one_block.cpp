// Exercise 03, a wrong answer: one block with a thread for each element. A block can have at most 1024
// threads.
#include <vector>

#include "check.hpp"

// Adds n elements. Change this function only.
void add(CUfunction vec_add, CUdeviceptr a, CUdeviceptr b, CUdeviceptr sum, int n) {
  void* parameters[] = {&a, &b, &sum, &n};
  check(cuLaunchKernel(vec_add, 1, 1, 1, static_cast<unsigned>(n), 1, 1, 0, nullptr, parameters, nullptr));
}

int main() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction vec_add = nullptr;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, 0, device));
  check(cuModuleLoad(&module, lesson::beside_program("vec_add.ptx").c_str()));
  check(cuModuleGetFunction(&vec_add, module, "VecAdd"));

  for (const int n : {256, 1, 1000, 300'000}) {
    const auto count = static_cast<std::size_t>(n);
    const std::size_t bytes = count * sizeof(float);
    const std::vector<float> ones(count, 1.0F), twos(count, 2.0F);
    std::vector<float> result(count);
    CUdeviceptr a = 0, b = 0, c = 0, d = 0;
    for (CUdeviceptr* vector : {&a, &b, &c, &d}) check(cuMemAlloc(vector, bytes));
    check(cuMemcpyHtoD(a, ones.data(), bytes));
    check(cuMemcpyHtoD(b, twos.data(), bytes));
    check(cuMemsetD8(d, 0, bytes));
    add(vec_add, a, b, c, n);
    add(vec_add, c, a, d, n);
    check(cuMemcpyDtoH(result.data(), d, bytes));
    std::printf("n = %d: ", n);
    claim("every result is 4", result == std::vector<float>(count, 4.0F));
    for (const CUdeviceptr vector : {a, b, c, d}) check(cuMemFree(vector));
  }
  check(cuModuleUnload(module));
  check(cuCtxDestroy(context));
}
