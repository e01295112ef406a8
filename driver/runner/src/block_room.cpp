// SPDX-License-Identifier: MIT
// See block_room.hpp. The reserved ranges of all workers are in one table, so that the handler of a fault can
// find out whether an address is beyond shared memory.
#include "block_room.hpp"

#include <sys/mman.h>

#include <array>
#include <atomic>

#include "process.hpp"

namespace runner {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kBlockGranularity = 1024;
constexpr std::uint64_t kMostShared = std::uint64_t{1} << 20;  // more than any block may have
constexpr std::uint64_t kFarOut = std::uint64_t{16} << 20;
constexpr std::uint64_t kLeastWindow = std::uint64_t{4} << 20;
constexpr std::uint64_t kGuard = std::uint64_t{1} << 16;  // an access that begins at the very end
// Of every worker there is, and of each block of its clusters; read by the signal handler.
struct Reservation {
  std::atomic<std::uint64_t> base{0}, size{0};
};
std::array<Reservation, 65536> windows = {};
std::atomic<unsigned> window_count{0};

}  // namespace

BlockRoom& BlockRoom::own() {
  // It lasts as long as its worker, which ends with the process. With a destructor, the C library would
  // register it at its first use, and end the process where there is no memory for that.
  thread_local BlockRoom* room = nullptr;
  if (room == nullptr) room = new BlockRoom;
  return *room;
}

BlockRoom& BlockRoom::of_rank(std::uint32_t rank) {
  thread_local std::vector<BlockRoom*>* others = nullptr;  // without a destructor, as own()
  if (rank == 0) return own();
  if (others == nullptr) others = new std::vector<BlockRoom*>;
  while (others->size() < rank) others->push_back(new BlockRoom);
  return *(*others)[rank - 1];
}

// All four gigabytes, or what there is: where address space is limited, wild offsets go unnoticed instead.
void BlockRoom::reserve() {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* got = MAP_FAILED;
  for (reserved_ = kMostShared + kSharedWindow + kGuard; reserved_ > kLeastWindow; reserved_ /= 4) {
    got = mmap(nullptr, reserved_, PROT_NONE, flags, -1, 0);
    if (got != MAP_FAILED) break;
  }
  if (got == MAP_FAILED) end_with(Outcome::OutOfMemory);
  shared_ = static_cast<std::byte*>(got);
  const unsigned number = window_count.fetch_add(1);
  if (number >= windows.size()) return;
  windows[number].size.store(reserved_);
  windows[number].base.store(reinterpret_cast<std::uint64_t>(got));
}

// A block's own bytes, one KiB of the system's, and not a byte more: measured on an H200 with 1024 bytes,
// where offset 0x400 is good and 0x800 is not.
std::byte* BlockRoom::shared(std::uint64_t bytes) {
  if (shared_ == nullptr) reserve();
  const std::uint64_t size =
      (bytes + kBlockGranularity - 1) / kBlockGranularity * kBlockGranularity + kBlockGranularity;
  const std::uint64_t wanted = (size + kPage - 1) / kPage * kPage;
  std::byte* const end = shared_ + kMostShared;
  if (wanted > shared_open_) {
    if (wanted > kMostShared) end_with(Outcome::LaunchFailed);
    if (mprotect(end - wanted, wanted, PROT_READ | PROT_WRITE) != 0) end_with(Outcome::OutOfMemory);
    shared_open_ = wanted;
  }
  return end - size;
}

std::byte* BlockRoom::local(std::uint64_t bytes) {
  constexpr std::uint64_t kLine = 64, kFar = std::uint64_t{64} << 20, kNear = std::uint64_t{1} << 20;
  bytes = (bytes + kLine - 1) / kLine * kLine;
  if (bytes > local_open_) {
    const std::uint64_t size = (bytes + kPage - 1) / kPage * kPage;
    if (local_end_ != nullptr)
      munmap(local_end_ - local_open_ - local_apart_, local_open_ + 2 * local_apart_);
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* got = MAP_FAILED;
    for (local_apart_ = kFar; got == MAP_FAILED && local_apart_ >= kNear; local_apart_ /= 8)
      got = mmap(nullptr, size + 2 * local_apart_, PROT_NONE, flags, -1, 0);
    if (got == MAP_FAILED) end_with(Outcome::OutOfMemory);
    local_apart_ *= 8;  // the one that there was room for
    std::byte* const begin = static_cast<std::byte*>(got) + local_apart_;
    if (mprotect(begin, size, PROT_READ | PROT_WRITE) != 0) end_with(Outcome::OutOfMemory);
    local_end_ = begin + size;
    local_open_ = size;
  }
  return local_end_ - bytes;
}

std::byte* BlockRoom::grown(std::vector<std::byte>& bytes, std::uint64_t size) {
  constexpr std::uint64_t kLine = 64;
  if (bytes.size() < size + kLine) bytes.resize(size + kLine);
  const auto at = reinterpret_cast<std::uint64_t>(bytes.data());
  return bytes.data() + ((kLine - at % kLine) % kLine);
}

bool is_far_out_of_shared(std::uint64_t address) {
  for (const Reservation& window : windows) {
    const std::uint64_t base = window.base.load(std::memory_order_relaxed);
    if (base == 0) return false;
    // Counted from the end; what a block has of it is a small part of 16 MiB.
    const std::uint64_t behind = address - (base + kMostShared);
    if (address - base < window.size.load(std::memory_order_relaxed))
      return address >= base + kMostShared && behind >= kFarOut - kMostShared;
  }
  return false;
}

}  // namespace runner
