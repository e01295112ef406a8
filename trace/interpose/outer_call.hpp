// SPDX-License-Identifier: MIT
// Around every call of a library above the driver: record on enter, forward, record on leave. What is here is
// compiled into the interposed libcudart and libnvrtc; recording itself is done by the interposed
// libcuda.so.1 beside them (outer.hpp), so that the driver calls inside land in the same ring.
//
// The generated recorders (trace/generated/cudart_recorders.cpp, nvrtc_recorders.cpp) are calls of
// record_outer(). They work on argument words and byte ranges, and do not depend on their meaning.
#pragma once
#include "outer.hpp"

namespace trace::interpose {

// Described functions of this library, by slot; defined by the generated recorders.
extern const char* const outer_symbols[];
extern void* outer_functions[];  // the real library's; nullptr until asked for

void* find_outer(std::size_t slot);    // asks the real library and keeps the result; never nullptr
const OuterCalls* find_outer_calls();  // nullptr: this process is not traced
extern const OuterCalls* outer_calls;  // what find_outer_calls() found
extern const bool outer_asks_current;  // the library changes the current context

inline void* outer_function(std::size_t slot) {
  void* function = __atomic_load_n(&outer_functions[slot], __ATOMIC_RELAXED);
  return function != nullptr ? function : find_outer(slot);
}

// Ends the record where the call is left by an exception.
class OuterLeft {
 public:
  explicit OuterLeft(const OuterCalls* calls) : calls_(calls) {}
  OuterLeft(const OuterLeft&) = delete;
  OuterLeft& operator=(const OuterLeft&) = delete;
  ~OuterLeft() {
    if (calls_ != nullptr) calls_->abandon();
  }
  void leave(int result, const Side& side) {
    calls_->leave(result, outer_asks_current, side);
    calls_ = nullptr;
  }

 private:
  const OuterCalls* calls_;
};

template <unsigned kNumber, std::size_t kSlot, class Before, class After, class... Arguments>
inline int record_outer(void* return_address, Before before, After after, Arguments... arguments) {
  using Function = int (*)(Arguments...);
  const auto function = reinterpret_cast<Function>(outer_function(kSlot));
  const OuterCalls* calls = __atomic_load_n(&outer_calls, __ATOMIC_ACQUIRE);
  if (calls == nullptr) [[unlikely]] {
    calls = find_outer_calls();
    if (calls == nullptr) return function(arguments...);
  }
  const std::uint64_t words[] = {word_of(arguments)..., 0};
  const auto address = reinterpret_cast<std::uintptr_t>(return_address);
  bool recorded = false;
  if constexpr (std::is_same_v<Before, std::remove_const_t<decltype(kNothing)>>) {
    recorded = calls->enter(kNumber, address, words, sizeof...(arguments), nullptr);
  } else {
    CarefulSide side;
    before(side);
    recorded = calls->enter(kNumber, address, words, sizeof...(arguments), &side);
  }
  if (!recorded) return function(arguments...);
  OuterLeft left(calls);
  const int result = function(arguments...);
  Side side;
  if (result == 0) after(side);
  left.leave(result, side);
  return result;
}

}  // namespace trace::interpose
