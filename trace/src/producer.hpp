// SPDX-License-Identifier: MIT
// The traced program's side of one ring: reserve, write, publish. No locks, no memory from the heap.
//
// Exactly one thread uses a Producer. If the ring is full or the reader holds the program, the thread waits
// as long as the reader lives. If the reader has ended, or does not read a full ring for some time, records
// are counted as lost and the program runs on. Header-only because both the interposed library and the tests
// compile it.
#pragma once
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "clock.hpp"
#include "wire.hpp"

namespace trace::wire {

inline void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t seen, long milliseconds) {
  const timespec timeout{milliseconds / 1000, (milliseconds % 1000) * 1'000'000};
  syscall(SYS_futex, &word, FUTEX_WAIT, seen, &timeout, nullptr, 0);
}
inline void futex_wake(std::atomic<std::uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, 0x7fffffff, nullptr, nullptr, 0);
}

// Start time of a process in clock ticks since boot, field 22 of its stat line; 0 when it cannot be read.
inline std::uint64_t process_start_time(std::uint32_t process) {
  char path[32] = "/proc/";
  std::size_t length = 6;
  char digits[10];
  std::size_t count = 0;
  for (std::uint32_t rest = process; rest != 0 || count == 0; rest /= 10) {
    digits[count++] = static_cast<char>('0' + rest % 10);
  }
  while (count > 0) path[length++] = digits[--count];
  std::memcpy(path + length, "/stat", 6);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[1024];
  const ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  if (got <= 0) return 0;
  text[got] = '\0';
  const char* at = std::strrchr(text, ')');  // the name before it may hold spaces
  for (int field = 2; at != nullptr && field < 22; ++field) at = std::strchr(at + 1, ' ');
  return at == nullptr ? 0 : std::strtoull(at, nullptr, 10);
}

// Whether the process that made this memory still runs. Costs a system call or three.
inline bool reader_alive(const Header& header) {
  const int saved = errno;
  bool alive = kill(static_cast<pid_t>(header.reader_pid), 0) == 0 || errno == EPERM;
  if (alive && header.reader_start != 0) {
    const std::uint64_t start = process_start_time(header.reader_pid);
    alive = start == 0 || start == header.reader_start;  // 0: no /proc here, or no descriptor left
  }
  errno = saved;
  return alive;
}

class Producer {
 public:
  // The slot must be claimed for this thread.
  void attach(Header* header, std::size_t slot, std::uint64_t ring_bytes) {
    header_ = header;
    slot_ = slots_of(header) + slot;
    ring_ = ring_of(header, slot, ring_bytes);
    bytes_ = ring_bytes_of(slot, ring_bytes);
    head_ = slot_->head.load(std::memory_order_relaxed);
    tail_ = slot_->tail.load(std::memory_order_acquire);
    at_ = end_ = ring_;  // the first record finds its room
  }
  void detach() { slot_ = nullptr; }
  // The record that reserve() refused does not count as a lost call.
  void lost_no_call() { slot_->lost.fetch_sub(1, std::memory_order_relaxed); }
  bool attached() const { return slot_ != nullptr; }
  Slot& slot() { return *slot_; }

  // Room for a record of `bytes` (a multiple of 8, at most kLongestRecord); nullptr: lost, there is no
  // reader. It may be published shorter.
  std::byte* reserve(std::size_t bytes) {
    if (bytes > static_cast<std::size_t>(end_ - at_)) [[unlikely]]
      return find_room(bytes);
    return at_;
  }
  void publish_to(const std::byte* end) { publish(static_cast<std::size_t>(end - at_)); }
  void publish(std::size_t bytes) {
    // The next cache lines are in the reader's core since it last read them. Fetching them takes longer than
    // anything else here, unless it is requested early.
    fetch_to_write(at_ + kAhead);
    fetch_to_write(at_ + kAhead + 64);
    at_ += bytes;
    head_ += bytes;
    slot_->head.store(head_, std::memory_order_release);
  }

  // Waits while the reader holds the program and has given this thread no permit.
  void wait_while_held() {
    const int saved = errno;
    slot_->held.store(1, std::memory_order_release);
    while (header_->hold.load(std::memory_order_acquire) != 0) {
      const std::uint32_t gate = slot_->gate.load(std::memory_order_acquire);
      std::uint32_t permits = slot_->permits.load(std::memory_order_acquire);
      if (permits > 0) {
        // In this order, so that the reader never sees a thread as held whose permit is taken.
        slot_->held.store(0, std::memory_order_seq_cst);
        if (slot_->permits.compare_exchange_strong(permits, permits - 1)) break;
        slot_->held.store(1, std::memory_order_release);
      }
      if (header_->hold.load(std::memory_order_acquire) == 0) break;
      futex_wait(slot_->gate, gate, kPatience);
      if (!reader_alive(*header_)) break;
    }
    slot_->held.store(0, std::memory_order_release);
    errno = saved;
  }

