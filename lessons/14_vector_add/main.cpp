// Lesson 14: the vector addition of the programming guide, whole and checked: from cuInit to the last free,
// with what the guide leaves out, every answer looked at and every sum compared with the host's.
#include <algorithm>
#include <vector>

#include "check.hpp"

int main() {
  constexpr int n = 50'000, threads = 256;  // 195 whole blocks, and 80 elements more
  constexpr std::size_t bytes = n * sizeof(float);
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    a[at] = static_cast<float>(i);
    b[at] = static_cast<float>(2 * i);
  }
  // Whether the first `count` sums are right. The numbers are whole and small, so there is nothing to round.
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
  // The kernel comes as PTX beside the program, translated for this device as it is loaded.
  CUmodule module = nullptr;
  CUfunction vec_add = nullptr;
  check(cuModuleLoad(&module, lesson::beside_program("vec_add.ptx").c_str()));
  check(cuModuleGetFunction(&vec_add, module, "VecAdd"));

  // step: memory
  CUdeviceptr on_device_a = 0, on_device_b = 0, on_device_c = 0;
  for (CUdeviceptr* vector : {&on_device_a, &on_device_b, &on_device_c}) check(cuMemAlloc(vector, bytes));
  check(cuMemcpyHtoD(on_device_a, a.data(), bytes));
  check(cuMemcpyHtoD(on_device_b, b.data(), bytes));
  check(cuMemsetD32(on_device_c, 0xffffffff, n));  // no sum looks like this: they would be seen if left out

  // step: too_few
  // Dividing rounds down: 195 blocks, and nobody for the last 80 elements.
  int length = n;
  void* parameters[] = {&on_device_a, &on_device_b, &on_device_c, &length};
  check(cuLaunchKernel(vec_add, n / threads, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr));
  check(cuMemcpyDtoH(c.data(), on_device_c, bytes));
  claim("the first 49,920 sums are right", right(n / threads * threads));
  claim("the others were never computed",
        c[n / threads * threads] != c[n / threads * threads]);  // not a number

  // step: launch
  // Rounded up: 196 blocks. The guard in the kernel sends home the threads that are too many.
  const unsigned blocks = (n + threads - 1) / threads;
  check(cuLaunchKernel(vec_add, blocks, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr));

  // step: verify
  // The copy waits for the kernel, and would tell if it had failed.
  std::fill(c.begin(), c.end(), 0.0F);
  check(cuMemcpyDtoH(c.data(), on_device_c, bytes));
  claim("all 50,000 sums are right", right(n));

  // step: clean_up
  // In the reverse order of making.
  for (const CUdeviceptr vector : {on_device_c, on_device_b, on_device_a}) check(cuMemFree(vector));
  check(cuModuleUnload(module));
  check(cuCtxDestroy(context));
}
