// SPDX-License-Identifier: MIT
// See file_window.hpp: the range of addresses, and the second mapping.
#include "core/file_window.hpp"

#include <sys/mman.h>

#include "core/driver.hpp"
#include "core/reserved_range.hpp"

namespace driver {
namespace {

// The first place that is looked at: after the devices' own addresses, if they have little memory.
constexpr std::uint64_t kFirstRangeBase = 0x7ed000000000;

RangeAllocator& addresses() {
  static auto* const all = new RangeAllocator(FileWindow::kMostBytes, Memory::kBlockSize);
  return *all;
}

// The base of the range, once it is taken; 0 when there is no room. The next call tries again.
std::uint64_t range_base() {
  static std::uint64_t base = 0;
  if (base != 0) return base;
  std::uint64_t next = kFirstRangeBase;
  const std::uint64_t place = reserve_next_range(next, FileWindow::kMostBytes, Memory::kBlockSize);
  if (place == 0) return 0;
  try {
    Driver::get().memory().reserve(place, FileWindow::kMostBytes);
  } catch (const std::bad_alloc&) {
    munmap(reinterpret_cast<void*>(place), FileWindow::kMostBytes);
    throw;
  }
  return base = place;
}

}  // namespace

bool FileWindow::open(int descriptor) {
  const std::uint64_t base = range_base();
  if (base == 0 || size_ > kMostBytes) return false;
  const auto place = addresses().take(mapped_bytes());
  if (!place) return false;
  pages_ = base + *place;
  void* const view = mmap(nullptr, mapped_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                          descriptor, static_cast<off_t>(offset_ - offset_in_page()));
  if (view == MAP_FAILED) return false;
  madvise(view, mapped_bytes(), MADV_DONTFORK);
  madvise(view, mapped_bytes(), MADV_DONTDUMP);
  view_ = static_cast<std::byte*>(view);
  return true;
}

FileWindow::~FileWindow() {
  if (view_ != nullptr) munmap(view_, mapped_bytes());
  if (pages_ != 0) addresses().give_back(pages_ - range_base(), mapped_bytes());
}

Mapping FileWindow::mapping(int descriptor, std::uint64_t file, const Context& owner) const {
  return {.source = static_cast<unsigned>(descriptor),
          .file = file,
          .offset = offset_ - offset_in_page(),
          .address = pages_,
          .size = mapped_bytes(),
          .owner = &owner};
}

}  // namespace driver
