// SPDX-License-Identifier: MIT
// See compiler_library.hpp. The library is libdriverlab_compiler.so, in ../lib from this program's own
// folder.
#include "compiler_library.hpp"

#include <cpuid.h>
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "kernel_abi/compile.hpp"
#include "process.hpp"

namespace runner {
namespace {

std::string library_path() {
  std::array<char, 4096> own = {};
  const ssize_t size = readlink("/proc/self/exe", own.data(), own.size() - 1);
  if (size <= 0) return "";
  std::string path(own.data(), static_cast<std::size_t>(size));
  for (int levels = 0; levels < 2; ++levels) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return "";
    path.resize(slash);
  }
  return path + "/lib/libdriverlab_compiler.so";
}

struct Compiling {
  Compiling() {
    errno = 0;
    compiling = true;
  }
  ~Compiling() { compiling = false; }
  Compiling(const Compiling&) = delete;
  Compiling& operator=(const Compiling&) = delete;
};

using Compile = decltype(&driverlab_compile);

Compile find_compiler(std::string& why) {
  static std::string trouble;
  static const Compile found = [] {
    void* const library = dlopen(library_path().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      const char* const words = dlerror();
      trouble = words != nullptr ? words : "";
      return static_cast<Compile>(nullptr);
    }
    return reinterpret_cast<Compile>(dlsym(library, "driverlab_compile"));
  }();
  if (found == nullptr) why = "there is no compiler: " + trouble;
  return found;
}

}  // namespace

std::optional<std::vector<std::byte>> compile(const std::string& text, const std::string& kernel,
                                              const std::array<std::uint32_t, 3>& shape, std::string& why) {
  const Compiling marked;
  const Compile compiler = find_compiler(why);
  if (compiler == nullptr) return std::nullopt;
  const driverlab_compile_request request{
      text.data(), text.size(), kernel.c_str(), {shape[0], shape[1], shape[2]}};
  std::vector<std::byte> given;
  const auto take = [](void* user, const void* data, std::size_t bytes) {
    const auto* const begin = static_cast<const std::byte*>(data);
    static_cast<std::vector<std::byte>*>(user)->assign(begin, begin + bytes);
  };
  const int status = compiler(&request, take, &given);
  if (status == 0) return given;
  why.assign(reinterpret_cast<const char*>(given.data()), given.size());
  return std::nullopt;
}

void add_compiler_identity(CacheKey& key) {
  struct stat status = {};
  if (stat(library_path().c_str(), &status) == 0) {
    key.add(static_cast<std::uint64_t>(status.st_size))
        .add(static_cast<std::uint64_t>(status.st_mtim.tv_sec));
    key.add(static_cast<std::uint64_t>(status.st_mtim.tv_nsec)).add(status.st_ino);
  }
  for (const unsigned leaf : {0U, 1U, 7U, 0xdU, 0x80000001U}) {
    std::array<unsigned, 4> words = {};
    __get_cpuid_count(leaf, 0, &words[0], &words[1], &words[2], &words[3]);
    if (leaf == 1) words[1] = 0;  // which core this runs on
    for (const unsigned word : words) key.add(word);
  }
}

}  // namespace runner
