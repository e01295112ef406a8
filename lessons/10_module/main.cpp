// Lesson 10: a module is code and variables, loaded into one context. How to find kernels and variables in it
// by name, why some names are not those of the source, and what is left after the module is unloaded.
#include "check.hpp"

constexpr int kCount = 256;

// Returns the first value. The copy waits until all kernels before it have ended.
float first(CUdeviceptr values) {
  float value = 0;
  check(cuMemcpyDtoH(&value, values, sizeof value));
  return value;
}

int read_int(CUdeviceptr address) {
  int value = 0;
  check(cuMemcpyDtoH(&value, address, sizeof value));
  return value;
}

int main() {
  CUcontext context = nullptr;
  CUdevice device = 0;
  CUdeviceptr values = 0;

  // step: start
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));
  check(cuMemAlloc(&values, kCount * sizeof(float)));

  // step: load
  // The driver opens exactly this path. A relative path begins at the working folder, as for any file.
  CUmodule module = nullptr;
  const std::string path = lesson::beside_program("kernels.ptx");
  expect(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&module, "no_such_folder/kernels.ptx"));
  check(cuModuleLoad(&module, path.c_str()));

  // step: functions
  CUfunction fill = nullptr, scale = nullptr, none = nullptr;
  check(cuModuleGetFunction(&fill, module, "fill"));
  check(cuModuleGetFunction(&scale, module, "scale"));
  expect(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&none, module, "Scale"));

  // step: launch
  // A launch needs the function, and an array with the addresses of the arguments.
  int count = kCount;
  float value = 10;
  void* fill_arguments[] = {&values, &value, &count};
  void* scale_arguments[] = {&values, &count};
  check(cuLaunchKernel(fill, 1, 1, 1, kCount, 1, 1, 0, nullptr, fill_arguments, nullptr));
  check(cuLaunchKernel(scale, 1, 1, 1, kCount, 1, 1, 0, nullptr, scale_arguments, nullptr));
  claim("10 was doubled", first(values) == 20);

  // step: mangled
  // shift is not declared extern "C", so its name in the PTX contains the types of its parameters.
  CUfunction shift = nullptr;
  float by = 1;
  void* shift_arguments[] = {&values, &by, &count};
  expect(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&none, module, "shift"));
  check(cuModuleGetFunction(&shift, module, "_Z5shiftPffi"));
  check(cuLaunchKernel(shift, 1, 1, 1, kCount, 1, 1, 0, nullptr, shift_arguments, nullptr));
  claim("20 was shifted by 1", first(values) == 21);

  // step: variable
  // A __device__ variable is memory with a name. It was 5, and the one launch of scale has added 1.
  CUdeviceptr launches = 0;
  std::size_t size = 0;
  check(cuModuleGetGlobal(&launches, &size, module, "launches"));
  claim("an int has 4 bytes", size == sizeof(int));
  claim("launches began at 5, and one launch added 1", read_int(launches) == 6);

  // step: constant
  // A __constant__ variable is constant only for kernels: the host can write it between two launches.
  CUdeviceptr factor = 0;
  const float half = 0.5F;
  check(cuModuleGetGlobal(&factor, &size, module, "factor"));
  check(cuMemcpyHtoD(factor, &half, sizeof half));
  check(cuLaunchKernel(scale, 1, 1, 1, kCount, 1, 1, 0, nullptr, scale_arguments, nullptr));
  claim("21 was halved", first(values) == 10.5F);

  // step: loaded_twice
  // The same file again: another module with variables of its own, which begin with the values in the source.
  CUmodule second = nullptr;
  CUdeviceptr second_launches = 0;
  check(cuModuleLoad(&second, path.c_str()));
  check(cuModuleGetGlobal(&second_launches, nullptr, second, "launches"));
  claim("it is another module", second != module);
  claim("with another variable of the same name", second_launches != launches);
  claim("which is still 5", read_int(second_launches) == 5);
  claim("while the first module's is 7", read_int(launches) == 7);

  // step: unload
  // The module's variables are freed with it. What cuMemAlloc allocated belongs to the context, and stays.
  int nothing = 0;
  check(cuModuleUnload(module));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&nothing, launches, sizeof nothing));
  claim("the values are still there", first(values) == 10.5F);
  claim("and so is the second module", read_int(second_launches) == 5);

  // step: end
  check(cuModuleUnload(second));
  check(cuMemFree(values));
  check(cuCtxDestroy(context));
}
