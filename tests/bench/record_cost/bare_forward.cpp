// SPDX-License-Identifier: MIT
// The least that forwarding costs: one load, one test, one jump. The tracer's own cost is compared with it.
#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>

namespace {
void* functions[3];

template <class Function>
inline Function* back_end(int index, const char* name) {
  if (functions[index] == nullptr) {
    static void* library = dlopen(std::getenv("DRIVERLAB_BACKEND"), RTLD_NOW | RTLD_LOCAL);
    functions[index] = dlsym(library, name);
  }
  return reinterpret_cast<Function*>(functions[index]);
}
}  // namespace

#pragma GCC visibility push(default)
extern "C" {
int cuCtxGetDevice(int* device) {
  return back_end<int(int*)>(0, "cuCtxGetDevice")(device);
}
int cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total) {
  return back_end<int(std::size_t*, std::size_t*)>(1, "cuMemGetInfo_v2")(free_bytes, total);
}
int cuCtxSetCurrent(std::uint64_t context) {
  return back_end<int(std::uint64_t)>(2, "cuCtxSetCurrent")(context);
}
}
