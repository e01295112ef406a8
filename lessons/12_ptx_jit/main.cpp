// Lesson 12: PTX is text, and the driver compiles it. The program passes options, and reads logs that name
// the line of a mistake. What the driver returns for PTX that is wrong or too new, and for other text.
#include <cstring>
#include <string>

#include "check.hpp"

// PTX whose seventh line is `store`. The logs name this line if it has a mistake.
std::string ptx(const std::string& version, const std::string& target, const std::string& store) {
  return ".version " + version + "\n.target " + target +
         "\n.address_size 64\n"
         ".visible .entry answer(.param .u64 result) {\n"
         "  .reg .b64 %rd<2>;\n"
         "  ld.param.u64 %rd1, [result];\n  " +
         store + "\n  ret;\n}\n";
}

constexpr const char* kStore = "st.u32 [%rd1], 42;";

// An option is a number and a value. The value is passed as a void*, whether it is an address or a size.
struct Log {
  char text[1024] = "";
  CUjit_option names[2] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[2] = {text, reinterpret_cast<void*>(sizeof text)};

  std::size_t bytes() const { return reinterpret_cast<std::size_t>(values[1]); }
};

int main() {
  CUcontext context = nullptr;
  CUdevice device = 0;
  CUmodule module = nullptr;

  // step: start
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));

  // step: text
  // The program needs no file and no other compiler: the code is a string, ended by a zero.
  const std::string good = ptx("7.0", "sm_75", kStore);
  CUfunction answer = nullptr;
  CUdeviceptr result = 0;
  int value = 0;
  void* arguments[] = {&result};
  check(cuMemAlloc(&result, sizeof value));
  check(cuModuleLoadData(&module, good.c_str()));
  check(cuModuleGetFunction(&answer, module, "answer"));
  check(cuLaunchKernel(answer, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  check(cuMemcpyDtoH(&value, result, sizeof value));
  claim("the kernel ran: the result is 42", value == 42);

  // step: compiled
  // The PTX is for one architecture, and the driver has compiled it for this device.
  int from = 0, into = 0, major = 0, minor = 0;
  check(cuFuncGetAttribute(&from, CU_FUNC_ATTRIBUTE_PTX_VERSION, answer));
  check(cuFuncGetAttribute(&into, CU_FUNC_ATTRIBUTE_BINARY_VERSION, answer));
  check(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  check(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
  claim("the PTX was for 7.5", from == 75);
  claim("the code is for this device", into == major * 10 + minor);
  check(cuModuleUnload(module));

  // step: options
  // The same with a log. The driver replaces the size of the buffer by the size of the text in it.
  Log quiet;
  check(cuModuleLoadDataEx(&module, good.c_str(), 2, quiet.names, quiet.values));
  claim("the log is empty", quiet.text[0] == 0);
  claim("so the driver replaced the 1024 in the array by 0", quiet.bytes() == 0);
  check(cuModuleUnload(module));

  // step: mistake
  const std::string broken = ptx("7.0", "sm_75", "frobnicate.u32 %rd1;");
  Log told;
  expect(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&module, broken.c_str(), 2, told.names, told.values));
  std::puts(told.text);
  claim("the log names the line", std::strstr(told.text, "line 7") != nullptr);
  claim("the log names the unknown word", std::strstr(told.text, "frobnicate") != nullptr);
  claim("and the array holds the length of the log", told.bytes() > 0 && told.bytes() < sizeof told.text);

  // step: short_log
  // A buffer that is too small gets the beginning of the log, ended by a zero.
  Log few;
  few.values[1] = reinterpret_cast<void*>(std::size_t{40});
  expect(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&module, broken.c_str(), 2, few.names, few.values));
  claim("it holds 39 characters and the zero", std::strlen(few.text) == 39 && few.bytes() == 40);

  // step: not_ptx
  expect(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, "some PTX code"));

  // step: too_new
  // Each PTX names a version and a target, and the driver has to know both.
  const std::string version = ptx("99.0", "sm_75", kStore), target = ptx("7.0", "sm_999", kStore);
  expect(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, cuModuleLoadData(&module, version.c_str()));
  expect(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&module, target.c_str()));

  // step: wall_time
  // The header says that this option is a float, not an address: the driver does not follow an address here,
  // and writes over it.
  float milliseconds = -1;
  CUjit_option name = CU_JIT_WALL_TIME;
  void* value_of_option = &milliseconds;
  check(cuModuleLoadDataEx(&module, good.c_str(), 1, &name, &value_of_option));
  claim("the float has not changed", milliseconds == -1);
  claim("but the value in the array has", value_of_option != &milliseconds);
  check(cuModuleUnload(module));

  // step: wall_time_read
  // The right way: the float is in the array itself. Before the load it is -1, which is no time.
  std::memcpy(&value_of_option, &milliseconds, sizeof milliseconds);
  check(cuModuleLoadDataEx(&module, good.c_str(), 1, &name, &value_of_option));
  std::memcpy(&milliseconds, &value_of_option, sizeof milliseconds);
  claim("the driver has written a time into the array", milliseconds >= 0);
  std::printf("the translation took %.2f ms\n", static_cast<double>(milliseconds));
  check(cuModuleUnload(module));

  // step: end
  check(cuMemFree(result));
  check(cuCtxDestroy(context));
}
