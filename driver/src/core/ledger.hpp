// SPDX-License-Identifier: MIT
// What a process lends to others: a table in a memory file of its own, in which they look things up without
// trusting it.
//
// A handle of inter-process communication names a process, its ledger and an entry with a random token. The
// process that opens the handle finds the files through /proc, so the two processes only need to belong to
// the same user: there is no thread and no socket, and nothing that a program could close by mistake. A file
// is used only if it is a sealed memory file with the number in the handle, so that nothing can be removed
// from it while it is read. Depends on neither allocations nor events.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/api.hpp"

namespace driver {

enum class Lent : std::uint32_t { Nothing, Memory, Event, Pool };

struct Token {
  std::uint64_t words[2] = {0, 0};
  bool operator==(const Token&) const = default;
};

// Which bytes of which memory file.
struct LentMemory {
  std::uint32_t descriptor = 0;  // of the lender
  std::uint64_t file = 0;        // its number, as fstat has it
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

// Records of an event are numbered from 1; `done` is the highest that is done.
struct LentEvent {
  static constexpr std::uint32_t kRemembered = 8;
  std::atomic<std::uint32_t> recorded;
  std::atomic<std::uint32_t> done;                    // futex
  std::atomic<std::uint32_t> recorders[kRemembered];  // the process of record n, at n % remembered
};

struct LedgerEntry {
  std::atomic<std::uint64_t> token[2];  // zeros when it is free
  std::atomic<Lent> lent;
  LentMemory memory;
  LentEvent event;
  std::atomic<std::int32_t> device;  // a pool's

  Token key() const { return {{token[0].load(), token[1].load()}}; }
};

// The 64 bytes of a CUipcMemHandle, of a CUipcEventHandle and of a CUmemPoolPtrExportData, and what the file
// of an exported pool holds.
struct LedgerKey {
  std::uint64_t magic = 0;
  std::uint32_t process = 0;
  std::uint32_t descriptor = 0;
  std::uint64_t file = 0;
  std::uint32_t entry = 0;
  Lent lent = Lent::Nothing;
  Token token;
  std::uint64_t nothing[2] = {0, 0};

  static constexpr std::uint64_t kRightMagic = 0x3149504943424c44;  // "DLBCIPI1"
  // Nothing when these are no handle of this driver's.
  static std::optional<LedgerKey> read(const void* handle, Lent expected);
  // The same of what a file begins with.
  static std::optional<LedgerKey> read_file(int descriptor, Lent expected);
  void write(void* handle) const;
};
static_assert(sizeof(LedgerKey) == CU_IPC_HANDLE_SIZE);

// Opens a memory file of another process. -1 unless it is the right one and can never become shorter.
int open_file_of(std::uint32_t process, std::uint32_t descriptor, std::uint64_t file, std::uint64_t size);

class Ledger {
 public:
  static constexpr std::uint32_t kEntryCount = 65536;

  // This process's own, made by the first call for which the system has a memory file; null before.
  static Ledger* own();
  // Another process's ledger, shared by all its users; null if there is none. Takes a lock of its own.
  static std::shared_ptr<Ledger> of(const LedgerKey& key);
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  LedgerEntry& entry(std::uint32_t number) { return entries_[number]; }

  // The rest is for this process's own ledger. The number of a free entry; nothing if all are taken.
  std::optional<std::uint32_t> take();
  // From now on the entry can be found, with a token that cannot be guessed.
  void lend(std::uint32_t number, Lent what);
  void give_back(std::uint32_t number);
  // What others find it by; nothing when the program has closed the file.
  std::optional<LedgerKey> key(std::uint32_t number);

 private:
  Ledger() = default;
  bool map(int descriptor);

  LedgerEntry* entries_ = nullptr;
  int descriptor_ = -1;
  std::uint64_t file_ = 0;
  std::mutex lock_;
  std::vector<std::uint32_t> free_;
  std::uint32_t used_ = 0;
};

}  // namespace driver
