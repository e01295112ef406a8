// SPDX-License-Identifier: MIT
// The program's own memory, registered by cuMemHostRegister, for kernels, which run in another process.
//
// Its pages cannot be shared with that process without the program's help, so it has a second copy in a
// memory file, which that process maps at the program's addresses. Before a kernel, the program's changes are
// copied there; after it, the kernel's changes are copied back; and both from time to time while it runs. A
// third copy shows which side has changed a byte, so that neither overwrites what only the other wrote. Has a
// lock of its own; depends on neither allocations nor streams.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "core/assured.hpp"
#include "core/journal.hpp"
#include "core/range_allocator.hpp"

namespace driver {

// Whether the program itself may read a range, and write it where that is asked for.
bool program_may(std::uint64_t address, std::uint64_t size, Mapping::Access access);

class RegisteredMemory {
 public:
  static RegisteredMemory& get();
  // Whether there is any at all: without it a launch is only posted.
  static bool any() { return count.load(std::memory_order_relaxed) != 0; }

  // If the system has no memory for the copies, kernels do not see it and fail with 700.
  void add(Journal& journal, std::uint64_t base, std::uint64_t size, Mapping::Access access);
  void remove(Journal& journal, std::uint64_t base);

  // Copies the program's changes to the kernels' copy, and the kernels' changes back.
  void give();
  void take();

 private:
  RegisteredMemory() = default;

  // Whole pages, as kernels' processes map them. Two registrations may meet in one page.
  struct Segment {
    std::uint64_t size = 0;
    std::uint64_t offset = 0;     // in the file
    std::byte* shared = nullptr;  // the kernels' copy
    std::byte* agreed = nullptr;  // what both had when they were last compared
    unsigned users = 0;
  };
  // A part of a registration that lies in one segment.
  struct Piece {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    std::uint64_t segment = 0;
  };

  bool use(Journal& journal, std::uint64_t first_page, std::uint64_t bytes, Mapping::Access access);
  void leave(Journal& journal, std::uint64_t first_page);
  bool open_file();
  template <typename Exchange>
  void for_each_page(Exchange exchange);

  static inline constinit std::atomic<unsigned> count{0};

  std::mutex lock_;
  int descriptor_ = -1;
  std::uint64_t file_ = 0;
  RangeAllocator pages_{0, 4096};
  AssuredMap<std::uint64_t, Segment> segments_;               // by their first address
  AssuredMap<std::uint64_t, std::vector<Piece>> registered_;  // by the registration's address
};

}  // namespace driver
