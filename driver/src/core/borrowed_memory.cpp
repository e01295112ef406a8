// SPDX-License-Identifier: MIT
// See borrowed_memory.hpp: addresses for borrowed memory, and opening the files of other processes.
#include "core/borrowed_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <map>
#include <tuple>

#include "core/driver.hpp"

namespace driver {
namespace {

// Between the devices' own addresses and those of virtual memory; a kernel's process keeps the same free.
constexpr std::uint64_t kRangeBase = 0x7ed000000000;
constexpr std::uint64_t kRangeSize = std::uint64_t{64} << 30;

RangeAllocator& addresses() {
  static auto* const all = new RangeAllocator(kRangeSize, Memory::kBlockSize);
  return *all;
}

// False when something else lies there, or there is no room for a mapping; the next call tries again. Another
// place would not do: in a kernel's process it may be taken. All of this file needs the driver's lock.
bool set_range_aside() {
  static bool done = false;
  if (done) return true;
  Memory& memory = Driver::get().memory();
  memory.reserve(kRangeBase, kRangeSize);  // first: it may throw
  void* const wanted = reinterpret_cast<void*>(kRangeBase);
  void* const got = mmap(wanted, kRangeSize, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  done = got == wanted;
  if (done) return true;
  memory.unreserve(kRangeBase);
  if (got != MAP_FAILED) munmap(got, kRangeSize);
  return false;
}

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
    : token_(key.token), owner_(owner), lent_(lent) {
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
  if (lent.size == 0 || lent.size > kRangeSize || lent.offset > ~std::uint64_t{0} - lent.size)
    return CUDA_ERROR_INVALID_HANDLE;
  std::shared_ptr<BorrowedMemory> made(new BorrowedMemory(key, owner, lent));
  made->file_ = File::open(key.process, lent);
  if (made->file_ == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!made->map()) return CUDA_ERROR_MAP_FAILED;
  memory = std::move(made);
  return CUDA_SUCCESS;
}

bool BorrowedMemory::map() {
  if (!set_range_aside()) return false;
  const auto place = addresses().take(mapped_bytes());
  if (!place) return false;
  pages_ = kRangeBase + *place;
  void* const view = mmap(nullptr, mapped_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                          file_->descriptor, static_cast<off_t>(lent_.offset - offset_in_page()));
  if (view == MAP_FAILED) return false;
  madvise(view, mapped_bytes(), MADV_DONTFORK);
  madvise(view, mapped_bytes(), MADV_DONTDUMP);
  view_ = static_cast<std::byte*>(view);
  return true;
}

BorrowedMemory::~BorrowedMemory() {
  if (view_ != nullptr) munmap(view_, mapped_bytes());
  if (pages_ != 0) addresses().give_back(pages_ - kRangeBase, mapped_bytes());
  all_opened().erase(name_of(token_, owner_));
}

Mapping BorrowedMemory::mapping() const {
  return {.source = static_cast<unsigned>(file_->descriptor),
          .file = file_->number,
          .offset = lent_.offset - offset_in_page(),
          .address = pages_,
          .size = mapped_bytes(),
          .owner = &owner_};
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
