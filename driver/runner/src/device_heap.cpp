// SPDX-License-Identifier: MIT
// See device_heap.hpp. Best fit; adjacent free pieces are joined. The lists are outside the heap, where a
// kernel that writes past its memory hardly reaches them.
#include "device_heap.hpp"

#include <sys/mman.h>

#include <iterator>
#include <map>
#include <mutex>
#include <unordered_map>

#include "process.hpp"

namespace runner {
namespace {

constexpr std::uint64_t kPreferredAddress = 0x7e7000000000;
constexpr std::uint64_t kHeapGranularity = 16;

struct Heap {
  std::mutex lock;
  std::map<std::uint64_t, std::uint64_t> free;            // address -> bytes
  std::multimap<std::uint64_t, std::uint64_t> by_size;    // bytes -> address
  std::unordered_map<std::uint64_t, std::uint64_t> used;  // address -> bytes
};

void forget(Heap& heap, std::map<std::uint64_t, std::uint64_t>::iterator entry) {
  const auto [first, last] = heap.by_size.equal_range(entry->second);
  for (auto same = first; same != last; ++same) {
    if (same->second != entry->first) continue;
    heap.by_size.erase(same);
    break;
  }
  heap.free.erase(entry);
}

void remember(Heap& heap, std::uint64_t address, std::uint64_t bytes) {
  heap.free.emplace(address, bytes);
  heap.by_size.emplace(bytes, address);
}

Heap& the_heap() {
  static Heap* const heap = [] {
    auto* const made = new Heap;
    const std::uint64_t bytes = control->heap_bytes;
    if (bytes == 0) return made;
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* const got =
        mmap(reinterpret_cast<void*>(kPreferredAddress), bytes, PROT_READ | PROT_WRITE, kFlags, -1, 0);
    if (got != MAP_FAILED) remember(*made, reinterpret_cast<std::uint64_t>(got), bytes);
    return made;
  }();
  return *heap;
}

}  // namespace

std::uint64_t allocate_on_heap(std::uint64_t bytes) {
  Heap& heap = the_heap();
  if (bytes == 0 || bytes > control->heap_bytes) return 0;
  bytes = (bytes + kHeapGranularity - 1) / kHeapGranularity * kHeapGranularity;
  const std::lock_guard lock(heap.lock);
  const auto fit = heap.by_size.lower_bound(bytes);
  if (fit == heap.by_size.end()) return 0;
  const std::uint64_t address = fit->second;
  const std::uint64_t left = fit->first - bytes;
  forget(heap, heap.free.find(address));
  if (left != 0) remember(heap, address + bytes, left);
  heap.used.emplace(address, bytes);
  return address;
}

void free_on_heap(std::uint64_t address) {
  if (address == 0) return;
  Heap& heap = the_heap();
  const std::lock_guard lock(heap.lock);
  const auto found = heap.used.find(address);
  if (found == heap.used.end()) end_with(Outcome::IllegalAddress, address);  // as on an H200
  std::uint64_t bytes = found->second;
  heap.used.erase(found);
  const auto after = heap.free.upper_bound(address);
  if (after != heap.free.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == address) {
      address = before->first;
      bytes += before->second;
      forget(heap, before);
    }
  }
  const auto next = heap.free.find(address + bytes);
  if (next != heap.free.end()) {
    bytes += next->second;
    forget(heap, next);
  }
  remember(heap, address, bytes);
}

}  // namespace runner