 private:
  static constexpr std::uint64_t kAhead = 1024;
  static void fetch_to_write(const std::byte* at) {
#if defined(__x86_64__)
    asm volatile("prefetchw %0" : : "m"(*at));
#else
    __builtin_prefetch(at, 1);
#endif
  }

  static constexpr long kPatience = 200;  // milliseconds between looks at whether the reader lives

  // Where the next record begins, with room for `needed` bytes that do not wrap.
  [[gnu::cold, gnu::noinline]] std::byte* find_room(std::size_t needed) {
    const std::size_t to_end = bytes_ - (head_ & (bytes_ - 1));
    const std::size_t skipped = needed > to_end ? to_end : 0;
    tail_ = slot_->tail.load(std::memory_order_acquire);
    if (head_ + skipped + needed - tail_ > bytes_ && !make_room(skipped + needed)) return nullptr;
    if (skipped != 0) pad(head_ & (bytes_ - 1), skipped);
    const std::size_t position = head_ & (bytes_ - 1);
    const std::size_t unread = head_ - tail_;
    at_ = ring_ + position;
    end_ = at_ + (bytes_ - position < bytes_ - unread ? bytes_ - position : bytes_ - unread);
    return at_;
  }

  void pad(std::size_t position, std::size_t bytes) {
    RecordHead head{};
    head.units = static_cast<std::uint16_t>(bytes / 8);
    head.kind = RecordKind::Padding;
    std::memcpy(ring_ + position, &head, 8);  // there may be room for 8 bytes only
    head_ += bytes;
  }

  bool make_room(std::size_t needed) {
    const int saved = errno;
    bool room = false;
    const std::uint64_t tail_before = tail_;
    const std::uint64_t begin = monotonic_ns();
    for (;;) {
      tail_ = slot_->tail.load(std::memory_order_acquire);
      room = head_ + needed - tail_ <= bytes_;
      if (room) break;
      const std::uint32_t gate = slot_->gate.load(std::memory_order_acquire);
      slot_->full.store(1, std::memory_order_seq_cst);
      if (head_ + needed - slot_->tail.load(std::memory_order_seq_cst) <= bytes_) continue;
      // If the reader is slower than the program, the thread waits; if it has stopped reading, it does not
      // wait until the reader has read again.
      if (tail_ != tail_before) reader_stands_ = false;
      if (reader_gone_ || reader_stands_) break;
      futex_wait(slot_->gate, gate, kPatience);
      reader_gone_ = !reader_alive(*header_);
      reader_stands_ = monotonic_ns() - begin > header_->standstill_ns;
    }
    slot_->full.store(0, std::memory_order_relaxed);
    if (!room) slot_->lost.fetch_add(1, std::memory_order_relaxed);
    errno = saved;
    return room;
  }

  // What every record needs comes first. `at_` up to `end_` is free and does not wrap.
  std::byte* at_ = nullptr;
  std::byte* end_ = nullptr;
  std::uint64_t head_ = 0;  // own copy, so that the shared line is only written
  Slot* slot_ = nullptr;
  Header* header_ = nullptr;
  std::byte* ring_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::uint64_t tail_ = 0;  // as last seen
  bool reader_gone_ = false;
  bool reader_stands_ = false;
};

// Claims a free slot; kSlots when there is none.
inline std::size_t claim_slot(Header* header) {
  const std::size_t slots = header->slots < kSlots ? header->slots : kSlots;
  std::uint32_t first = header->first_free.load();
  const std::size_t begin = first < slots ? first : 0;
  for (std::size_t i = 0; i < slots; ++i) {
    const std::size_t index = (begin + i) % slots;
    SlotState expected = SlotState::Free;
    Slot& slot = slots_of(header)[index];
    if (slot.state.load(std::memory_order_relaxed) != SlotState::Free) continue;
    if (!slot.state.compare_exchange_strong(expected, SlotState::Claimed)) continue;
    if (index > 0) header->several.store(1);
    header->first_free.compare_exchange_strong(first, static_cast<std::uint32_t>(index + 1));
    std::uint32_t used = header->slots_used.load();
    const auto wanted = static_cast<std::uint32_t>(index + 1);
    while (used < wanted && !header->slots_used.compare_exchange_weak(used, wanted)) {
    }
    return index;
  }
  return kSlots;
}

}  // namespace trace::wire
