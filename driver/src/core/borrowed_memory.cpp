// SPDX-License-Identifier: MIT
// See borrowed_memory.hpp: opening the files of other processes, and which memory is open already.
#include "core/borrowed_memory.hpp"

#include <unistd.h>

#include <map>
#include <tuple>

#include "core/driver.hpp"

namespace driver {
namespace {

using Opened = std::tuple<std::uint64_t, std::uint64_t, const Context*>;

std::map<Opened, BorrowedMemory*>& all_opened() {
  static auto* const all = new std::map<Opened, BorrowedMemory*>;
  return *all;
}

Opened name_of(const Token& token, const Context& owner) {
  return {token.words[0], token.words[1], &owner};
}

}  // namespace

// A memory file of another process, open as long as something of it is mapped: kernels' processes open it
// through this process.
struct BorrowedMemory::File {
  int descriptor = -1;
  std::uint64_t number = 0;

  explicit File(std::uint64_t file) : number(file) {}
  // A program may have closed it and have a file of its own there.
  ~File() {
    if (file_number(descriptor) == number) close(descriptor);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  static std::shared_ptr<File> open(std::uint32_t process, const LentMemory& lent) {
    static auto* const known = new std::map<std::uint64_t, std::weak_ptr<File>>;
    std::weak_ptr<File>& place = (*known)[lent.file];
    auto file = place.lock();
    if (file != nullptr && file_number(file->descriptor) == file->number) return file;
    file = std::make_shared<File>(lent.file);  // first, so that no open descriptor is lost for want of memory
    file->descriptor = open_file_of(process, lent.descriptor, lent.file, lent.offset + lent.size);
    if (file->descriptor < 0) return nullptr;
    place = file;
    return file;
  }
};

BorrowedMemory::BorrowedMemory(const LedgerKey& key, const Context& owner, const LentMemory& lent)
    : token_(key.token), owner_(owner), window_(lent.offset, lent.size) {
  all_opened()[name_of(token_, owner_)] = this;
}

BorrowedMemory* BorrowedMemory::opened(const LedgerKey& key, const Context& owner) {
  const auto found = all_opened().find(name_of(key.token, owner));
  return found != all_opened().end() ? found->second : nullptr;
}

CUresult BorrowedMemory::open(const LedgerKey& key, const Context& owner,
                              std::shared_ptr<BorrowedMemory>& memory) {
  const auto ledger = Ledger::of(key);
  if (ledger == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const LedgerEntry& entry = ledger->entry(key.entry);
  const LentMemory lent = entry.memory;
  // Checked after the copy: if it is still lent, the copied values are valid.
  if (entry.lent.load() != Lent::Memory || entry.key() != key.token) return CUDA_ERROR_INVALID_HANDLE;
  if (lent.size == 0 || lent.size > FileWindow::kMostBytes || lent.offset > ~std::uint64_t{0} - lent.size)
    return CUDA_ERROR_INVALID_HANDLE;
  std::shared_ptr<BorrowedMemory> made(new BorrowedMemory(key, owner, lent));
  made->file_ = File::open(key.process, lent);
  if (made->file_ == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!made->window_.open(made->file_->descriptor)) return CUDA_ERROR_MAP_FAILED;
  memory = std::move(made);
  return CUDA_SUCCESS;
}

BorrowedMemory::~BorrowedMemory() {
  all_opened().erase(name_of(token_, owner_));
}

Mapping BorrowedMemory::mapping() const {
  return window_.mapping(file_->descriptor, file_->number, owner_);
}

CUresult lend(Allocation& allocation, const Arena& arena, LedgerKey& key) {
  Ledger* const ledger = Ledger::own();
  if (ledger == nullptr || !arena.descriptor_intact()) return CUDA_ERROR_OPERATING_SYSTEM;
  if (!allocation.lent) {
    const auto number = ledger->take();
    if (!number) return CUDA_ERROR_OUT_OF_MEMORY;
    ledger->entry(*number).memory = {.descriptor = static_cast<std::uint32_t>(arena.descriptor()),
                                     .file = arena.file(),
                                     .offset = allocation.base - arena.base(),
                                     .size = allocation.size};
    ledger->lend(*number, Lent::Memory);
    allocation.lent = number;
  }
  const auto found = ledger->key(*allocation.lent);
  if (!found) return CUDA_ERROR_OPERATING_SYSTEM;
  key = *found;
  return CUDA_SUCCESS;
}

}  // namespace driver
