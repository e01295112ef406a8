// Lesson 20: the program contains its kernel as C++ source, and compiles it with NVRTC while it runs. Then it
// computes SAXPY, out = a x + y, for 16,777,216 numbers: they are copied, computed and copied back in one
// stream, and the result is checked and timed.
#include <cstring>
#include <string>

#include "check_nvrtc.hpp"

constexpr unsigned kThreads = 512, kBlocks = 32768;
constexpr std::size_t kCount = std::size_t{kThreads} * kBlocks, kBytes = kCount * sizeof(float);

constexpr const char* kSource = R"(extern "C" __global__
void saxpy(float a, float* x, float* y, float* out, size_t n) {
  size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}
)";

float* pinned_numbers() {
  void* memory = nullptr;
  check(cuMemAllocHost(&memory, kBytes));
  return static_cast<float*>(memory);
}

int main() {
  const char* const options[] = {"--fmad=false", "--gpu-architecture=compute_75"};

  // step: mistake
  // NVRTC needs no GPU and no context. In this step the program asks the driver only for its version.
  int version = 0;
  nvrtcProgram broken = nullptr;
  std::size_t log_size = 0;
  check(cuDriverGetVersion(&version));
  check(nvrtcCreateProgram(&broken, "__global__ void k() {\n  no_such_name;\n}\n", "broken.cu", 0, nullptr,
                           nullptr));
  expect(NVRTC_ERROR_COMPILATION, nvrtcCompileProgram(broken, 2, options));
  check(nvrtcGetProgramLogSize(broken, &log_size));
  std::string log(log_size, '\0');
  check(nvrtcGetProgramLog(broken, log.data()));
  claim("the log names file and line", std::strstr(log.c_str(), "broken.cu(2)") != nullptr);
  check(nvrtcDestroyProgram(&broken));

  // step: compile
  nvrtcProgram program = nullptr;
  std::size_t ptx_size = 0;
  check(nvrtcCreateProgram(&program, kSource, "saxpy.cu", 0, nullptr, nullptr));
  check(nvrtcCompileProgram(program, 2, options));
  check(nvrtcGetPTXSize(program, &ptx_size));
  std::string ptx(ptx_size, '\0');
  check(nvrtcGetPTX(program, ptx.data()));
  check(nvrtcDestroyProgram(&program));
  check(cuInit(0));
  claim("the result is PTX with the kernel saxpy", ptx.find(".entry saxpy") != std::string::npos);

  // step: load
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction saxpy = nullptr;
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));
  check(cuModuleLoadData(&module, ptx.c_str()));
  check(cuModuleGetFunction(&saxpy, module, "saxpy"));

  // step: data
  CUdeviceptr x = 0, y = 0, out = 0;
  for (CUdeviceptr* memory : {&x, &y, &out}) check(cuMemAlloc(memory, kBytes));
  float *const host_x = pinned_numbers(), *const host_y = pinned_numbers(),
               *const host_out = pinned_numbers();
  for (std::size_t i = 0; i < kCount; ++i) {
    host_x[i] = static_cast<float>(i % 1000) / 1000;
    host_y[i] = static_cast<float>(i % 777) / 777;
  }
  void* pinned = nullptr;
  check(cuMemAllocHost(&pinned, sizeof(unsigned)));
  auto* const gate = static_cast<volatile unsigned*>(pinned);
  *gate = 0;

  // step: stream
  // All work goes into one stream, so it is done in this order. First the stream waits until the gate is 1:
  // both copies return before anything is copied.
  CUstream stream = nullptr;
  CUevent begin = nullptr, end = nullptr;
  float a = 2;
  std::size_t n = kCount;  // eight bytes, like the kernel's parameter
  void* arguments[] = {&a, &x, &y, &out, &n};
  check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  check(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  check(cuEventCreate(&end, CU_EVENT_DEFAULT));
  check(cuStreamWaitValue32(stream, reinterpret_cast<CUdeviceptr>(gate), 1, CU_STREAM_WAIT_VALUE_EQ));
  check(cuMemcpyHtoDAsync(x, host_x, kBytes, stream));
  check(cuMemcpyHtoDAsync(y, host_y, kBytes, stream));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
  *gate = 1;
  check(cuEventRecord(begin, stream));
  check(cuLaunchKernel(saxpy, kBlocks, 1, 1, kThreads, 1, 1, 0, stream, arguments, nullptr));
  check(cuEventRecord(end, stream));
  check(cuMemcpyDtoHAsync(host_out, out, kBytes, stream));

  // step: wait
  float milliseconds = 0;
  check(cuStreamSynchronize(stream));
  check(cuEventElapsedTime(&milliseconds, begin, end));
  std::printf("the kernel took %.0f microseconds\n", milliseconds * 1000.0);

  // step: verify
  // With --fmad=false the product is rounded before the sum, as on the host: all bits must be equal.
  std::size_t different = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    const float product = a * host_x[i];
    if (host_out[i] != product + host_y[i]) ++different;
  }
  check(cuStreamQuery(stream));
  claim("all 16,777,216 results equal the host's", different == 0);

  // step: end
  for (CUevent event : {begin, end}) check(cuEventDestroy(event));
  check(cuStreamDestroy(stream));
  for (CUdeviceptr memory : {x, y, out}) check(cuMemFree(memory));
  for (float* memory : {host_x, host_y, host_out}) check(cuMemFreeHost(memory));
  check(cuMemFreeHost(pinned));
  check(cuModuleUnload(module));
  check(cuCtxDestroy(context));
}
