// SPDX-License-Identifier: MIT
// The memory in which a worker runs blocks: shared memory, local memory of the threads, registers of waiting
// threads.
//
// Shared memory ends at a fixed place, after which four gigabytes are reserved. So even an offset that is
// only a little too large causes a fault, and no 32-bit offset reaches other memory. The memory grows as
// kernels need it, and belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace runner {

inline constexpr std::uint64_t kSharedWindow = std::uint64_t{1} << 32;

class BlockRoom {
 public:
  // The calling worker's. One that runs a cluster needs a room for each of its blocks; rank 0 has own().
  static BlockRoom& own();
  static BlockRoom& of_rank(std::uint32_t rank);

  // Zeroed when it is new.
  std::byte* shared(std::uint64_t bytes);
  // Between pages that cannot be accessed.
  std::byte* local(std::uint64_t bytes);
  std::byte* saved(std::uint64_t bytes) { return grown(saved_, bytes); }

 private:
  BlockRoom() = default;
  void reserve();
  static std::byte* grown(std::vector<std::byte>& bytes, std::uint64_t size);

  std::byte* shared_ = nullptr;
  std::uint64_t reserved_ = 0, shared_open_ = 0;
  std::byte* local_end_ = nullptr;
  std::uint64_t local_open_ = 0, local_apart_ = 0;
  std::vector<std::byte> saved_;
};

// Whether an address is in the reserved range of a worker, 16 MiB or more after its shared memory. An H200
// reports such an offset as an illegal instruction, a nearer one as an illegal address. May be called in a
// signal handler.
bool is_far_out_of_shared(std::uint64_t address);

}  // namespace runner
