// Exercise 08, one way to predict it: the driver compares each copy with the size of the allocation, frees an
// allocation once and by its first byte, and lets any context free what still has an owner.
#include <array>

#include "check.hpp"

// What does each call return? `first` has 1000 bytes and belongs to A. A is current in all these calls.
constexpr std::array<CUresult, 11> kPredicted = {
    CUDA_SUCCESS,              // 1: copy 500 bytes to the second half of `first`
    CUDA_ERROR_INVALID_VALUE,  // 2: copy 501 bytes to the second half of `first`
    CUDA_SUCCESS,              // 3: copy 0 bytes
    CUDA_ERROR_INVALID_VALUE,  // 4: copy to the device address 0
    CUDA_ERROR_INVALID_VALUE,  // 5: copy to a null pointer on the host
    CUDA_ERROR_INVALID_VALUE,  // 6: free an address inside `first`
    CUDA_SUCCESS,              // 7: free `first`
    CUDA_ERROR_INVALID_VALUE,  // 8: free `first` again
    CUDA_SUCCESS,              // 9: free the address 0
    CUDA_SUCCESS,              // 10: free an allocation of B
    CUDA_ERROR_INVALID_VALUE,  // 11: free another allocation of B, after B was destroyed
};

// Do not change anything below. compare(call) makes the call and ends the program at the first difference.
#define compare(...) compare_with_prediction(#__VA_ARGS__, (__VA_ARGS__))

void compare_with_prediction(const char* call, CUresult returned) {
  static std::size_t number = 0;
  const CUresult predicted = kPredicted.at(number++);
  const char *name = nullptr, *other = nullptr;
  check(cuGetErrorName(returned, &name));
  check(cuGetErrorName(predicted, &other));
  std::printf("%zu. %s: %s\n", number, call, name);
  if (returned == predicted) return;
  std::printf("call %zu: you predicted %s, but it returned %s\n", number, other, name);
  lesson::end_here();
}

int main() {
  for (std::size_t i = 0; i < kPredicted.size(); ++i)
    if (kPredicted[i] == CUDA_ERROR_UNKNOWN) {
      std::printf("call %zu has no prediction yet\n", i + 1);
      lesson::end_here();
    }

  CUcontext a = nullptr, b = nullptr;
  CUdevice device = 0;
  CUdeviceptr first = 0, of_b = 0, also_of_b = 0;
  std::array<unsigned char, 1000> host = {};
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&a, CU_CTX_SCHED_AUTO, device));  // stack: A
  check(cuMemAlloc(&first, 1000));
  check(create_context(&b, CU_CTX_SCHED_AUTO, device));  // stack: A, B
  check(cuMemAlloc(&of_b, 1000));
  check(cuMemAlloc(&also_of_b, 1000));
  check(cuCtxPopCurrent(nullptr));  // stack: A

  compare(cuMemcpyHtoD(first + 500, host.data(), 500));
  compare(cuMemcpyHtoD(first + 500, host.data(), 501));
  compare(cuMemcpyHtoD(first, host.data(), 0));
  compare(cuMemcpyHtoD(0, host.data(), 10));
  compare(cuMemcpyDtoH(nullptr, first, 10));
  compare(cuMemFree(first + 8));
  compare(cuMemFree(first));
  compare(cuMemFree(first));
  compare(cuMemFree(0));
  compare(cuMemFree(of_b));
  check(cuCtxDestroy(b));
  compare(cuMemFree(also_of_b));
  check(cuCtxDestroy(a));
}
