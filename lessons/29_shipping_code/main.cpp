// Lesson 29: code for GPUs that a program has never seen: what the driver takes and refuses, keeps and loads.
#include <filesystem>
#include <thread>

#include "check_nvrtc.hpp"
#include "fatbin.h"  // fatbin_pack() of libfatbin.so

// Loads the image with an option, runs its kernel, unloads it, and returns the number that the kernel stored.
int number_of(const void* image, CUdeviceptr memory, CUjit_option option = CU_JIT_TARGET_FROM_CUCONTEXT,
              std::uintptr_t value = 0) {
  CUmodule module = nullptr;
  CUfunction answer = nullptr;
  int number = 0;
  void *arguments[] = {&memory}, *option_value = reinterpret_cast<void*>(value);
  check(cuModuleLoadDataEx(&module, image, 1, &option, &option_value));
  check(cuModuleGetFunction(&answer, module, "answer"));
  check(cuLaunchKernel(answer, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  check(cuMemcpyDtoH(&number, memory, sizeof number));
  check(cuModuleUnload(module));
  return number;
}

int main() {
  CUcontext context = nullptr;
  CUmodule module = nullptr, other = nullptr;
  CUdeviceptr memory = 0;
  void *image = nullptr, *pinned = nullptr;
  std::size_t size = 0;
  int major = 0, minor = 0;

  // step: start
  // Set before cuInit: the driver shall keep what it compiles in a new folder of this program.
  const std::string cache = lesson::beside_program("cache_" + std::to_string(getpid()));
  std::filesystem::create_directory(cache);
  setenv("CUDA_CACHE_PATH", cache.c_str(), 1);
  setenv("CUDA_CACHE_DISABLE", "0", 1);
  check(cuInit(0));
  check(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
  check(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  check(cuMemAlloc(&memory, sizeof(int)));
  const int here = 10 * major + minor, latest = here < 80 ? 75 : 80;  // of our texts, the latest for it

  // step: text
  // PTX for an old architecture. The driver compiles it for this device.
  std::string for_75 = lesson::text_of(lesson::beside_program("answer_75.ptx"));
  check(cuModuleLoadData(&module, for_75.data()));
  claim("PTX for 7.5 runs here", number_of(for_75.data(), memory, CU_JIT_TARGET, here) == 75);

  // step: machine_code
  // The linker gives out what the driver has compiled: an ELF file for one architecture, a cubin.
  CUlinkState linker = nullptr;
  check(cuLinkCreate(0, nullptr, nullptr, &linker));
  check(cuLinkAddData(linker, CU_JIT_INPUT_PTX, for_75.data(), for_75.size() + 1, "75", 0, nullptr, nullptr));
  check(cuLinkComplete(linker, &image, &size));
  const std::string cubin(static_cast<char*>(image), size);
  check(cuLinkDestroy(linker));
  claim("the image is an ELF file", cubin.compare(0, 4, "\177ELF") == 0);
  claim("its copy does what the text does", number_of(cubin.data(), memory) == 75);

  // step: other_gpu
  // The same machine code, but its header says that it is for 7.5, or for 8.0 where the device has 7.5.
  std::string foreign = cubin;
  for (std::size_t at = 48; at < 52; ++at)
    if (foreign[at] == here) foreign[at] = here == 75 ? 80 : 75;
  expect(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&other, foreign.data()));

  // step: refused
  // PTX of a version that the driver does not know, PTX for a later architecture, and bytes that are no code.
  std::string version_99 = for_75, for_999 = for_75;
  version_99.replace(version_99.find("7.0"), 3, "99.0");
  for_999.replace(for_999.find("sm_75"), 5, "sm_999");
  foreign[0] = 'x';
  expect(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, cuModuleLoadData(&other, version_99.data()));
  expect(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&other, for_999.data()));
  expect(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&other, foreign.data()));

  // step: fatbin
  // Nothing in the first fatbin is for this device. The second has three texts, the third PTX and a cubin.
  const std::string for_80 = lesson::text_of(lesson::beside_program("answer_80.ptx"));
  const fatbin_image all[] = {{FATBIN_PTX, 999, for_999.data(), for_999.size() + 1},
                              {FATBIN_PTX, 75, for_75.data(), for_75.size() + 1},
                              {FATBIN_PTX, 80, for_80.data(), for_80.size() + 1},
                              {FATBIN_CUBIN, here, cubin.data(), cubin.size()}};
  expect(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&other, fatbin_pack(all, 1)));
  claim("of three texts it takes the latest that fits", number_of(fatbin_pack(all, 3), memory) == latest);
  const int taken = number_of(fatbin_pack(all + 2, 2), memory, CU_JIT_FALLBACK_STRATEGY, CU_PREFER_PTX);
  claim("of PTX for 8.0 and a cubin for this device it takes the cubin", taken == 75);

  // step: cache
  // A new text, with an option whose name sounds as if it turned the cache off.
  const auto files = [&] { return std::distance(std::filesystem::recursive_directory_iterator(cache), {}); };
  const auto before = files();
  check(cuMemsetD32(memory, 0, 1));
  number_of(("// new\n" + for_75).data(), memory, CU_JIT_CACHE_MODE, CU_JIT_CACHE_OPTION_NONE);
  std::printf("files in the cache: %td, and after a new text %td\n", before, files());
  claim("the cache is empty, or it has more files than before", before == 0 || files() > before);

  // step: nvrtc
  // For a real architecture, sm_ and a number, NVRTC makes a cubin: the driver has nothing left to compile.
  const std::string option = "--gpu-architecture=sm_" + std::to_string(here);
  const char *source = "extern \"C\" __global__ void answer(int* to) { *to = 3; }", *options = option.c_str();
  nvrtcProgram program = nullptr;
  check(nvrtcCreateProgram(&program, source, "answer.cu", 0, nullptr, nullptr));
  check(nvrtcCompileProgram(program, 1, &options));
  check(nvrtcGetCUBINSize(program, &size));
  std::string made(size, '\0');
  check(nvrtcGetCUBIN(program, made.data()));
  check(nvrtcDestroyProgram(&program));
  claim("NVRTC made an ELF file", made.compare(0, 4, "\177ELF") == 0);
  claim("it runs here", number_of(made.data(), memory) == 3);

  // step: lazy
  // The first module has been loaded for a while, but the program has not asked for its function.
  CUfunction answer = nullptr;
  CUmoduleLoadingMode mode{};
  CUfunctionLoadingState state{};
  check(cuModuleGetLoadingMode(&mode));
  check(cuModuleEnumerateFunctions(&answer, 1, module));
  check(cuFuncIsLoaded(&state, answer));
  std::printf("loading is %s, the function is %s\n", mode == CU_MODULE_LAZY_LOADING ? "lazy" : "eager",
              state == CU_FUNCTION_LOADING_STATE_LOADED ? "loaded" : "not loaded");
  check(cuFuncLoad(answer));
  check(cuFuncIsLoaded(&state, answer));
  claim("after cuFuncLoad the function is loaded", state == CU_FUNCTION_LOADING_STATE_LOADED);

  // step: load_first
  // The stream waits until the gate is 1. A thread opens it after a moment, while cuModuleLoadData runs.
  CUstream stream = nullptr;
  check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  check(cuMemAllocHost(&pinned, sizeof(unsigned)));
  auto* const gate = new (pinned) volatile unsigned(0);
  check(cuStreamWaitValue32(stream, reinterpret_cast<CUdeviceptr>(gate), 1, CU_STREAM_WAIT_VALUE_EQ));
  std::thread opener([gate] {
    usleep(100000);
    *gate = 1;
  });
  check(cuModuleLoadData(&other, (here < 80 ? for_75 : for_80).data()));
  check(cuStreamQuery(stream));
  opener.join();

  // step: end
  for (CUmodule one : {module, other}) check(cuModuleUnload(one));
  check(cuStreamDestroy(stream));
  check(cuMemFreeHost(pinned));
  check(cuMemFree(memory));
  check(cuCtxDestroy(context));
  std::filesystem::remove_all(cache);
}
