// SPDX-License-Identifier: MIT
// The parts that records of a call are written in: in line, where every recorder has its own copy, and
// shared.
//
// If a program does other work between calls, the processor's caches hold no recorder any more, and its
// branch predictor no branches of one. So the recorders of functions that programs call in their inner loops
// have all of it in line: one piece of code whose branches go the same way at each call. Words are written
// one by one, because the length of a loop differs from call to call. All other recorders share one copy and
// stay small. See docs/decisions.md 29.
#pragma once
#include "side.hpp"
#include "thread.hpp"

namespace trace::interpose {

enum class Takes { Time, NoTime };  // NoTime: never waits, and takes less time than reading the clock

inline constexpr std::size_t kLeaveHead = sizeof(wire::LeaveRecord);

inline void put(std::byte* to, std::uint64_t word) {
  std::memcpy(to, &word, sizeof word);
}

// Waits while the reader holds the program, and returns when the call really began. Not marked as cold: the
// compiler would then move the following call of the driver away with it.
[[gnu::noinline]] void hold_before_call(Thread& thread);

struct InLine {
  // Begins the enter record: returns the place of `words` words, which are followed by `items` bytes; nullptr
  // if there is no reader any more: the call is not recorded.
  template <Takes kTakes>
  [[gnu::always_inline]] static inline std::byte* begin_enter(Thread& thread, unsigned function,
                                                              std::uintptr_t address, std::size_t words,
                                                              std::size_t items = 0) {
    const wire::Header& shared = *header;
    if (thread.depth == 0) {
      // A call that a library makes inside one of its own calls has that call's place in the program.
      if (shared.stacks.load(std::memory_order_relaxed) != 0) [[unlikely]]
        write_stack(address);
      if (!thread.knows_module(address)) [[unlikely]]
        note_module(address);
    }
    const std::uint64_t now = time_of_enter<kTakes>(thread, shared);
    const std::uint64_t gap = now - thread.last;
    thread.last = now;
    if (kTakes == Takes::NoTime) thread.back_to_back = gap < shared.back_to_back_gap;
    const bool marks = gap >= shared.mark_gap && mark_is_due(thread, now);
    const std::size_t bytes = sizeof(wire::EnterRecord) + (marks ? 16 : 0) + words * 8 + items;
    std::byte* at = thread.producer.reserve(bytes);
    if (at == nullptr) [[unlikely]]
      return nullptr;
    const unsigned flags = (marks ? unsigned{wire::kHasMarks} : 0u) | unsigned{thread.depth}
                                                                          << wire::kDepthShift;
    put(at, wire::head_word(bytes / 8, wire::RecordKind::Enter, words, function, flags));
    put(at + 8, now);
    put(at + 16, address);
    at += sizeof(wire::EnterRecord);
    if (marks) [[unlikely]] {
      std::uint64_t sizes[2];
      read_marks(thread, sizes);
      std::memcpy(at, sizes, sizeof sizes);
      at += sizeof sizes;
    }
    return at;
  }

  // Its end. The thread waits here while it is held.
  [[gnu::always_inline]] static inline void finish_enter(Thread& thread, const std::byte* end) {
    thread.producer.publish_to(end);
    if (header->hold.load(std::memory_order_relaxed) != 0) [[unlikely]]
      hold_before_call(thread);
  }

  // Begins the leave record: returns its place, with the first kLeaveHead bytes free, and sets the time;
  // nullptr: lost. Calls that take no time and follow each other closely end when they began, as long as the
  // program has one thread: the clock would measure little more than itself.
  template <Takes kTakes>
  [[gnu::always_inline]] static inline std::byte* begin_leave(Thread& thread, std::size_t most_items) {
    std::byte* const place = thread.producer.reserve(kLeaveHead + 8 + most_items);
    if (place == nullptr) [[unlikely]]
      return lost_end(thread);
    if (kTakes == Takes::Time || !thread.back_to_back || header->several.load(std::memory_order_relaxed) != 0)
      thread.last = wire::leaving_ticks(*header, clock_kind);
    return place;
  }

  [[gnu::always_inline]] static inline void finish_leave(Thread& thread, int result, std::byte* place,
                                                         const std::byte* end, unsigned flags) {
    const auto bytes = static_cast<std::size_t>(end - place);
    put(place, wire::head_word(bytes / 8, wire::RecordKind::Leave, 0, 0,
                               flags | unsigned{thread.depth} << wire::kDepthShift));
    put(place + 8, thread.last);
    put(place + 16, static_cast<std::uint64_t>(std::int64_t{result}));
    thread.producer.publish_to(end);
  }

 private:
  // Reading the clock is the largest part of a record's cost. Libraries ask for the current context or device
  // very often. For a call that takes no time, and follows others in a busy program of one thread, the clock
  // is not even read when it begins. Such a call gets the time of what the thread did before, as long as the
  // reader has not looked since the clock was last read for a call; so its time is wrong by less than the
  // time between two looks. Not while output is noted at every call: that belongs between two calls.
  template <Takes kTakes>
  [[gnu::always_inline]] static inline std::uint64_t time_of_enter(Thread& thread,
                                                                   const wire::Header& shared) {
    const std::uint32_t look = shared.busy_look.load(std::memory_order_relaxed);
    if (kTakes == Takes::NoTime && look != 0 && look == thread.look &&
        shared.several.load(std::memory_order_relaxed) == 0 && !mark_was_due(thread))
      return thread.last;
    thread.look = look;
    return wire::early_ticks(clock_kind);
  }
};

// The same, once for all recorders of calls that take time.
struct Shared {
  template <Takes kTakes>
  static std::byte* begin_enter(Thread& thread, unsigned function, std::uintptr_t address, std::size_t words,
                                std::size_t items = 0);
  static void finish_enter(Thread& thread, const std::byte* end);
  template <Takes kTakes>
  static std::byte* begin_leave(Thread& thread, std::size_t most_items);
  static void finish_leave(Thread& thread, int result, std::byte* place, const std::byte* end,
                           unsigned flags);
};
template <>
std::byte* Shared::begin_enter<Takes::Time>(Thread& thread, unsigned function, std::uintptr_t address,
                                            std::size_t words, std::size_t items);
template <>
std::byte* Shared::begin_leave<Takes::Time>(Thread& thread, std::size_t most_items);

}  // namespace trace::interpose
