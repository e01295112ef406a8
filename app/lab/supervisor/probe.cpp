// SPDX-License-Identifier: MIT
// Asks a driver what it is, through its public entry points. It runs in a process of its own because a
// driver may take seconds, hang or crash.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <string_view>

#include "supervisor.hpp"

namespace supervisor {
namespace {

template <class Function>
Function* entry(void* library, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(library, name));
}

}  // namespace

int probe(const char* path) {
  void* library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::printf("unloadable %s\n", ::dlerror());
    return 1;
  }
  auto* init = entry<int(unsigned)>(library, "cuInit");
  auto* version = entry<int(int*)>(library, "cuDriverGetVersion");
  auto* count = entry<int(int*)>(library, "cuDeviceGetCount");
  auto* get = entry<int(int*, int)>(library, "cuDeviceGet");
  auto* name = entry<int(char*, int, int)>(library, "cuDeviceGetName");
  auto* uuid = entry<int(char*, int)>(library, "cuDeviceGetUuid_v2");  // none before CUDA 11.4
  if (init == nullptr || version == nullptr || count == nullptr || get == nullptr || name == nullptr) {
    std::printf("unloadable no driver entry points\n");
    return 1;
  }
  int number = 0;
  if (version(&number) == 0) std::printf("version %d\n", number);
  const int result = init(0);
  std::printf("init %d\n", result);
  std::fflush(stdout);
  int devices = 0;
  if (result == 0 && count(&devices) == 0) std::printf("devices %d\n", devices);
  for (int i = 0; i < devices; ++i) {
    int device = 0;
    char text[256] = {};
    if (get(&device, i) == 0 && name(text, sizeof text, device) == 0) std::printf("name %s\n", text);
    // The embedded driver's devices may have the name of a real one; their UUIDs say what they are.
    constexpr std::string_view kEmbedded = "embedded-gpu";
    char bytes[16] = {};
    if (i == 0 && uuid != nullptr && uuid(bytes, device) == 0 &&
        std::memcmp(bytes, kEmbedded.data(), kEmbedded.size()) == 0)
      std::printf("embedded\n");
  }
  std::fflush(stdout);
  return 0;
}

}  // namespace supervisor
