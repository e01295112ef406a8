// SPDX-License-Identifier: MIT
// Files of the kernel cache that somebody damaged: what is found is exactly what was kept, and nothing else.
//
// The first byte chooses: the rest as the file; or what a cache wrote, with the rest as its contents, and a
// change at a place that the second and third byte say.
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "cache/kernel_cache.hpp"

namespace {

struct Folder {
  Folder() {
    char name[] = "/tmp/fuzz_cache.XXXXXX";
    path = mkdtemp(name);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string path;
};

void write(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  if (size < 3) return 0;
  const runner::KernelCache cache(folder.path, 1 << 20);
  const runner::CacheKey key = runner::CacheKey().add("kernel");
  const std::string path = folder.path + "/" + key.name();
  const auto kept = std::as_bytes(std::span(data, size).subspan(3));
  if (data[0] % 2 == 0) {
    write(path, {reinterpret_cast<const char*>(kept.data()), kept.size()});
  } else {
    cache.keep(key, kept);
    std::string file = read(path);
    file[(data[1] + data[2] * 256U) % file.size()] ^= static_cast<char>(data[0] & 0xfe);
    write(path, file);
  }
  const auto found = cache.find(key);
  // A checksum is no proof, but no input of a fuzzer meets it by chance.
  const bool whole = data[0] % 2 != 0 && (data[0] & 0xfe) == 0;
  if (whole != found.has_value()) __builtin_trap();
  if (found && !std::equal(found->begin(), found->end(), kept.begin(), kept.end())) __builtin_trap();
  if (!found && std::filesystem::exists(path)) __builtin_trap();
  return 0;
}
