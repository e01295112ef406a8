// SPDX-License-Identifier: MIT
// Device memory of another process: lent by its ledger, and mapped here at separate addresses.
//
// The addresses lie in one range that the host cannot touch; the bytes are mapped a second time where only
// this driver looks, as with memory of one's own, and kernels get them by the journal, which names the other
// process's file by this process's descriptor. Guarded by Driver's lock, exclusive. Does not depend on entry
// points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/journal.hpp"
#include "core/ledger.hpp"
#include "core/memory.hpp"

namespace driver {

class BorrowedMemory {
 public:
  // INVALID_HANDLE if no process lends it, MAP_FAILED if there is no place for it.
  static CUresult open(const LedgerKey& key, const Context& owner, std::shared_ptr<BorrowedMemory>& memory);
  // The memory if the context has opened it already, or null.
  static BorrowedMemory* opened(const LedgerKey& key, const Context& owner);
  ~BorrowedMemory();
  BorrowedMemory(const BorrowedMemory&) = delete;
  BorrowedMemory& operator=(const BorrowedMemory&) = delete;

  std::uint64_t address() const { return pages_ + offset_in_page(); }
  std::uint64_t size() const { return lent_.size; }
  std::byte* view() const { return view_ + offset_in_page(); }
  Mapping mapping() const;

  unsigned uses = 1;

 private:
  struct File;
  BorrowedMemory(const LedgerKey& key, const Context& owner, const LentMemory& lent);
  bool map();
  std::uint64_t offset_in_page() const { return lent_.offset % kPageSize; }
  std::uint64_t mapped_bytes() const {
    return (offset_in_page() + lent_.size + kPageSize - 1) / kPageSize * kPageSize;
  }

  static constexpr std::uint64_t kPageSize = 4096;

  const Token token_;
  const Context& owner_;
  const LentMemory lent_;
  std::shared_ptr<File> file_;
  std::uint64_t pages_ = 0;
  std::byte* view_ = nullptr;
};

// Lends an allocation to every process that has the key. OPERATING_SYSTEM if the program has closed the
// files.
CUresult lend(Allocation& allocation, const Arena& arena, LedgerKey& key);

}  // namespace driver
