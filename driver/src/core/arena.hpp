// SPDX-License-Identifier: MIT
// A range of reserved addresses with lazily committed memory.
//
// A device arena reserves addresses that the host cannot access (reading one crashes, as on a real machine)
// and maps the memory a second time at addresses that only this driver uses: the view. A host arena (pinned
// and managed memory) is its own view. The memory is a memfd, so that a kernel's process can later map it at
// the same addresses (docs/decisions.md 10). Does not depend on allocations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace driver {

// A sparse memory file without a name, whose size is always `size` bytes; -1 if the system or a limit forbids
// it.
int create_memory_file(const char* name, std::uint64_t size);
// The number of an open file in its file system; 0 when the descriptor is not open.
std::uint64_t file_number(int descriptor);

enum class HostAccess { Crashes, AfterCommit };

class Arena {
 public:
  // Null if not even a small range is available. The range may be smaller than `size`: address space may be
  // limited (RLIMIT_AS), and the driver then has less memory rather than none.
  static std::unique_ptr<Arena> create(const char* name, std::uint64_t preferred_address, std::uint64_t size,
                                       HostAccess access);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  std::uint64_t base() const { return base_; }
  std::uint64_t size() const { return size_; }
  bool contains(std::uint64_t address) const { return address - base_ < size_; }
  std::byte* view(std::uint64_t address) const { return view_ + (address - base_); }
  // For the process that runs kernels; -1 where a file-size limit allowed anonymous memory only.
  int descriptor() const { return descriptor_; }
  std::uint64_t file() const { return file_number_; }
  // Whether the descriptor is still the same file: a program may close descriptors that it does not know.
  bool descriptor_intact() const;

  // Makes a range usable; costs nothing until it is touched. False: the system refuses.
  bool commit(std::uint64_t address, std::uint64_t size);
  // Returns the memory of a range to the system: when it is committed again, it contains zeros.
  void release(std::uint64_t address, std::uint64_t size);

 private:
  Arena() = default;
  bool reserve(std::uint64_t preferred_address, HostAccess access);

  std::uint64_t base_ = 0;
  std::uint64_t size_ = 0;
  std::byte* view_ = nullptr;
  int descriptor_ = -1;
  std::uint64_t file_number_ = 0;  // inode of the memory file
  HostAccess access_ = HostAccess::Crashes;
  std::vector<bool> opened_;  // pieces of the view that were committed once; they stay open
};

}  // namespace driver
