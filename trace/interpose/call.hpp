// Around every driver call: record on enter, wait while held, forward, record on leave.
//
// The generated recorders (trace/generated/recorders.cpp) are calls of record() with two lambdas that name
// what the arguments point to. No heap, no locks; a thread that is not traced pays two loads. It knows
// argument words and byte ranges, nothing of their meaning.
#pragma once
#include "back_end.hpp"
#include "side.hpp"
#include "thread.hpp"

namespace trace::interpose {

enum class Asks { Nothing, Current };  // Current: the call may change the current context

// False when nobody reads any more: the call is not recorded.
template <class SideData, class... Words>
inline bool write_enter(Thread& thread, unsigned function, std::uintptr_t address, const SideData& side,
                        Words... words) {
  // What a library calls inside one of its own calls has that call's place in the program.
  if (address - thread.module_low >= thread.module_bytes && thread.depth == 0) [[unlikely]]
    note_module(address);
  const std::uint64_t now = wire::early_ticks(clock_kind);
  const bool marks = mark_is_due(thread, now);
  const std::size_t bytes =
      sizeof(wire::EnterRecord) + (marks ? 16 : 0) + sizeof...(words) * 8 + side.record_bytes();
  std::byte* at = thread.producer.reserve(bytes);
  if (at == nullptr) return false;
  const wire::EnterRecord record{
      {static_cast<std::uint16_t>(bytes / 8), wire::RecordKind::Enter,
       static_cast<std::uint8_t>(sizeof...(words)), static_cast<std::uint16_t>(function),
       static_cast<std::uint16_t>((marks ? wire::kHasMarks : 0) | thread.depth << wire::kDepthShift), now},
      address};
  std::memcpy(at, &record, sizeof record);
  at += sizeof record;
  if (marks) [[unlikely]] {
    std::uint64_t sizes[2];
    read_marks(sizes);
    std::memcpy(at, sizes, sizeof sizes);
    at += sizeof sizes;
  }
  if constexpr (sizeof...(words) > 0) {
    const std::uint64_t packed[] = {words...};
    std::memcpy(at, packed, sizeof packed);
    at += sizeof packed;
  }
  side.write(at);
  thread.producer.publish(bytes);
  return true;
}

// As write_enter(), for any number of words; `side` may be nullptr.
bool write_outer_enter(Thread& thread, unsigned function, std::uintptr_t address, const std::uint64_t* words,
                       std::size_t count, const CarefulSide* side);

inline void write_leave(Thread& thread, int result, const std::uint64_t* current, const Side& side) {
  const std::size_t bytes = sizeof(wire::LeaveRecord) + (current != nullptr ? 8 : 0) + side.record_bytes();
  std::byte* at = thread.producer.reserve(bytes);
  if (at == nullptr) return;
  thread.left = wire::ticks(clock_kind);
  const wire::LeaveRecord record{{static_cast<std::uint16_t>(bytes / 8), wire::RecordKind::Leave, 0, 0,
                                  static_cast<std::uint16_t>((current != nullptr ? wire::kHasCurrent : 0) |
                                                             thread.depth << wire::kDepthShift),
                                  thread.left},
                                 result};
  std::memcpy(at, &record, sizeof record);
  at += sizeof record;
  if (current != nullptr) {
    std::memcpy(at, current, 8);
    at += 8;
  }
  side.write(at);
  thread.producer.publish(bytes);
}

// Waits while the reader holds the program, and says when the call really began.
void hold_before_call(Thread& thread);

// The thread is in a driver call, also where that is left by an unwinding exception.
class Inside {
 public:
  explicit Inside(Thread& thread) : thread_(thread) { thread.inside = true; }
  ~Inside() { thread_.inside = false; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Thread& thread_;
};

inline void note_stack(const Thread& thread, std::uintptr_t address) {
  if (header->stacks.load(std::memory_order_relaxed) != 0 && thread.depth == 0) [[unlikely]]
    write_stack(address);
}

template <unsigned kFunction, Asks kAsks, class Before, class After, class... Arguments>
inline int record(void* return_address, Before before, After after, Arguments... arguments) {
  using Function = int (*)(Arguments...);
  const auto function = reinterpret_cast<Function>(back_end(kFunction));
  Thread* const thread = this_call();
  if (thread == nullptr) return function(arguments...);
  const Inside inside(*thread);
  note_stack(*thread, reinterpret_cast<std::uintptr_t>(return_address));
  bool recorded = false;
  if constexpr (std::is_same_v<Before, std::remove_const_t<decltype(nothing)>>) {
    recorded = write_enter(*thread, kFunction, reinterpret_cast<std::uintptr_t>(return_address), NoSide{},
                           word_of(arguments)...);
  } else {
    CarefulSide side;
    before(side);
    recorded = write_enter(*thread, kFunction, reinterpret_cast<std::uintptr_t>(return_address), side,
                           word_of(arguments)...);
  }
  if (header->hold.load(std::memory_order_relaxed) != 0) [[unlikely]]
    hold_before_call(*thread);
  const int result = function(arguments...);
  if (!recorded) return result;
  Side side;
  if (result == 0) after(side);
  if constexpr (kAsks == Asks::Current) {
    std::uint64_t current = 0;
    write_leave(*thread, result, ask_current(&current) ? &current : nullptr, side);
  } else {
    write_leave(*thread, result, nullptr, side);
  }
  return result;
}

}  // namespace trace::interpose
