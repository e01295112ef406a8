// SPDX-License-Identifier: MIT
// A library for LD_PRELOAD, for programs that open libcuda by its full path: its dlopen opens the tracer
// instead.
//
// Loaded only into programs that need it. When the tracer itself opens the driver, by the very same path, it
// gets the driver, because the caller's address shows who calls. Runs in other people's programs: nothing
// throws, and errno stays as it was.
#include <dlfcn.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

extern "C" {
__attribute__((visibility("hidden"))) void* (*driverlab_real_dlopen)(const char*, int) = nullptr;
}

namespace {

char tracer_path[4096];

bool is_libcuda(const char* path) {
  const char* name = std::strrchr(path, '/');
  if (name == nullptr) return false;  // found by LD_LIBRARY_PATH or by its soname
  ++name;
  constexpr char kStem[] = "libcuda.so";
  if (std::strncmp(name, kStem, sizeof kStem - 1) != 0) return false;
  const char* rest = name + sizeof kStem - 1;
  return *rest == '\0' || *rest == '.';
}

__attribute__((constructor)) void find_ourselves() {
  driverlab_real_dlopen = reinterpret_cast<void* (*)(const char*, int)>(dlsym(RTLD_NEXT, "dlopen"));
  Dl_info info;
  if (std::getenv("DRIVERLAB_TRACE") == nullptr || dladdr(reinterpret_cast<void*>(&is_libcuda), &info) == 0)
    return;
  const char* slash = std::strrchr(info.dli_fname, '/');
  constexpr char kTracer[] = "/libcuda.so.1";
  const std::size_t folder = slash != nullptr ? static_cast<std::size_t>(slash - info.dli_fname) : 0;
  if (folder == 0 || folder + sizeof kTracer > sizeof tracer_path) return;
  std::memcpy(tracer_path, info.dli_fname, folder);
  std::memcpy(tracer_path + folder, kTracer, sizeof kTracer);
}

}  // namespace

extern "C" __attribute__((visibility("hidden"))) const char* driverlab_redirected(const char* name,
                                                                                  void* caller) {
  if (driverlab_real_dlopen == nullptr)  // a constructor of another library runs before ours
    driverlab_real_dlopen = reinterpret_cast<void* (*)(const char*, int)>(dlsym(RTLD_NEXT, "dlopen"));
  if (name == nullptr || tracer_path[0] == '\0' || !is_libcuda(name)) return name;
  Dl_info info;
  const bool by_tracer = dladdr(caller, &info) != 0 && info.dli_fname != nullptr &&
                         std::strcmp(info.dli_fname, tracer_path) == 0;
  return by_tracer ? name : tracer_path;
}
