// Exercise 28, a wrong answer: the limit is raised once, to the first size that needs it.
#include "check.hpp"

constexpr unsigned kKiB = 1024, kThreads = 128;
constexpr CUfunction_attribute kLimit = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;

namespace launching {

// Launches one block of `tile` with so many bytes of dynamic shared memory. Returns false, and makes no call
// that fails, if no launch can have so many. Never lowers the limit of `tile`.
bool with_shared(CUfunction tile, unsigned bytes, CUdeviceptr total) {
  void* arguments[] = {&total, &bytes};
  static bool raised = false;
  int limit = 0, own = 0, most = 0;
  check(cuFuncGetAttribute(&limit, kLimit, tile));
  check(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0));
  check(cuFuncGetAttribute(&own, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, tile));
  if (bytes > static_cast<unsigned>(most - own)) return false;
  if (!raised && bytes > static_cast<unsigned>(limit)) {
    check(cuFuncSetAttribute(tile, kLimit, static_cast<int>(bytes)));
    raised = true;
  }
  check(cuLaunchKernel(tile, 1, 1, 1, kThreads, 1, 1, bytes, nullptr, arguments, nullptr));
  return true;
}

}  // namespace launching

int main() {
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction tile = nullptr;
  CUdeviceptr total = 0;
  int own = 0, most = 0, limit = 0;
  check(cuInit(0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&tile, module, "tile"));
  check(cuFuncGetAttribute(&own, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, tile));
  check(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0));
  check(cuMemAlloc(&total, sizeof(unsigned)));

  // Each launch of `tile` counts the words of dynamic shared memory that it had.
  const unsigned all = static_cast<unsigned>(most - own);
  bool launched = true, complete = true;
  for (const unsigned bytes : {16 * kKiB, 47 * kKiB, 48 * kKiB, all, 56 * kKiB, all, 16 * kKiB}) {
    unsigned words = 0;
    check(cuMemsetD32(total, 0, 1));
    launched = launched && launching::with_shared(tile, bytes, total);
    check(cuMemcpyDtoH(&words, total, sizeof words));
    complete = complete && words == bytes / sizeof(unsigned);
  }
  claim("every size that the device allows was launched", launched);
  claim("and every word was there", complete);
  claim("a size beyond that was refused", !launching::with_shared(tile, all + 4, total));
  check(cuFuncGetAttribute(&limit, kLimit, tile));
  claim("the limit was never lowered", limit == static_cast<int>(all));

  check(cuMemFree(total));
  check(cuModuleUnload(module));
  check(cuCtxDestroy(context));
}
