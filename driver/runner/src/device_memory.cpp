// SPDX-License-Identifier: MIT
// See device_memory.hpp: maps and unmaps memory as in the host's list of changes.
#include "device_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <map>
#include <mutex>
#include <string>

#include "process.hpp"

namespace runner {
namespace {

std::mutex applying;

void* place(std::uint64_t address) {
  return reinterpret_cast<void*>(address);
}

void close_range(std::uint64_t address, std::uint64_t size) {
  // Memory that was freed must not stay reachable.
  if (mmap(place(address), size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) ==
      MAP_FAILED)
    end_with(Outcome::OutOfMemory);
}

// What there was no mapping left for. Read by the handler of a fault, too.
struct Unmapped {
  std::atomic<std::uint64_t> base{0}, size{0};
};
std::array<Unmapped, 64> unmapped;

void note_unmapped(const Change& change) {
  const auto free = std::find_if(unmapped.begin(), unmapped.end(),
                                 [](const Unmapped& range) { return range.size.load() == 0; });
  if (free == unmapped.end()) end_with(Outcome::OutOfMemory);
  free->base = change.address;
  free->size = change.size;
}

void forget_unmapped(std::uint64_t address) {
  for (Unmapped& range : unmapped)
    if (range.base.load() == address) range.size = 0;
}

// A file that the host has opened since this process began: memory of yet another process. -1 when the host
// has closed it, or has something else there.
int open_through_host(const Change& change) {
  const std::string path = "/proc/" + std::to_string(control->host) + "/fd/" + std::to_string(change.source);
  const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status = {};
  if (descriptor < 0 || (fstat(descriptor, &status) == 0 && status.st_ino == change.file)) return descriptor;
  close(descriptor);
  return -1;
}

// What lies outside of the ranges set aside: memory of the program's own or of another process. Something of
// this process may lie there already, and is not touched then. By address, whether it is mapped; guarded by
// `applying`.
std::map<std::uint64_t, bool> foreign;

void map_foreign(const Change& change, int protection) {
  bool& is_mapped = foreign[change.address];
  is_mapped = false;
  const int descriptor = open_through_host(change);
  if (descriptor < 0) return;
  void* const mapped =
      mmap(place(change.address), change.size, protection, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
           descriptor, static_cast<off_t>(change.offset));
  const bool none_left = mapped == MAP_FAILED && errno == ENOMEM;
  close(descriptor);
  is_mapped = mapped == place(change.address);
  if (none_left) note_unmapped(change);
  if (!is_mapped && mapped != MAP_FAILED) munmap(mapped, change.size);
}

bool is_set_aside(std::uint64_t address) {
  return std::any_of(control->sources, control->sources + control->source_count,
                     [address](const Source& source) { return address - source.base < source.size; });
}

void apply(const Change& change) {
  forget_unmapped(change.address);
  if (change.kind == ChangeKind::Unmap) {
    const auto known = foreign.find(change.address);
    if (known == foreign.end() && is_set_aside(change.address)) {
      close_range(change.address, change.size);
    } else if (known == foreign.end()) {
      munmap(place(change.address), change.size);  // a foreign file may be mapped there next
    } else {
      if (known->second) munmap(place(change.address), change.size);
      foreign.erase(known);
    }
    return;
  }
  const int protection = change.kind == ChangeKind::Map ? PROT_READ | PROT_WRITE : PROT_READ;
  // For a kernel that uses memory that could not be mapped, the error is that there was no memory; others go
  // on.
  if (change.file != 0) {
    map_foreign(change, protection);
    return;
  }
  void* const mapped =
      mmap(place(change.address), change.size, protection, MAP_SHARED | MAP_NORESERVE | MAP_FIXED,
           kFirstSourceDescriptor + static_cast<int>(change.source), static_cast<off_t>(change.offset));
  if (mapped != MAP_FAILED) return;
  close_range(change.address, change.size);
  note_unmapped(change);
}

}  // namespace

bool set_ranges_aside() {
  return std::all_of(control->sources, control->sources + control->source_count, [](const Source& source) {
    if (source.size == 0) return true;
    void* const got = mmap(place(source.base), source.size, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    // Too little address space (RLIMIT_AS) is no reason to fail: what is allocated still finds its place.
    if (got == MAP_FAILED) return errno == ENOMEM;
    return got == place(source.base);
  });
}

void apply_changes(std::uint64_t until) {
  if (control->changes_applied.load(std::memory_order_acquire) >= until) return;
  const std::lock_guard lock(applying);
  std::uint64_t next = control->changes_applied.load(std::memory_order_relaxed);
  for (; next < until; ++next) apply(control->changes[next % kChangeCount]);
  control->changes_applied.store(next, std::memory_order_release);
}

bool could_not_be_mapped(std::uint64_t address) {
  return std::any_of(unmapped.begin(), unmapped.end(), [address](const Unmapped& range) {
    return address - range.base.load() < range.size.load();
  });
}

}  // namespace runner
