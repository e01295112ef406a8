// SPDX-License-Identifier: MIT
// Compiled kernels on disk, found by a key that stands for everything they were made of.
//
// A file is written under another name and renamed, so that it is there whole or not at all; it carries its
// key and a checksum, so that a damaged one is no file. It is code that runs: only files and folders that
// nobody but their owner may write are used, and the owner is this user or root. The real driver's variables
// say where it is and how large it may become (CUDA_CACHE_PATH, CUDA_CACHE_DISABLE, CUDA_CACHE_MAXSIZE).
// Knows nothing of what it keeps.
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

// 128 bits over texts, in order; each is told from its neighbours.
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
  // As the environment says; off when it names no place that could exist.
  static KernelCache from_environment();
  KernelCache(std::string folder, std::uint64_t most_bytes);

  // The bytes kept under this key. A file that is damaged is removed, one that others may write is left
  // alone.
  std::optional<std::vector<std::byte>> find(const CacheKey& key) const;
  // Best effort: a cache that cannot be written to is a slow one, and no error.
  void keep(const CacheKey& key, std::span<const std::byte> bytes) const;

  bool on() const { return !folder_.empty(); }
  const std::string& folder() const { return folder_; }

 private:
  int open_folder() const;
  // Removes what was used longest ago until the rest is three quarters of the limit. Looks at every file
  // there is, which may be tens of thousands.
  void shrink() const;
  // Whether so many bytes more may have brought it to the limit since this process looked last.
  bool look_again(std::uint64_t more) const;

  std::string folder_;  // empty: off
  std::uint64_t most_bytes_ = 0;
  mutable std::atomic<std::uint64_t> unseen_bytes_{~std::uint64_t{0}};  // all of them at first
};

}  // namespace runner
