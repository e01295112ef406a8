// Exercise 09, a wrong answer: "a managed variable exists once, for the host and all contexts". It exists
// once for each module.
#include <array>

#include "check.hpp"

// Which value does the program read? managed_count begins at 7, device_count at 5; bump adds 1 to both.
constexpr int kUnknown = -1;
constexpr std::array<int, 10> kPredicted = {
    102,  // 1: managed_count of B's module, after two launches in B
    102,  // 2: managed_count of A's module, to which the host had written 100 before them
    103,  // 3: managed_count of A's module, after one launch in A
    6,    // 4: device_count of A's module
    103,  // 5: managed_count, after A's module was unloaded and loaded again
    107,  // 6: managed_count of the library, after three launches in A and one in B
    6,    // 7: device_count of the library, read while B is current
    107,  // 8: managed_count of B's module, after these launches
    107,  // 9: managed_count of the library, after B was destroyed
    108,  // 10: managed_count of the library, after another launch in A
};

// Do not change anything below. compare() ends the program at the first difference.
void compare(int value) {
  static std::size_t number = 0;
  const int predicted = kPredicted.at(number++);
  std::printf("%zu: %d\n", number, value);
  if (value == predicted) return;
  std::printf("number %zu: you predicted %d, but it is %d\n", number, predicted, value);
  lesson::end_here();
}

// The kernel may be a CUkernel too. The host reads only after cuCtxSynchronize, which waits for the kernels
// of the current context.
void bump(CUfunction function, int times) {
  for (int i = 0; i < times; ++i)
    check(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  check(cuCtxSynchronize());
}

CUfunction bump_of(CUmodule module) {
  CUfunction function = nullptr;
  check(cuModuleGetFunction(&function, module, "bump"));
  return function;
}

int& managed_of(CUmodule module) {
  CUdeviceptr address = 0;
  check(cuModuleGetGlobal(&address, nullptr, module, "managed_count"));
  return *reinterpret_cast<int*>(address);
}

int on_device(CUdeviceptr address) {
  int value = 0;
  check(cuMemcpyDtoH(&value, address, sizeof value));
  return value;
}

int main() {
  for (std::size_t i = 0; i < kPredicted.size(); ++i)
    if (kPredicted[i] == kUnknown) {
      std::printf("number %zu has no prediction yet\n", i + 1);
      lesson::end_here();
    }

  CUcontext a = nullptr, b = nullptr;
  CUdevice first = 0, last = 0;
  CUmodule module_a = nullptr, module_b = nullptr;
  CUdeviceptr address = 0;
  int devices = 0;
  const std::string code = lesson::beside_program("kernels.ptx");
  check(cuInit(0));
  check(cuDeviceGetCount(&devices));
  check(cuDeviceGet(&first, 0));
  check(cuDeviceGet(&last, devices - 1));
  check(create_context(&a, CU_CTX_SCHED_AUTO, first));  // stack: A
  check(cuModuleLoad(&module_a, code.c_str()));
  check(create_context(&b, CU_CTX_SCHED_AUTO, last));  // stack: A, B
  check(cuModuleLoad(&module_b, code.c_str()));

  managed_of(module_a) = 100;
  bump(bump_of(module_b), 2);
  compare(managed_of(module_b));
  compare(managed_of(module_a));
  check(cuCtxPopCurrent(nullptr));  // stack: A
  bump(bump_of(module_a), 1);
  compare(managed_of(module_a));
  check(cuModuleGetGlobal(&address, nullptr, module_a, "device_count"));
  compare(on_device(address));

  check(cuModuleUnload(module_a));
  check(cuModuleLoad(&module_a, code.c_str()));
  compare(managed_of(module_a));

  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  std::size_t size = 0;
  check(cuLibraryLoadFromFile(&library, code.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  check(cuLibraryGetKernel(&kernel, library, "bump"));
  bump(reinterpret_cast<CUfunction>(kernel), 3);
  check(cuCtxPushCurrent(b));  // stack: A, B
  bump(reinterpret_cast<CUfunction>(kernel), 1);
  check(cuLibraryGetManaged(&address, &size, library, "managed_count"));
  const int& shared = *reinterpret_cast<int*>(address);
  compare(shared);
  check(cuLibraryGetGlobal(&address, &size, library, "device_count"));
  compare(on_device(address));
  compare(managed_of(module_b));

  check(cuCtxDestroy(b));  // stack: A
  compare(shared);
  bump(reinterpret_cast<CUfunction>(kernel), 1);
  compare(shared);

  check(cuLibraryUnload(library));
  check(cuModuleUnload(module_a));
  check(cuCtxDestroy(a));
}
