// SPDX-License-Identifier: MIT
// Compiled kernels on disk, found by a key that is computed from everything they were made of.
//
// A file is written under another name and renamed, so that it is complete or does not exist. It contains its
// key and a checksum, so that a damaged file is not used. The files contain code that will run: only files
// and folders that no other user may write are used, and their owner is this user or root. The real driver's
// variables set the folder and its greatest size (CUDA_CACHE_PATH, CUDA_CACHE_DISABLE, CUDA_CACHE_MAXSIZE).
// Does not depend on what it keeps.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

// A hash of 128 bits over texts, in order; the boundaries between the texts count too.
class CacheKey {
 public:
  CacheKey& add(std::string_view text);
  CacheKey& add(std::uint64_t number);
  std::string name() const;  // 32 hexadecimal digits
  std::array<std::uint64_t, 2> value() const { return {first_, second_}; }

 private:
  std::uint64_t first_ = 0x9e3779b97f4a7c15;
  std::uint64_t second_ = 0xd1b54a32d192ed03;
};

class KernelCache {
 public:
  // As the environment says; off if it names no possible folder.
  static KernelCache from_environment();
  KernelCache(std::string folder, std::uint64_t most_bytes);

  // The bytes kept under this key. A damaged file is removed; a file that others may write is not used.
  std::optional<std::vector<std::byte>> find(const CacheKey& key) const;
  // If the cache cannot be written, this does nothing, and it is no error.
  void keep(const CacheKey& key, std::span<const std::byte> bytes) const;

  bool on() const { return !folder_.empty(); }
  const std::string& folder() const { return folder_; }

 private:
  int open_folder() const;
  // Removes the files that were not used for the longest time, until the rest is three quarters of the limit.
  // Looks at all files, which may be tens of thousands.
  void shrink() const;
  // Whether so many more bytes may have reached the limit since this process looked last.
  bool look_again(std::uint64_t more) const;

  std::string folder_;  // empty: off
  std::uint64_t most_bytes_ = 0;
  mutable std::atomic<std::uint64_t> unseen_bytes_{~std::uint64_t{0}};  // all of them at first
};

}  // namespace runner
