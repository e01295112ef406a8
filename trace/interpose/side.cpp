// SPDX-License-Identifier: MIT
// Copying what a wild pointer may point to; see side.hpp. Keeps errno as the program left it.
#include "side.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

namespace trace::interpose {
namespace {

// How many bytes could be read at `from`. If the kernel forbids that call (old seccomp profiles), a plain
// copy.
std::size_t copy_carefully(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return 0;
  const iovec local{to, bytes};
  const iovec remote{const_cast<void*>(from), bytes};
  const ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  if (got >= 0) return static_cast<std::size_t>(got);
  if (errno == EFAULT) return 0;
  std::memcpy(to, from, bytes);
  return bytes;
}

struct Copied {
  std::size_t length = 0;
  bool ended = false;
};

// Up to the end of a page at a time: the next one may not be there.
Copied copy_text(char* to, const char* from, std::size_t most) {
  Copied copied;
  while (copied.length < most && !copied.ended) {
    const std::size_t to_page_end = 4096 - (reinterpret_cast<std::uintptr_t>(from) + copied.length) % 4096;
    const std::size_t step = std::min({to_page_end, most - copied.length, std::size_t{256}});
    if (copy_carefully(to + copied.length, from + copied.length, step) != step) break;
    const std::size_t found = strnlen(to + copied.length, step);
    copied.ended = found < step;
    copied.length += found;
  }
  return copied;
}

constexpr std::size_t kSamples = std::size_t{4} << 20;  // bytes of all calls together
std::atomic<std::size_t> samples_used{0};

// How many of these bytes may be kept; 0: nothing more.
std::size_t take_sample_room(const void* data, std::size_t bytes) {
  if (data == nullptr || bytes == 0 || samples_used.load(std::memory_order_relaxed) >= kSamples) return 0;
  const std::size_t kept = std::min(bytes, wire::kSideBytes);
  const std::size_t before = samples_used.fetch_add(wire::round_up(kept), std::memory_order_relaxed);
  return before + kept > kSamples ? 0 : kept;
}

std::size_t copy_sample(std::byte* to, const void* from, std::size_t bytes) {
  const int saved = errno;
  const std::size_t copied = copy_carefully(to, from, bytes);
  errno = saved;
  return copied;
}

}  // namespace

void DirectSide::long_bytes(unsigned parameter, const void* data, std::size_t bytes) {
  if (count_ == kMostItems) return;
  const std::size_t kept = std::min({bytes, wire::kSideBytes, wire::kSideTotal - stored_});
  add(parameter, data, kept, bytes);
  stored_ += wire::round_up(kept);
}

void DirectSide::sample(unsigned parameter, const void* data, std::size_t bytes) {
  if (count_ == kMostItems || wire::kSideTotal - stored_ < wire::kSideBytes) return;
  std::byte copy[wire::kSideBytes];
  const std::size_t kept = take_sample_room(data, bytes);
  const std::size_t copied = kept == 0 ? 0 : copy_sample(copy, data, kept);
  if (copied == 0) return;
  add(parameter, copy, copied, bytes);
  stored_ += wire::round_up(copied);
}

void DirectSide::sample_image(unsigned parameter, const void* data) {
  if (data == nullptr || count_ == kMostItems || wire::kSideTotal - stored_ < wire::kSideBytes) return;
  char text[wire::kSideBytes];
  const int saved = errno;
  const Copied copied = copy_text(text, static_cast<const char*>(data), sizeof text);
  errno = saved;
  if (copied.length == 0 || take_sample_room(text, copied.length) != copied.length) return;
  add(parameter, text, copied.length, copied.length);
  stored_ += wire::round_up(copied.length);
}

std::size_t CarefulSide::room() const {
  const std::size_t left = sizeof copy_ - used_;
  if (left <= sizeof(wire::Item) + 8) return 0;
  return std::min(wire::kSideBytes, left - sizeof(wire::Item) - 8);
}

void CarefulSide::add(unsigned parameter, std::size_t kept, std::size_t true_bytes) {
  const std::uint64_t item = wire::item_word(parameter, kept, true_bytes);
  std::memcpy(copy_ + used_, &item, sizeof item);
  used_ += sizeof item + wire::round_up(kept);
}

void CarefulSide::bytes(unsigned parameter, const void* data, std::size_t bytes) {
  if (data == nullptr || room() == 0) return;
  const int saved = errno;
  const std::size_t wanted = std::min(bytes, room());
  const std::size_t kept = copy_carefully(free_place(), data, wanted);
  errno = saved;
  if (kept == wanted) add(parameter, kept, bytes);
}

void CarefulSide::text(unsigned parameter, const char* data) {
  if (data == nullptr || room() == 0) return;
  const int saved = errno;
  const Copied copied = copy_text(reinterpret_cast<char*>(free_place()), data, room());
  errno = saved;
  // No end was found: the rest is longer than what is kept, or cannot be read; the true length is not known.
  if (copied.ended || copied.length > 0)
    add(parameter, copied.length, copied.ended ? copied.length : copied.length + 1);
}

void CarefulSide::texts(unsigned parameter, const void* array, std::size_t count) {
  if (array == nullptr || room() == 0) return;
  const int saved = errno;
  auto* to = reinterpret_cast<char*>(free_place());
  const std::size_t most = room();
  std::size_t length = 0;
  for (std::size_t i = 0; i < count && length < most; ++i) {
    const char* text = nullptr;
    const auto* from = static_cast<const std::byte*>(array) + i * sizeof text;
    if (copy_carefully(static_cast<void*>(&text), from, sizeof text) != sizeof text || text == nullptr) break;
    if (i > 0) to[length++] = ' ';
    length += copy_text(to + length, text, most - length).length;
  }
  errno = saved;
  if (length > 0) add(parameter, length, length < most ? length : length + 1);
}

}  // namespace trace::interpose
