// Lesson 10: a module is code and variables, loaded into one context. How kernels and variables are found in
// it by name, why some names are not what one wrote, and what is left when the module is unloaded.
#include "check.hpp"

constexpr int kCount = 256;

// The first of the values, once everything before has been done.
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
  // The file is looked for where the path says, like any file: from the working folder if it is relative.
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
  // A function is all that a launch needs; the arguments are addresses of the values.
  int count = kCount;
  float value = 10;
  void* fill_arguments[] = {&values, &value, &count};
  void* scale_arguments[] = {&values, &count};
  check(cuLaunchKernel(fill, 1, 1, 1, kCount, 1, 1, 0, nullptr, fill_arguments, nullptr));
  check(cuLaunchKernel(scale, 1, 1, 1, kCount, 1, 1, 0, nullptr, scale_arguments, nullptr));
  claim("10 was doubled", first(values) == 20);

  // step: mangled
  // shift was not declared extern "C", so the compiler wrote its parameters into its name.
  CUfunction shift = nullptr;
  float by = 1;
  void* shift_arguments[] = {&values, &by, &count};
  expect(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&none, module, "shift"));
  check(cuModuleGetFunction(&shift, module, "_Z5shiftPffi"));
  check(cuLaunchKernel(shift, 1, 1, 1, kCount, 1, 1, 0, nullptr, shift_arguments, nullptr));
  claim("20 was shifted by 1", first(values) == 21);

  // step: variable
  // A __device__ variable is memory with a name. It was 5, and scale has counted one launch.
  CUdeviceptr launches = 0;
  std::size_t size = 0;
  check(cuModuleGetGlobal(&launches, &size, module, "launches"));
  claim("an int has 4 bytes", size == sizeof(int));
  claim("launches began at 5, and there was one", read_int(launches) == 6);

  // step: constant
  // Constant for kernels only: the host writes it between two launches.
  CUdeviceptr factor = 0;
  const float half = 0.5F;
  check(cuModuleGetGlobal(&factor, &size, module, "factor"));
  check(cuMemcpyHtoD(factor, &half, sizeof half));
  check(cuLaunchKernel(scale, 1, 1, 1, kCount, 1, 1, 0, nullptr, scale_arguments, nullptr));
  claim("21 was halved", first(values) == 10.5F);

  // step: twice
  // The same file again: another module, with variables of its own, which begin as the source says.
  CUmodule second = nullptr;
  CUdeviceptr second_launches = 0;
  check(cuModuleLoad(&second, path.c_str()));
  check(cuModuleGetGlobal(&second_launches, nullptr, second, "launches"));
  claim("another module", second != module);
  claim("with another variable of that name", second_launches != launches);
  claim("which is 5 still", read_int(second_launches) == 5);
  claim("while the first module's is 7", read_int(launches) == 7);

  // step: unload
  // The variables go with the module. What was allocated beside it is the context's, and stays.
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
