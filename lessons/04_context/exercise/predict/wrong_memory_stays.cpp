// Exercise 04, a wrong answer: "memory exists until cuMemFree". Destroying a context frees all memory that
// it owns.
#include <cstring>
#include <thread>

#include "check.hpp"

// Leave what stands above main() as it is. The program ends at the first prediction that is not right.
CUcontext first = nullptr, second = nullptr;

const char* name_of(CUcontext context) {
  if (context == nullptr) return "none";
  return context == first ? "first" : "second";
}
const char* name_of(CUresult result) {
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  return name ? name : "?";
}
void compare(int line, const char* what, const char* predicted, const char* real) {
  if (std::strcmp(predicted, real) == 0) return;
  std::printf("line %d, %s: predicted %s, but it is %s\n", line, what, predicted, real);
  lesson::end_here();
}

CUcontext owner_of(CUdeviceptr memory) {
  CUcontext owner = nullptr;
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  return owner;
}
CUcontext current() {
  CUcontext context = nullptr;
  check(cuCtxGetCurrent(&context));
  return context;
}

#define predict_context(predicted, ...) compare(__LINE__, #__VA_ARGS__, (predicted), name_of(__VA_ARGS__))
#define predict_result(predicted, ...) \
  compare(__LINE__, #__VA_ARGS__, name_of(predicted), name_of(__VA_ARGS__))

// Replace each "?" by "first", "second" or "none", and each CUDA_ERROR_UNKNOWN by CUDA_SUCCESS,
// CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT or CUDA_ERROR_CONTEXT_IS_DESTROYED.
int main() {
  CUdeviceptr a = 0, b = 0, c = 0;
  check(cuInit(0));
  check(create_context(&first, 0, 0));
  check(cuMemAlloc(&a, 16));
  check(create_context(&second, 0, 0));
  check(cuMemAlloc(&b, 16));
  std::thread worker([&] {
    check(cuCtxSetCurrent(first));
    check(cuMemAlloc(&c, 16));
    check(cuCtxSetCurrent(nullptr));
  });
  worker.join();
  predict_context("first", owner_of(a));
  predict_context("second", owner_of(b));
  predict_context("first", owner_of(c));
  predict_context("second", current());
  predict_result(CUDA_SUCCESS, cuMemsetD8(a, 1, 16));

  check(cuCtxDestroy(second));
  predict_context("first", current());
  predict_result(CUDA_SUCCESS, cuMemsetD8(a, 2, 16));
  predict_result(CUDA_SUCCESS, cuMemsetD8(b, 2, 16));
  predict_result(CUDA_SUCCESS, cuMemsetD8(c, 2, 16));

  check(cuCtxDestroy(first));
  predict_context("none", current());
  predict_result(CUDA_ERROR_INVALID_CONTEXT, cuMemsetD8(a, 3, 16));
  predict_result(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
  std::printf("all predictions are right\n");
}
