// The parts of call.hpp that are not hot: copying what a wild pointer may point to, and waiting while held.
// Keeps errno as the program left it. It knows nothing of single driver functions.
#include "call.hpp"

#include <sys/uio.h>

#include <algorithm>

namespace trace::interpose {
namespace {

// Bytes that could be read at `from`. Where the kernel forbids the detour (old seccomp profiles), plainly.
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

}  // namespace

std::size_t CarefulSide::room() const {
  const std::size_t left = sizeof copy_ - used_;
  if (left <= sizeof(wire::Item) + 8) return 0;
  return std::min(wire::kSideBytes, left - sizeof(wire::Item) - 8);
}

void CarefulSide::add(unsigned parameter, std::size_t kept, std::size_t true_bytes) {
  const wire::Item item{static_cast<std::uint8_t>(parameter), 0, static_cast<std::uint16_t>(kept),
                        static_cast<std::uint32_t>(std::min<std::size_t>(true_bytes, 0xffffffffu))};
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
  auto* to = reinterpret_cast<char*>(free_place());
  std::size_t length = 0;
  bool ended = false;
  // Up to the end of a page at a time: the next one may not be there.
  for (const std::size_t most = room(); length < most && !ended;) {
    const std::size_t to_page_end = 4096 - (reinterpret_cast<std::uintptr_t>(data) + length) % 4096;
    const std::size_t step = std::min({to_page_end, most - length, std::size_t{256}});
    if (copy_carefully(to + length, data + length, step) != step) break;
    const std::size_t found = strnlen(to + length, step);
    ended = found < step;
    length += found;
  }
  errno = saved;
  // Not ended: the rest is longer than what is kept, or cannot be read; its true length stays unknown.
  if (ended || length > 0) add(parameter, length, ended ? length : length + 1);
}

void hold_before_call(Thread& thread) {
  thread.producer.wait_while_held();
  std::byte* at = thread.producer.reserve(sizeof(wire::RecordHead));
  if (at == nullptr) return;
  const wire::RecordHead head{sizeof(wire::RecordHead) / 8, wire::RecordKind::Resume, 0, 0, 0,
                              wire::ticks(clock_kind)};
  std::memcpy(at, &head, sizeof head);
  thread.producer.publish(sizeof head);
}

}  // namespace trace::interpose
