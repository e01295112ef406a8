// SPDX-License-Identifier: MIT
// Physical memory that other processes may have: a sealed memory file of its own, with what it is behind the
// bytes.
//
// What a program gets as a shareable handle is a descriptor of this very file. So nobody has to be asked when
// it is imported, and the memory lives as long as anybody has a descriptor or a mapping of it: the system
// counts both. Whoever imports a file checks it first, because it may be any file. Immutable; does not depend
// on devices or addresses.
#pragma once

#include <cstdint>
#include <memory>

#include "core/api.hpp"

namespace driver {

class SharedFile {
 public:
  // Null if the system has no such file for this process. `size` is a multiple of a page.
  static std::shared_ptr<const SharedFile> create(std::uint64_t size, const CUmemAllocationProp& properties);
  // Of a descriptor that somebody passes, which stays theirs. Null if its file is none of these.
  static std::shared_ptr<const SharedFile> import(int descriptor);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  // A new descriptor, which the caller closes; -1 when the system has none.
  int share() const;
  // A program may close descriptors that it does not know.
  bool intact() const;
  int descriptor() const { return descriptor_; }
  std::uint64_t number() const { return number_; }
  std::uint64_t size() const { return size_; }
  const CUmemAllocationProp& properties() const { return properties_; }

 private:
  SharedFile() = default;

  int descriptor_ = -1;
  std::uint64_t number_ = 0;
  std::uint64_t size_ = 0;
  CUmemAllocationProp properties_{};
};

}  // namespace driver
