// Exercise 01, a wrong answer: "before cuInit no call works". The names of errors and the version come from
// the library itself, so these calls work at any time.
#include "check.hpp"

// Leave this as it is. The program ends at the first call that does not return what you predicted.
#define predict(expected, ...) compare(__LINE__, #__VA_ARGS__, (expected), (__VA_ARGS__))
void compare(int line, const char* call, CUresult expected, CUresult returned) {
  if (returned == expected) return;
  const char *wrote = nullptr, *real = nullptr;
  cuGetErrorName(expected, &wrote);
  cuGetErrorName(returned, &real);
  std::printf("line %d, %s: predicted %s, but it returned %s\n", line, call, wrote ? wrote : "?",
              real ? real : "?");
  lesson::end_here();
}

// Replace each CUDA_ERROR_UNKNOWN by CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_NOT_INITIALIZED,
// CUDA_ERROR_INVALID_DEVICE or CUDA_ERROR_INVALID_CONTEXT. Change nothing else.
int main() {
  const char* text = nullptr;
  int version = 0, count = 0;
  char letters[4] = {};
  CUdevice device = 0;
  CUcontext current = nullptr;
  CUdeviceptr memory = 0;
  predict(CUDA_ERROR_NOT_INITIALIZED, cuGetErrorName(CUDA_ERROR_NOT_INITIALIZED, &text));
  predict(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  predict(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
  predict(CUDA_ERROR_NOT_INITIALIZED, cuDriverGetVersion(&version));
  predict(CUDA_SUCCESS, cuInit(0));
  predict(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  predict(CUDA_SUCCESS, cuDeviceGetCount(&count));
  predict(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, count));
  predict(CUDA_SUCCESS, cuDeviceGetName(letters, 4, 0));
  predict(CUDA_SUCCESS, cuCtxGetCurrent(&current));
  predict(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 16));
  std::printf("all predictions are right\n");
}
