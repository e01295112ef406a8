// SPDX-License-Identifier: MIT
// See registered_memory.hpp: the three copies of each page, and which bytes are taken from which.
#include "core/registered_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "core/arena.hpp"

namespace driver {
namespace {

constexpr std::uint64_t kPageSize = 4096;
constexpr std::uint64_t kFileBytes = std::uint64_t{64} << 30;

std::uint64_t page_of(std::uint64_t address) {
  return address / kPageSize * kPageSize;
}

std::byte* map_bytes(std::uint64_t size, int descriptor, std::uint64_t offset) {
  const int kind = descriptor < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  void* const got = mmap(nullptr, size, PROT_READ | PROT_WRITE, kind | MAP_NORESERVE, descriptor,
                         static_cast<off_t>(offset));
  if (got == MAP_FAILED) return nullptr;
  madvise(got, size, MADV_DONTFORK);
  madvise(got, size, MADV_DONTDUMP);
  return static_cast<std::byte*>(got);
}

// A program may have given its memory back without unregistering it. Nothing is copied then.
bool is_mapped(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t first = page_of(address);
  std::vector<unsigned char> resident((address + size - 1 - first) / kPageSize + 1);
  return mincore(reinterpret_cast<void*>(first), address + size - first, resident.data()) == 0;
}

using Word [[gnu::may_alias, gnu::aligned(1)]] = std::uint64_t;

// Bytes of `from` that are not what was agreed go to `to`. The program may well work on its side meanwhile,
// as it may while a GPU does; a thread sanitizer is not to ask this function about it.
__attribute__((no_sanitize("thread"))) void move_changes(std::byte* to, const std::byte* from,
                                                         std::byte* agreed, std::uint64_t size) {
  for (std::uint64_t at = 0; at < size;) {
    const std::uint64_t end = std::min(size, at + sizeof(Word));
    if (end - at == sizeof(Word) &&
        *reinterpret_cast<const Word*>(from + at) == *reinterpret_cast<const Word*>(agreed + at)) {
      at = end;
      continue;
    }
    for (; at < end; ++at) {
      const std::byte now = from[at];
      if (now == agreed[at]) continue;
      to[at] = now;
      agreed[at] = now;
    }
  }
}

}  // namespace

// The kernel tells it in /proc, in the order of addresses.
bool program_may(std::uint64_t address, std::uint64_t size, Mapping::Access access) {
  std::ifstream maps("/proc/self/maps");
  if (!maps.is_open()) return true;  // nobody can tell
  // Without memory it is not known either, and the stream must not take that for the end of the file.
  maps.exceptions(std::ios::badbit);
  std::uint64_t reached = address;
  for (std::string line; reached < address + size && std::getline(maps, line);) {
    std::istringstream words(line);
    words.exceptions(std::ios::badbit);
    std::uint64_t first = 0, end = 0;
    char dash = 0;
    std::string may;
    words >> std::hex >> first >> dash >> end >> may;
    if (end <= reached) continue;
    const bool enough =
        may.size() > 1 && may[0] == 'r' && (access == Mapping::Access::ReadOnly || may[1] == 'w');
    if (first > reached || !enough) return false;
    reached = end;
  }
  return reached >= address + size;
}

RegisteredMemory& RegisteredMemory::get() {
  static auto* const only = new RegisteredMemory;  // never deleted: a stream's thread may be in it at the end
  return *only;
}

bool RegisteredMemory::open_file() {
  if (descriptor_ >= 0) return true;
  descriptor_ = create_memory_file("embedded-gpu-registered", kFileBytes);
  if (descriptor_ < 0) return false;
  file_ = file_number(descriptor_);
  pages_ = RangeAllocator(kFileBytes, kPageSize);
  return true;
}

bool RegisteredMemory::use(Journal& journal, std::uint64_t first_page, std::uint64_t bytes,
                           Mapping::Access access) {
  Segment& segment = segments_[first_page];
  if (segment.users++ > 0) return true;
  const auto offset = pages_.take(bytes);
  if (offset) {
    segment.size = bytes;
    segment.offset = *offset;
    segment.shared = map_bytes(bytes, descriptor_, *offset);
    segment.agreed = map_bytes(bytes, -1, 0);
    if (segment.shared != nullptr && segment.agreed != nullptr) {
      journal.map({.source = static_cast<unsigned>(descriptor_),
                   .file = file_,
                   .offset = *offset,
                   .address = first_page,
                   .size = bytes,
                   .access = access});
      return true;
    }
    if (segment.shared != nullptr) munmap(segment.shared, bytes);
    if (segment.agreed != nullptr) munmap(segment.agreed, bytes);
    pages_.give_back(*offset, bytes);
  }
  segments_.erase(first_page);
  return false;
}

void RegisteredMemory::leave(Journal& journal, std::uint64_t first_page) {
  Segment& segment = segments_.at(first_page);
  if (--segment.users > 0) return;
  journal.unmap(first_page);
  // The next user of these pages of the file begins with zeros, as its own agreed copy does.
  madvise(segment.shared, segment.size, MADV_REMOVE);
  munmap(segment.shared, segment.size);
  munmap(segment.agreed, segment.size);
  pages_.give_back(segment.offset, segment.size);
  segments_.erase(first_page);
}

void RegisteredMemory::add(Journal& journal, std::uint64_t base, std::uint64_t size, Mapping::Access access) {
  const std::lock_guard lock(lock_);
  if (!open_file()) return;
  const std::uint64_t end = base + size;
  std::vector<Piece> pieces;
  // The first and the last page may be another registration's too; between them lies one piece.
  const auto add_piece = [&](std::uint64_t from, std::uint64_t until) {
    if (from >= until) return;
    pieces.push_back({from, until - from, page_of(from)});
  };
  const std::uint64_t middle = page_of(base + kPageSize - 1);
  const std::uint64_t tail = std::max(page_of(end), middle);
  add_piece(base, std::min(middle, end));
  add_piece(middle, std::min(tail, end));
  add_piece(tail, end);
  for (auto piece = pieces.begin(); piece != pieces.end(); ++piece) {
    const std::uint64_t bytes = page_of(piece->address + piece->size + kPageSize - 1) - piece->segment;
    if (use(journal, piece->segment, bytes, access)) continue;
    for (auto made = pieces.begin(); made != piece; ++made) leave(journal, made->segment);
    return;
  }
  registered_.emplace(base, std::move(pieces));
  ++count;
}

void RegisteredMemory::remove(Journal& journal, std::uint64_t base) {
  const std::lock_guard lock(lock_);
  const auto entry = registered_.find(base);
  if (entry == registered_.end()) return;
  for (const Piece& piece : entry->second) leave(journal, piece.segment);
  registered_.erase(entry);
  --count;
}

template <typename Exchange>
void RegisteredMemory::for_each_page(Exchange exchange) {
  const std::lock_guard lock(lock_);
  for (const auto& [base, pieces] : registered_) {
    for (const Piece& piece : pieces) {
      if (!is_mapped(piece.address, piece.size)) continue;
      const Segment& segment = segments_.at(piece.segment);
      for (std::uint64_t done = 0; done < piece.size; done += kPageSize) {
        const std::uint64_t bytes = std::min(kPageSize, piece.size - done);
        const std::uint64_t at = piece.address - piece.segment + done;
        exchange(reinterpret_cast<std::byte*>(piece.address + done), segment.shared + at, segment.agreed + at,
                 bytes);
      }
    }
  }
}

void RegisteredMemory::give() {
  for_each_page([](std::byte* own, std::byte* shared, std::byte* agreed, std::uint64_t bytes) {
    move_changes(shared, own, agreed, bytes);
  });
}

void RegisteredMemory::take() {
  for_each_page([](std::byte* own, std::byte* shared, std::byte* agreed, std::uint64_t bytes) {
    move_changes(own, shared, agreed, bytes);
  });
}

}  // namespace driver
