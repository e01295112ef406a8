// SPDX-License-Identifier: MIT
// What all recorders share; see call.hpp. Nothing here depends on a single driver function.
#include "call.hpp"

namespace trace::interpose {

namespace {

// What has ended by now. The time of the record says where the driver's clock stands.
[[gnu::cold, gnu::noinline]] void write_work_times() {
  const int saved = errno;
  api::WorkTime times[wire::kWorkTimesInRecord];
  for (std::size_t taken = std::size(times); taken == std::size(times);) {
    taken = take_work_times(times, std::size(times));
    if (taken != 0)
      write_plain(wire::RecordKind::WorkTimes, wire::monotonic_ns(), reinterpret_cast<const char*>(times),
                  taken * sizeof times[0]);
  }
  errno = saved;
}

}  // namespace

void hold_before_call(Thread& thread) {
  thread.producer.wait_while_held();
  std::byte* at = thread.producer.reserve(sizeof(wire::RecordHead));
  if (at == nullptr) return thread.producer.lost_no_call();
  const wire::RecordHead head{sizeof(wire::RecordHead) / 8, wire::RecordKind::Resume, 0, 0, 0,
                              wire::ticks(clock_kind)};
  std::memcpy(at, &head, sizeof head);
  thread.producer.publish(sizeof head);
  thread.back_to_back = false;
}

template <>
[[gnu::hot]] std::byte* Shared::begin_enter<Takes::Time>(Thread& thread, unsigned function,
                                                         std::uintptr_t address, std::size_t words,
                                                         std::size_t items) {
  return InLine::begin_enter<Takes::Time>(thread, function, address, words, items);
}

[[gnu::hot]] void Shared::finish_enter(Thread& thread, const std::byte* end) {
  InLine::finish_enter(thread, end);
}

template <>
[[gnu::hot]] std::byte* Shared::begin_leave<Takes::Time>(Thread& thread, std::size_t most_items) {
  return InLine::begin_leave<Takes::Time>(thread, most_items);
}

[[gnu::hot]] void Shared::finish_leave(Thread& thread, int result, std::byte* place, const std::byte* end,
                                       unsigned flags) {
  InLine::finish_leave(thread, result, place, end, flags);
  if (work_times_waiting->load(std::memory_order_relaxed) != 0) [[unlikely]]
    write_work_times();
}

bool write_enter(Thread& thread, unsigned function, std::uintptr_t address, const std::uint64_t* words,
                 std::size_t count, const CarefulSide* side) {
  const std::size_t items = side != nullptr ? side->record_bytes() : 0;
  std::byte* at = Shared::begin_enter<Takes::Time>(thread, function, address, count, items);
  if (at == nullptr) return false;
  for (std::size_t i = 0; i < count; ++i) {
    put(at, words[i]);
    at += 8;
    asm volatile("" ::: "memory");  // or the loop becomes a call of memcpy, which costs more than the copy
  }
  if (side != nullptr) side->write(at);
  Shared::finish_enter(thread, at + items);
  return true;
}

void write_leave(Thread& thread, int result, bool ask, const Side& side) {
  std::byte* const place = Shared::begin_leave<Takes::Time>(thread, side.record_bytes());
  if (place == nullptr) return;
  std::byte* at = place + kLeaveHead;
  std::uint64_t current = 0;
  const bool known = ask && ask_current(&current);
  if (known) {
    put(at, current);
    at += sizeof current;
  }
  side.write(at);
  Shared::finish_leave(thread, result, place, at + side.record_bytes(),
                       known ? unsigned{wire::kHasCurrent} : 0u);
}

}  // namespace trace::interpose
