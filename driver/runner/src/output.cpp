// SPDX-License-Identifier: MIT
// See output.hpp. The ring of records in shared memory is written here and emptied by the host
// (driver/src/core/runner.cpp).
#include "output.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>

#include "process.hpp"

namespace runner {
namespace {

std::byte* ring() {
  return reinterpret_cast<std::byte*>(control) + kOutputOffset;
}

void copy_in(std::uint64_t at, const void* from, std::uint64_t bytes) {
  const std::uint64_t size = control->output.size;
  const std::uint64_t first = std::min(bytes, size - at % size);
  std::memcpy(ring() + at % size, from, first);
  std::memcpy(ring(), static_cast<const std::byte*>(from) + first, bytes - first);
}

void copy_out(std::uint64_t at, void* to, std::uint64_t bytes) {
  const std::uint64_t size = control->output.size;
  const std::uint64_t first = std::min(bytes, size - at % size);
  std::memcpy(to, ring() + at % size, first);
  std::memcpy(static_cast<std::byte*>(to) + first, ring(), bytes - first);
}

}  // namespace

void print(OutputKind kind, std::string_view text) {
  Output& output = control->output;
  const std::uint64_t need = sizeof(OutputRecord) + text.size();
  if (text.empty() || need > output.size) return;
  while (output.lock.exchange(1, std::memory_order_acquire) != 0) sched_yield();
  while (output.tail + need - output.head > output.size) {
    OutputRecord oldest;
    copy_out(output.head, &oldest, sizeof oldest);
    output.head += sizeof oldest + oldest.bytes;
  }
  const OutputRecord record{static_cast<std::uint32_t>(text.size()), kind};
  copy_in(output.tail, &record, sizeof record);
  copy_in(output.tail + sizeof record, text.data(), text.size());
  output.tail += need;
  output.lock.store(0, std::memory_order_release);
}

}  // namespace runner
