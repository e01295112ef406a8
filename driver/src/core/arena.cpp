// SPDX-License-Identifier: MIT
// Arena: mmap, memfd_create, and what to do if limits prevent them.
//
// Note: ftruncate on a memfd obeys RLIMIT_FSIZE and kills with SIGXFSZ. The lab runs lessons under such a
// limit, so the soft limit is raised for the one call. If the hard limit forbids that, the memory is
// anonymous.
#include "core/arena.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

namespace driver {
namespace {

constexpr std::uint64_t kSmallestArena = 16u << 20;
// What the driver itself may touch is opened in pieces and never closed again: mlockall() brings in all that
// can be touched, and a mapping for each allocation would soon be more than a process may have.
constexpr std::uint64_t kPiece = 32u << 20;

void* map_memory(void* where, std::uint64_t size, int protection, int flags, int descriptor) {
  flags |= MAP_SHARED | MAP_NORESERVE | (descriptor < 0 ? MAP_ANONYMOUS : 0);
  return mmap(where, size, protection, flags, descriptor, 0);
}

// A child of fork must not share the parent's device memory: it has no driver (it gets NOT_INITIALIZED).
void keep_to_this_process(void* where, std::uint64_t size) {
  madvise(where, size, MADV_DONTFORK);
  madvise(where, size, MADV_DONTDUMP);
}

}  // namespace

int create_memory_file(const char* name, std::uint64_t size) {
  const int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return -1;
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const bool limited = before.rlim_cur != RLIM_INFINITY && before.rlim_cur < size;
  if (limited && before.rlim_max != RLIM_INFINITY && before.rlim_max < size) {
    close(descriptor);
    return -1;
  }
  if (limited) {
    const rlimit lifted{before.rlim_max, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &lifted);
  }
  const int failed = ftruncate(descriptor, static_cast<off_t>(size));
  if (limited) setrlimit(RLIMIT_FSIZE, &before);
  // A process that maps the file can be sure that its size never changes.
  if (failed == 0 && fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0) return descriptor;
  close(descriptor);
  return -1;
}

std::uint64_t file_number(int descriptor) {
  struct stat status = {};
  return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

bool Arena::descriptor_intact() const {
  return descriptor_ >= 0 && file_number_ != 0 && file_number(descriptor_) == file_number_;
}

std::unique_ptr<Arena> Arena::create(const char* name, std::uint64_t preferred_address, std::uint64_t size,
                                     HostAccess access) {
  for (; size >= kSmallestArena; size /= 2) {
    std::unique_ptr<Arena> arena(new Arena);
    arena->size_ = size;
    arena->access_ = access;
    arena->descriptor_ = create_memory_file(name, size);
    arena->file_number_ = file_number(arena->descriptor_);
    if (arena->reserve(preferred_address, access)) return arena;
  }
  return nullptr;
}

bool Arena::reserve(std::uint64_t preferred_address, HostAccess access) {
  // A preferred address keeps pictures alike from run to run. Where something lies there already (a
  // sanitizer's shadow, for one) the kernel chooses.
  void* const wanted = reinterpret_cast<void*>(preferred_address);
  const auto reserve_at = [&](void* where, int extra) {
    if (access == HostAccess::AfterCommit) return map_memory(where, size_, PROT_NONE, extra, descriptor_);
    return mmap(where, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | extra, -1, 0);
  };
  void* base = reserve_at(wanted, MAP_FIXED_NOREPLACE);
  if (base != MAP_FAILED && base != wanted) {  // a kernel that does not know MAP_FIXED_NOREPLACE
    munmap(base, size_);
    base = MAP_FAILED;
  }
  if (base == MAP_FAILED) base = reserve_at(nullptr, 0);
  if (base == MAP_FAILED) return false;
  base_ = reinterpret_cast<std::uint64_t>(base);
  if (access == HostAccess::AfterCommit) {
    view_ = static_cast<std::byte*>(base);
  } else {
    void* const view = map_memory(nullptr, size_, PROT_NONE, 0, descriptor_);
    if (view == MAP_FAILED) return false;
    view_ = static_cast<std::byte*>(view);
    opened_.assign((size_ + kPiece - 1) / kPiece, false);
  }
  keep_to_this_process(view_, size_);
  return true;
}

Arena::~Arena() {
  if (base_ != 0) munmap(reinterpret_cast<void*>(base_), size_);
  if (view_ != nullptr && reinterpret_cast<std::uint64_t>(view_) != base_) munmap(view_, size_);
  if (descriptor_ >= 0) close(descriptor_);
}

bool Arena::commit(std::uint64_t address, std::uint64_t size) {
  if (access_ == HostAccess::AfterCommit) return mprotect(view(address), size, PROT_READ | PROT_WRITE) == 0;
  for (std::uint64_t i = (address - base_) / kPiece; i * kPiece < address - base_ + size; ++i) {
    if (opened_[i]) continue;
    const std::uint64_t bytes = std::min(kPiece, size_ - i * kPiece);
    if (mprotect(view_ + i * kPiece, bytes, PROT_READ | PROT_WRITE) != 0) return false;
    opened_[i] = true;
  }
  return true;
}

void Arena::release(std::uint64_t address, std::uint64_t size) {
  // MADV_REMOVE needs no descriptor: a program that closes every descriptor still gets its memory back.
  // What is locked in memory (mlockall) is not taken from it.
  if (madvise(view(address), size, MADV_REMOVE) != 0 && munlock(view(address), size) == 0)
    madvise(view(address), size, MADV_REMOVE);
  if (access_ == HostAccess::AfterCommit) mprotect(view(address), size, PROT_NONE);
}

}  // namespace driver
