// SPDX-License-Identifier: MIT
// Around every driver call: record on enter, wait while held, forward, record on leave.
//
// The generated recorders (trace/generated/recorders.cpp) are calls of record() with two lambdas that name
// what the arguments point to. No heap, no locks; a thread that is not traced pays two loads. What all
// recorders have in common is in record_parts.hpp. This file works on argument words and byte ranges, and
// does not depend on their meaning.
#pragma once
#include "back_end.hpp"
#include "record_parts.hpp"

namespace trace::interpose {

enum class Asks { Nothing, Current };  // Current: the call may change the current context

// Whole enter and leave records, for callers that have the words and items ready. False if there is no reader
// any more: the call is not recorded. The thread waits here while it is held. `side` may be nullptr.
bool write_enter(Thread& thread, unsigned function, std::uintptr_t address, const std::uint64_t* words,
                 std::size_t count, const CarefulSide* side);
void write_leave(Thread& thread, int result, bool ask, const Side& side);

// The thread is in a driver call, also where that is left by an unwinding exception.
class Inside {
 public:
  explicit Inside(Thread& thread) : thread_(thread) { thread.step_inside(); }
  ~Inside() { thread_.step_outside(); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Thread& thread_;
};

template <class Items>
inline constexpr bool kHasItems = !std::is_same_v<Items, std::remove_const_t<decltype(kNothing)>>;

template <Takes kTakes, class Parts, class... Arguments>
[[gnu::always_inline]] inline bool enter(Thread& thread, unsigned function, std::uintptr_t address,
                                         Arguments... arguments) {
  std::byte* at = Parts::template begin_enter<kTakes>(thread, function, address, sizeof...(arguments));
  if (at == nullptr) [[unlikely]]
    return false;
  ((put(at, word_of(arguments)), at += 8), ...);
  Parts::finish_enter(thread, at);
  return true;
}

template <Asks kAsks, Takes kTakes, class Parts, class After>
[[gnu::always_inline]] inline void leave(Thread& thread, int result, After& after) {
  constexpr std::size_t kMost = kHasItems<After> ? DirectSide::kMostBytes : 0;
  std::byte* const place = Parts::template begin_leave<kTakes>(thread, kMost);
  if (place == nullptr) [[unlikely]]
    return;
  std::byte* at = place + kLeaveHead;
  unsigned flags = 0;
  if constexpr (kAsks == Asks::Current) {
    std::uint64_t current = 0;
    if (ask_current(&current)) {
      put(at, current);
      at += sizeof current;
      flags = wire::kHasCurrent;
    }
  }
  DirectSide side(at);
  if constexpr (kHasItems<After>) {
    if (result == 0) after(side);
  }
  Parts::finish_leave(thread, result, place, side.end(), flags);
}

// Calls that take no time have their Parts in line.
template <unsigned kFunction, Asks kAsks, Takes kTakes = Takes::Time, class Parts = Shared, class Before,
          class After, class... Arguments>
inline int record(void* return_address, Before before, After after, Arguments... arguments) {
  using Function = int (*)(Arguments...);
  const auto function = reinterpret_cast<Function>(back_end(kFunction));
  const auto address = reinterpret_cast<std::uintptr_t>(return_address);
  Thread* thread = this_call(address);
  if (thread == nullptr) return function(arguments...);
  asm("" : "+r"(thread));  // keeps the address in a register, which is shorter than computing it again
  const Inside inside(*thread);
  bool recorded = false;
  if constexpr (kHasItems<Before>) {
    const std::uint64_t words[] = {word_of(arguments)..., 0};
    CarefulSide side;
    before(side);
    recorded = write_enter(*thread, kFunction, address, words, sizeof...(arguments), &side);
  } else {
    recorded = enter<kTakes, Parts>(*thread, kFunction, address, arguments...);
  }
  const int result = function(arguments...);
  if (recorded) [[likely]]
    leave<kAsks, kTakes, Parts>(*thread, result, after);
  return result;
}

}  // namespace trace::interpose
