// SPDX-License-Identifier: MIT
// Which addresses have memory, for the processes that run kernels.
//
// Every allocation and release is noted here. Before a launch, each runner reads the notes that are new to
// it. A runner that is far behind, or whose context's view has changed (a peer), compares everything instead.
// Has a lock of its own, so that a launch needs no other. Works on ranges of whole pages; does not depend on
// allocations.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <vector>

#include "core/assured.hpp"

namespace driver {

class Context;

struct Mapping {
  enum class Access { ReadWrite, ReadOnly };
  // Which memory file, by number as Memory::arenas() has them. Where `file` is not 0 the source is another
  // process's: an open descriptor of this process with that number in its file system.
  unsigned source = 0;
  std::uint64_t file = 0;
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  // Whose memory it is: seen by all contexts of its device and by those that made it their peer. Null for
  // memory that all contexts see.
  const Context* owner = nullptr;
  Access access = Access::ReadWrite;
  // For a pool's memory: which pool, as a key that is never followed. Peers do not see such memory. The
  // devices in `guests` do, which are bits by their ordinals.
  const void* pool = nullptr;
  std::uint64_t guests = 0;

  // Whether it is the same memory in the same way; who sees it may change while it is mapped.
  bool same_memory(const Mapping& other) const {
    return source == other.source && file == other.file && offset == other.offset &&
           address == other.address && size == other.size && owner == other.owner && access == other.access;
  }
};

// An address that changed, and what is there now; size 0 in `now` where nothing is.
struct MappingChange {
  Mapping now;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

class Journal {
 public:
  void map(const Mapping& mapping);
  // A range as it was mapped.
  void unmap(std::uint64_t address);
  // From now on these devices see the memory of the pool, besides its own.
  void admit(const void* pool, std::uint64_t guests);
  // One reader's place in the journal and what it has mapped.
  struct Reader {
    const Context* context = nullptr;
    std::set<const Context*> peers;  // whose memory it sees besides its own device's
    std::uint64_t position = 0;      // 0: everything is compared
    AssuredMap<std::uint64_t, Mapping> mapped;
  };
  // What has changed for this reader since the last time, in order. False if there was no memory for all
  // changes: those in `changes` are correct, and the rest comes the next time.
  bool read(Reader& reader, std::vector<MappingChange>& changes);
  // Whether there is anything to read: one comparison.
  bool news(const Reader& reader) const { return reader.position != end_.load(std::memory_order_acquire); }

 private:
  void note(std::uint64_t address);

  static constexpr std::size_t kMostNotes = 4096;

  std::mutex lock_;
  AssuredMap<std::uint64_t, Mapping> live_;
  // Addresses that changed, at their positions modulo the size; the latest is before end_.
  std::array<std::uint64_t, kMostNotes> notes_{};
  std::atomic<std::uint64_t> end_{1};
};

}  // namespace driver
