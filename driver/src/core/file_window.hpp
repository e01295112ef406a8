// SPDX-License-Identifier: MIT
// A part of a memory file that is not a device's, at addresses of its own: what another process lends, or
// what is imported as external memory.
//
// The addresses lie in one range that the host cannot touch; the bytes are mapped a second time where only
// this driver looks, as with memory of a device, and kernels get them by the journal, which names the file by
// this process's descriptor. Guarded by Driver's lock, exclusive. Does not depend on where the file is from.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/journal.hpp"

namespace driver {

class FileWindow {
 public:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 30;  // of all windows together

  FileWindow(std::uint64_t offset, std::uint64_t size) : offset_(offset), size_(size) {}
  ~FileWindow();
  FileWindow(const FileWindow&) = delete;
  FileWindow& operator=(const FileWindow&) = delete;

  // Once. False if there is no place for it. The file has to be long enough, and to stay open.
  bool open(int descriptor);

  std::uint64_t address() const { return pages_ + offset_in_page(); }
  std::uint64_t size() const { return size_; }
  std::byte* view() const { return view_ + offset_in_page(); }
  // For kernels of the contexts that see `owner`. `file` is the number of the file.
  Mapping mapping(int descriptor, std::uint64_t file, const Context& owner) const;

 private:
  static constexpr std::uint64_t kPageSize = 4096;

  std::uint64_t offset_in_page() const { return offset_ % kPageSize; }
  std::uint64_t mapped_bytes() const {
    return (offset_in_page() + size_ + kPageSize - 1) / kPageSize * kPageSize;
  }

  const std::uint64_t offset_;
  const std::uint64_t size_;
  std::uint64_t pages_ = 0;
  std::byte* view_ = nullptr;
};

}  // namespace driver
