// Lesson 03: the vector addition of the programming guide as a complete program. It also does what the guide
// leaves out: it checks every result, and compares every sum with the host's.
#include <algorithm>
#include <vector>

#include "check.hpp"

int main() {
  constexpr int n = 50'000, threads = 256;  // 195 full blocks and 80 more elements
  constexpr std::size_t bytes = n * sizeof(float);
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    a[at] = static_cast<float>(i);
    b[at] = static_cast<float>(2 * i);
  }
  // Returns whether the first `count` sums are right. The numbers are small integers, so no sum is rounded.
  const auto right = [&](int count) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
      if (c[i] != a[i] + b[i]) return false;
    return true;
  };

  // step: device
  int devices = 0;
  CUdevice device = 0;
  check(cuInit(0));
  check(cuDeviceGetCount(&devices));
  claim("there is a device", devices > 0);
  check(cuDeviceGet(&device, 0));

  // step: context
  CUcontext context = nullptr;
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));

  // step: module
  // The kernel is PTX in a file in the folder of the program. Loading it compiles it for this device.
  CUmodule module = nullptr;
  CUfunction vec_add = nullptr;
  check(cuModuleLoad(&module, lesson::beside_program("vec_add.ptx").c_str()));
  check(cuModuleGetFunction(&vec_add, module, "VecAdd"));

  // step: memory
  CUdeviceptr on_device_a = 0, on_device_b = 0, on_device_c = 0;
  for (CUdeviceptr* vector : {&on_device_a, &on_device_b, &on_device_c}) check(cuMemAlloc(vector, bytes));
  check(cuMemcpyHtoD(on_device_a, a.data(), bytes));
  check(cuMemcpyHtoD(on_device_b, b.data(), bytes));
  check(cuMemsetD32(on_device_c, 0xffffffff, n));  // a NaN in each element: a missing sum is found

  // step: too_few
  // The division rounds down: 195 blocks, and no thread for the last 80 elements.
  int length = n;
  void* parameters[] = {&on_device_a, &on_device_b, &on_device_c, &length};
  check(cuLaunchKernel(vec_add, n / threads, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr));
  check(cuMemcpyDtoH(c.data(), on_device_c, bytes));
  claim("the first 49,920 sums are right", right(n / threads * threads));
  claim("the next sum was not computed",
        c[n / threads * threads] != c[n / threads * threads]);  // only a NaN differs from itself

  // step: launch
  // Rounded up: 196 blocks. Because of the guard in the kernel, the extra threads do nothing. The NaNs are
  // written again, so that no sum of the first launch is taken for one of the second.
  const unsigned blocks = (n + threads - 1) / threads;
  check(cuMemsetD32(on_device_c, 0xffffffff, n));
  check(cuLaunchKernel(vec_add, blocks, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr));

  // step: verify
  // The copy waits for the kernel, and returns an error if the kernel has failed.
  std::fill(c.begin(), c.end(), 0.0F);
  check(cuMemcpyDtoH(c.data(), on_device_c, bytes));
  claim("all 50,000 sums are right", right(n));

  // step: clean_up
  // In the reverse order.
  for (const CUdeviceptr vector : {on_device_c, on_device_b, on_device_a}) check(cuMemFree(vector));
  check(cuModuleUnload(module));
  check(cuCtxDestroy(context));
}
