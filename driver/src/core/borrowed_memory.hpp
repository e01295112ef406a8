// SPDX-License-Identifier: MIT
// Device memory of another process: lent by its ledger, and mapped here at separate addresses
// (file_window.hpp). A pool's memory may be this process's own.
//
// Guarded by Driver's lock, exclusive. Does not depend on entry points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/file_window.hpp"
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

  const FileWindow& window() const { return window_; }
  Mapping mapping() const;

  unsigned uses = 1;

 private:
  struct File;
  BorrowedMemory(const LedgerKey& key, const Context& owner, const LentMemory& lent);

  const Token token_;
  const Context& owner_;
  std::shared_ptr<File> file_;
  FileWindow window_;
};

// Lends an allocation to every process that has the key. OPERATING_SYSTEM if the program has closed the
// files.
CUresult lend(Allocation& allocation, const Arena& arena, LedgerKey& key);

}  // namespace driver
