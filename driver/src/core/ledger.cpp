// SPDX-License-Identifier: MIT
// See ledger.hpp: makes the sealed memory file, and finds those of other processes through /proc.
#include "core/ledger.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <new>
#include <string>

#include "core/arena.hpp"

namespace driver {
namespace {

constexpr std::uint64_t kLedgerBytes = sizeof(LedgerEntry) * Ledger::kEntryCount;

}  // namespace

std::optional<LedgerKey> LedgerKey::read(const void* handle, Lent expected) {
  LedgerKey key;
  std::memcpy(&key, handle, sizeof key);
  const bool right = key.magic == kRightMagic && key.lent == expected && key.entry < Ledger::kEntryCount &&
                     key.token != Token{};
  return right ? std::optional(key) : std::nullopt;
}

std::optional<LedgerKey> LedgerKey::read_file(int descriptor, Lent expected) {
  LedgerKey bytes;
  if (pread(descriptor, &bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes)) return std::nullopt;
  return read(&bytes, expected);
}

void LedgerKey::write(void* handle) const {
  std::memcpy(handle, this, sizeof *this);
}

int open_file_of(std::uint32_t process, std::uint32_t descriptor, std::uint64_t file, std::uint64_t size) {
  const std::string path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor);
  // What lies there may be anything by now: a terminal, a pipe that opening would wait for.
  const int opened = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (opened < 0) return -1;
  struct stat status = {};
  const int seals = fcntl(opened, F_GET_SEALS);
  if (fstat(opened, &status) == 0 && status.st_ino == file && seals >= 0 && (seals & F_SEAL_SHRINK) != 0 &&
      static_cast<std::uint64_t>(status.st_size) >= size)
    return opened;
  close(opened);
  return -1;
}

Ledger* Ledger::own() {
  static std::mutex making;
  static Ledger* only = nullptr;  // never deleted: an event may outlive everything else
  const std::lock_guard lock(making);
  if (only == nullptr) {
    std::unique_ptr<Ledger> ledger(new Ledger);
    if (ledger->map(create_memory_file("embedded-gpu-ledger", kLedgerBytes))) only = ledger.release();
  }
  return only;
}

std::shared_ptr<Ledger> Ledger::of(const LedgerKey& key) {
  static std::mutex opening;
  static auto* const known = new std::map<std::uint64_t, std::weak_ptr<Ledger>>;
  const std::lock_guard lock(opening);
  std::weak_ptr<Ledger>& place = (*known)[key.file];
  if (auto ledger = place.lock()) return ledger;
  std::shared_ptr<Ledger> ledger(new Ledger);  // first, so that no open descriptor is lost for want of memory
  const int descriptor = open_file_of(key.process, key.descriptor, key.file, kLedgerBytes);
  if (descriptor < 0) return nullptr;
  const bool mapped = ledger->map(descriptor);
  // A mapping is enough to read another's.
  close(descriptor);
  ledger->descriptor_ = -1;
  if (!mapped) throw std::bad_alloc();  // the handle is not to blame
  place = ledger;
  return ledger;
}

bool Ledger::map(int descriptor) {
  if (descriptor < 0) return false;
  descriptor_ = descriptor;
  file_ = file_number(descriptor);
  void* const memory =
      mmap(nullptr, kLedgerBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
  if (memory == MAP_FAILED) return false;
  madvise(memory, kLedgerBytes, MADV_DONTFORK);
  madvise(memory, kLedgerBytes, MADV_DONTDUMP);
  entries_ = static_cast<LedgerEntry*>(memory);  // zeros are what everything begins as
  return true;
}

Ledger::~Ledger() {
  if (entries_ != nullptr) munmap(entries_, kLedgerBytes);
  if (descriptor_ >= 0) close(descriptor_);
}

std::optional<std::uint32_t> Ledger::take() {
  const std::lock_guard lock(lock_);
  if (!free_.empty()) {
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }
  if (used_ == kEntryCount) return std::nullopt;
  if (free_.capacity() == used_) free_.reserve(2 * used_ + 16);  // so that all can be freed
  return used_++;
}

void Ledger::lend(std::uint32_t number, Lent what) {
  LedgerEntry& entry = entries_[number];
  Token token;
  while (token == Token{} && getrandom(&token, sizeof token, 0) >= 0) continue;
  entry.lent.store(what);
  entry.token[0].store(token.words[0]);
  entry.token[1].store(token.words[1]);
}

void Ledger::give_back(std::uint32_t number) {
  LedgerEntry& entry = entries_[number];
  entry.token[0].store(0);
  entry.token[1].store(0);
  entry.lent.store(Lent::Nothing);
  const std::lock_guard lock(lock_);
  free_.push_back(number);
}

std::optional<LedgerKey> Ledger::key(std::uint32_t number) {
  if (file_number(descriptor_) != file_) return std::nullopt;
  LedgerKey key;
  key.magic = LedgerKey::kRightMagic;
  key.process = static_cast<std::uint32_t>(getpid());
  key.descriptor = static_cast<std::uint32_t>(descriptor_);
  key.file = file_;
  key.entry = number;
  key.lent = entries_[number].lent.load();
  key.token = entries_[number].key();
  return key;
}

}  // namespace driver
