// Around every driver call: record on enter, wait while held, forward, record on leave.
//
// The generated recorders (trace/generated/recorders.cpp) are calls of record() with two lambdas that name
// what the arguments point to. No heap, no locks; a thread that is not traced pays two loads. What all
// recorders do alike is in call.cpp, once: programs that do other work between calls find no recorder in
// their caches, so its size counts as much as its instructions. It knows argument words and byte ranges,
// nothing of their meaning.
#pragma once
#include "back_end.hpp"
#include "side.hpp"
#include "thread.hpp"

namespace trace::interpose {

enum class Asks { Nothing, Current };  // Current: the call may change the current context
enum class Takes { Time, NoTime };     // NoTime: never waits, and is over sooner than the clock is read

// False when nobody reads any more: the call is not recorded. The thread waits here while it is held.
// `side` may be nullptr.
bool write_enter(Thread& thread, unsigned function, std::uintptr_t address, const std::uint64_t* words,
                 std::size_t count, const CarefulSide* side, Takes takes = Takes::Time);

// The leave record in two parts, so that items are written where they stay: first its place, of which the
// first kLeaveHead bytes are left free, and the time; nullptr: lost. Then what is in it.
// Calls that take no time and follow each other closely end when they began, as long as the program has one
// thread: the clock would measure little but itself.
std::byte* begin_leave(Thread& thread, std::size_t most_items, Takes takes = Takes::Time);
void finish_leave(Thread& thread, int result, std::byte* place, const std::byte* end, unsigned flags);

inline constexpr std::size_t kLeaveHead = sizeof(wire::LeaveRecord);

// The same for those that have their items ready.
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
inline constexpr bool kHasItems = !std::is_same_v<Items, std::remove_const_t<decltype(nothing)>>;

template <Asks kAsks, Takes kTakes, class After>
inline void leave(Thread& thread, int result, After& after) {
  std::byte* const place = begin_leave(thread, kHasItems<After> ? DirectSide::kMostBytes : 0, kTakes);
  if (place == nullptr) return;
  std::byte* at = place + kLeaveHead;
  unsigned flags = 0;
  if constexpr (kAsks == Asks::Current) {
    std::uint64_t current = 0;
    if (ask_current(&current)) {
      std::memcpy(at, &current, sizeof current);
      at += sizeof current;
      flags = wire::kHasCurrent;
    }
  }
  DirectSide side(at);
  if constexpr (kHasItems<After>) {
    if (result == 0) after(side);
  }
  finish_leave(thread, result, place, side.end(), flags);
}

template <unsigned kFunction, Asks kAsks, Takes kTakes = Takes::Time, class Before, class After,
          class... Arguments>
inline int record(void* return_address, Before before, After after, Arguments... arguments) {
  using Function = int (*)(Arguments...);
  const auto function = reinterpret_cast<Function>(back_end(kFunction));
  Thread* const thread = this_call();
  if (thread == nullptr) return function(arguments...);
  const Inside inside(*thread);
  const std::uint64_t words[] = {word_of(arguments)..., 0};
  const auto address = reinterpret_cast<std::uintptr_t>(return_address);
  bool recorded = false;
  if constexpr (kHasItems<Before>) {
    CarefulSide side;
    before(side);
    recorded = write_enter(*thread, kFunction, address, words, sizeof...(arguments), &side, kTakes);
  } else {
    recorded = write_enter(*thread, kFunction, address, words, sizeof...(arguments), nullptr, kTakes);
  }
  const int result = function(arguments...);
  if (recorded) leave<kAsks, kTakes>(*thread, result, after);
  return result;
}

}  // namespace trace::interpose
