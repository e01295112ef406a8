// Exercise 03, a wrong answer: x is not freed. The context frees it in the end, which hides the mistake: a
// function that leaves memory in a context that goes on will run out of it.
#include <vector>

#include "check.hpp"

// Returns a vector with every element of x multiplied by 2. Device 0 computes it, in a context of its own.
std::vector<float> twice(const std::vector<float>& x) {
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction vec_add = nullptr;
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  check(cuModuleLoad(&module, lesson::beside_program("vec_add.ptx").c_str()));
  check(cuModuleGetFunction(&vec_add, module, "VecAdd"));

  const std::size_t bytes = x.size() * sizeof(float);
  CUdeviceptr on_device_x = 0, on_device_sum = 0;
  check(cuMemAlloc(&on_device_x, bytes));
  check(cuMemAlloc(&on_device_sum, bytes));
  check(cuMemcpyHtoD(on_device_x, x.data(), bytes));

  int n = static_cast<int>(x.size());
  constexpr unsigned threads = 256;
  const unsigned blocks = (static_cast<unsigned>(n) + threads - 1) / threads;
  void* parameters[] = {&on_device_x, &on_device_x, &on_device_sum, &n};
  check(cuLaunchKernel(vec_add, blocks, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr));

  std::vector<float> sum(x.size());
  check(cuMemcpyDtoH(sum.data(), on_device_sum, bytes));
  check(cuMemFree(on_device_sum));
  check(cuModuleUnload(module));
  check(cuCtxDestroy(context));
  return sum;
}

// Leave main() as it is.
int main() {
  constexpr std::size_t n = 12'345;
  std::vector<float> x(n), doubled(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i + 1);
    doubled[i] = 2 * x[i];
  }
  claim("every element is doubled", twice(x) == doubled);
  CUcontext current = nullptr;
  check(cuCtxGetCurrent(&current));
  claim("no context is left", current == nullptr);
}
