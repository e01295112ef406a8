// Exercise 17, a wrong answer: it reports the broken version, but the old one is already unloaded.
#include "check.hpp"

namespace library {

CUlibrary code = nullptr;

CUresult load(const char* text, CUlibrary* loaded) {
  return cuLibraryLoadData(loaded, text, nullptr, nullptr, 0, nullptr, nullptr, 0);
}

void open(const char* text) {
  check(load(text, &code));
}

// Replaces the code by another version of it. If that has no kernel count_call, it returns the error, and the
// old version stays in use. Change this function only.
CUresult replace(const char* text) {
  CUkernel kernel = nullptr;
  check(cuLibraryUnload(code));
  const CUresult result = load(text, &code);
  return result != CUDA_SUCCESS ? result : cuLibraryGetKernel(&kernel, code, "count_call");
}

// Returns how often it was called in the current context.
int call() {
  CUkernel kernel = nullptr;
  CUdeviceptr address = 0;
  int calls = 0;
  check(cuLibraryGetKernel(&kernel, code, "count_call"));
  check(cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  check(cuLibraryGetGlobal(&address, nullptr, code, "calls"));
  check(cuMemcpyDtoH(&calls, address, sizeof calls));
  return calls;
}

void close() {
  check(cuLibraryUnload(code));
}

}  // namespace library

// PTX that the driver accepts, without the kernel.
constexpr const char* kWithoutKernel = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry other() { ret; }
)";

int main() {
  CUcontext context = nullptr;
  const std::string good = lesson::text_of(lesson::beside_program("kernels.ptx"));
  check(cuInit(0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  library::open(good.c_str());
  claim("the first call", library::call() == 1);

  claim("text that is no code is refused", library::replace("some PTX code") == CUDA_ERROR_INVALID_IMAGE);
  claim("the old version counts on", library::call() == 2);
  claim("code without the kernel is refused", library::replace(kWithoutKernel) == CUDA_ERROR_NOT_FOUND);
  claim("the old version still counts on", library::call() == 3);

  claim("a good version is accepted", library::replace(good.c_str()) == CUDA_SUCCESS);
  claim("the new version begins at 0", library::call() == 1);
  library::close();
  check(cuCtxDestroy(context));
}
