// SPDX-License-Identifier: MIT
// Finds the library that an interposed libcudart or libnvrtc forwards to, and the tracer next to it.
//
// The real one is the library that the program would have loaded without us: what the folders of the objects
// that need it say (RPATH, LD_LIBRARY_PATH, RUNPATH, the system's), or, if the lab sets it
// (DRIVERLAB_TOOLKIT), that of its own toolkit. Runs in other people's programs, perhaps before main: nothing
// here throws, and if two threads do the same work at the same time, both get the same result.
#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "forwarded.hpp"
#include "outer_call.hpp"

#define DRIVERLAB_TEXT(x) #x
#define DRIVERLAB_TEXT_OF(x) DRIVERLAB_TEXT(x)

namespace trace::interpose {

const OuterCalls* outer_calls = nullptr;
const bool outer_asks_current = DRIVERLAB_ASKS_CURRENT != 0;

namespace {

constexpr const char* kName =
    DRIVERLAB_TEXT_OF(DRIVERLAB_LIBRARY_STEM) ".so." DRIVERLAB_TEXT_OF(DRIVERLAB_LIBRARY_MAJOR);
constexpr std::size_t kLongestPath = 4096;

int no_function() {
  return DRIVERLAB_NO_FUNCTION;  // cudaErrorNotSupported, NVRTC_ERROR_INTERNAL_ERROR
}

// Our own file: it must not be found again.
bool is_this_library(const struct stat& about) {
  static struct stat own;
  static bool asked = false, known = false;
  if (!asked) {
    Dl_info info;
    known = dladdr(reinterpret_cast<void*>(&no_function), &info) != 0 && stat(info.dli_fname, &own) == 0;
    asked = true;
  }
  return known && own.st_dev == about.st_dev && own.st_ino == about.st_ino;
}

void* open_in(const char* folder, std::size_t length) {
  char path[kLongestPath];
  const int written = std::snprintf(path, sizeof path, "%.*s/%s", static_cast<int>(length), folder, kName);
  struct stat about;
  if (length == 0 || written < 0 || static_cast<std::size_t>(written) >= sizeof path) return nullptr;
  if (stat(path, &about) != 0 || is_this_library(about)) return nullptr;
  return dlopen(path, RTLD_LAZY | RTLD_LOCAL);
}

void* open_in_list(const char* list) {
  void* opened = nullptr;
  while (list != nullptr && *list != '\0' && opened == nullptr) {
    const char* end = std::strchr(list, ':');
    const std::size_t length = end != nullptr ? static_cast<std::size_t>(end - list) : std::strlen(list);
    opened = open_in(list, length);
    list = end != nullptr ? end + 1 : nullptr;
  }
  return opened;
}

bool needs_it(const link_map& object) {
  const char* names = nullptr;
  for (const ElfW(Dyn)* entry = object.l_ld; entry != nullptr && entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB)
      names = reinterpret_cast<const char*>(entry->d_un.d_ptr);  // NOLINT(performance-no-int-to-ptr)
  if (names == nullptr) return false;
  for (const ElfW(Dyn)* entry = object.l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_NEEDED && std::strcmp(names + entry->d_un.d_val, kName) == 0) return true;
  return false;
}

// In the folders in which the loader looks on behalf of `object`, in its order.
void* open_for(link_map& object) {
  Dl_serinfo size;
  if (dlinfo(&object, RTLD_DI_SERINFOSIZE, &size) != 0) return nullptr;
  auto* folders = static_cast<Dl_serinfo*>(std::malloc(size.dls_size));
  void* opened = nullptr;
  if (folders != nullptr && dlinfo(&object, RTLD_DI_SERINFOSIZE, folders) == 0 &&
      dlinfo(&object, RTLD_DI_SERINFO, folders) == 0) {
    for (unsigned i = 0; i < folders->dls_cnt && opened == nullptr; ++i)
      opened = open_in(folders->dls_serpath[i].dls_name, std::strlen(folders->dls_serpath[i].dls_name));
  }
  std::free(folders);
  return opened;
}

// First the objects that name it; then the program, in case it was opened by name.
void* open_as_the_loader_would() {
  void* program = dlopen(nullptr, RTLD_LAZY);
  if (program == nullptr) return nullptr;
  auto* first = static_cast<link_map*>(program);
  void* opened = nullptr;
  for (link_map* object = first; object != nullptr && opened == nullptr; object = object->l_next)
    if (needs_it(*object)) opened = open_for(*object);
  return opened != nullptr ? opened : open_for(*first);
}

[[noreturn]] void give_up() {
  // The loader would not have started the program without it either.
  std::fprintf(
      stderr,
      "driverlab: the program needs %s, which is in none of the folders in which the loader looks; add its "
      "folder to LD_LIBRARY_PATH\n",
      kName);
  _exit(127);
}

void* open_library() {
  static void* library = nullptr;
  void* opened = __atomic_load_n(&library, __ATOMIC_ACQUIRE);
  if (opened != nullptr) return opened;
  const int saved = errno;
  opened = open_in_list(std::getenv("DRIVERLAB_TOOLKIT"));
  if (opened == nullptr) opened = open_as_the_loader_would();
  if (opened == nullptr) opened = open_in_list(std::getenv("DRIVERLAB_TOOLKIT_PATH"));
  if (opened == nullptr) give_up();
  errno = saved;
  __atomic_store_n(&library, opened, __ATOMIC_RELEASE);
  return opened;
}

void* find(const char* symbol) {
  void* function = dlsym(open_library(), symbol);
  return function != nullptr ? function : reinterpret_cast<void*>(&no_function);
}

}  // namespace

void* find_outer(std::size_t slot) {
  void* function = find(outer_symbols[slot]);
  __atomic_store_n(&outer_functions[slot], function, __ATOMIC_RELAXED);
  return function;
}

const OuterCalls* find_outer_calls() {
  static int untraced = 0;
  if (__atomic_load_n(&untraced, __ATOMIC_RELAXED) != 0) return nullptr;
  const int saved = errno;
  const OuterCalls* calls = nullptr;
  Dl_info info;
  const char* trace = std::getenv("DRIVERLAB_TRACE");
  if (trace != nullptr && *trace != '\0' && dladdr(reinterpret_cast<void*>(&no_function), &info) != 0) {
    char path[kLongestPath];
    const char* slash = std::strrchr(info.dli_fname, '/');
    const int folder = slash != nullptr ? static_cast<int>(slash - info.dli_fname) : 0;
    const int written = std::snprintf(path, sizeof path, "%.*s/libcuda.so.1", folder, info.dli_fname);
    void* tracer = folder > 0 && written > 0 && static_cast<std::size_t>(written) < sizeof path
                       ? dlopen(path, RTLD_LAZY | RTLD_LOCAL)
                       : nullptr;
    using Get = const void* (*)();
    const auto get = tracer != nullptr ? reinterpret_cast<Get>(dlsym(tracer, kOuterName)) : nullptr;
    if (get != nullptr) calls = static_cast<const OuterCalls*>(get());
    if (calls != nullptr && (calls->version != kOuterVersion || calls->wire_version != wire::kWireVersion))
      calls = nullptr;
  }
  errno = saved;
  if (calls != nullptr)
    __atomic_store_n(&outer_calls, calls, __ATOMIC_RELEASE);
  else
    __atomic_store_n(&untraced, 1, __ATOMIC_RELAXED);
  return calls;
}

}  // namespace trace::interpose

// Called by the assembly in forwarded.S at the first call of a name that is not recorded.
extern "C" __attribute__((visibility("hidden"))) void* driverlab_find_forwarded(std::size_t index) {
  void* function = trace::interpose::find(driverlab_forwarded_names[index]);
  __atomic_store_n(&driverlab_forwarded_functions[index], function, __ATOMIC_RELAXED);
  return function;
}
