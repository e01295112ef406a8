// Exercise 10, one way to predict it: kernels without extern "C" have longer names, variables keep theirs.
// Each load makes a module with its own variables, and one unload ends it.
#include <array>

#include "check.hpp"

// What does each call return? The file is kernels.cu of this lesson; `first` and `second` are loaded from it.
constexpr std::array<CUresult, 8> kResults = {
    CUDA_SUCCESS,               // 1: find the kernel "scale"
    CUDA_ERROR_NOT_FOUND,       // 2: find the kernel "shift"
    CUDA_SUCCESS,               // 3: find the kernel "_Z5shiftPffi"
    CUDA_SUCCESS,               // 4: find the variable "launches"
    CUDA_ERROR_INVALID_HANDLE,  // 5: find the kernel "scale" in the module nullptr
    CUDA_SUCCESS,               // 6: unload `first`
    CUDA_ERROR_INVALID_HANDLE,  // 7: unload `first` again
    CUDA_ERROR_INVALID_VALUE,   // 8: copy from the variable that call 4 found
};

// Which value does the program read? `launches` begins at 5, and each launch of scale adds 1 to it.
constexpr int kUnknown = -1;
constexpr std::array<int, 5> kNumbers = {
    7,  // 1: `launches` of `first`, after two launches of its kernel and one of the kernel of `second`
    6,  // 2: `launches` of `second`, after these launches
    8,  // 3: an element that was 1, and was doubled by all three launches, after `first` was unloaded
    6,  // 4: `launches` of `second`, after `first` was unloaded
    5,  // 5: `launches` of a third module, now loaded from the same file
};

// Do not change anything below. compare() ends the program at the first difference.
#define compare(...) compare_with_prediction(#__VA_ARGS__, (__VA_ARGS__))

void compare_with_prediction(const char* call, CUresult returned) {
  static std::size_t number = 0;
  const CUresult predicted = kResults.at(number++);
  const char *name = nullptr, *other = nullptr;
  check(cuGetErrorName(returned, &name));
  check(cuGetErrorName(predicted, &other));
  std::printf("%zu. %s: %s\n", number, call, name);
  if (returned == predicted) return;
  std::printf("call %zu: you predicted %s, but it returned %s\n", number, other, name);
  lesson::end_here();
}

void compare_with_prediction(const char* expression, int value) {
  static std::size_t number = 0;
  const int predicted = kNumbers.at(number++);
  std::printf("%zu. %s: %d\n", number, expression, value);
  if (value == predicted) return;
  std::printf("number %zu: you predicted %d, but it is %d\n", number, predicted, value);
  lesson::end_here();
}

CUmodule loaded() {
  CUmodule module = nullptr;
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  return module;
}

void scale(CUmodule module, CUdeviceptr values) {
  CUfunction function = nullptr;
  int count = 1;
  void* arguments[] = {&values, &count};
  check(cuModuleGetFunction(&function, module, "scale"));
  check(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
}

int launches_of(CUmodule module) {
  CUdeviceptr address = 0;
  int value = 0;
  check(cuModuleGetGlobal(&address, nullptr, module, "launches"));
  check(cuMemcpyDtoH(&value, address, sizeof value));
  return value;
}

int first_of(CUdeviceptr values) {
  float value = 0;
  check(cuMemcpyDtoH(&value, values, sizeof value));
  return static_cast<int>(value);
}

int main() {
  for (std::size_t i = 0; i < kResults.size(); ++i)
    if (kResults[i] == CUDA_ERROR_UNKNOWN) {
      std::printf("call %zu has no prediction yet\n", i + 1);
      lesson::end_here();
    }
  for (std::size_t i = 0; i < kNumbers.size(); ++i)
    if (kNumbers[i] == kUnknown) {
      std::printf("number %zu has no prediction yet\n", i + 1);
      lesson::end_here();
    }

  CUcontext context = nullptr;
  CUdevice device = 0;
  CUdeviceptr values = 0, launches = 0;
  CUfunction function = nullptr;
  int number = 0;
  const float one = 1;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));
  check(cuMemAlloc(&values, sizeof one));
  check(cuMemcpyHtoD(values, &one, sizeof one));
  CUmodule first = loaded(), second = loaded();

  compare(cuModuleGetFunction(&function, first, "scale"));
  compare(cuModuleGetFunction(&function, first, "shift"));
  compare(cuModuleGetFunction(&function, first, "_Z5shiftPffi"));
  compare(cuModuleGetGlobal(&launches, nullptr, first, "launches"));
  compare(cuModuleGetFunction(&function, nullptr, "scale"));

  scale(first, values);
  scale(first, values);
  scale(second, values);
  compare(launches_of(first));
  compare(launches_of(second));

  compare(cuModuleUnload(first));
  compare(cuModuleUnload(first));
  compare(cuMemcpyDtoH(&number, launches, sizeof number));
  compare(first_of(values));
  compare(launches_of(second));
  CUmodule third = loaded();
  compare(launches_of(third));

  check(cuModuleUnload(third));
  check(cuModuleUnload(second));
  check(cuMemFree(values));
  check(cuCtxDestroy(context));
}
