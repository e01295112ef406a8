// Around every driver call: record on enter, wait while held, forward, record on leave.
//
// The generated recorders (trace/generated/recorders.cpp) are calls of record() with two lambdas that name
// what the arguments point to. No heap, no locks; a thread that is not traced pays two loads. It knows
// argument words and byte ranges, nothing of their meaning.
#pragma once
#include <bit>
#include <cstring>
#include <type_traits>

#include "back_end.hpp"
#include "thread.hpp"

namespace trace::interpose {

enum class Asks { Nothing, Current };  // Current: the call may change the current context

// Byte ranges to be copied into a record.
class Side {
 public:
  // `bytes` at `data`, which the driver itself reads or has just written. Null pointers are skipped.
  void bytes(unsigned parameter, const void* data, std::size_t bytes) {
    if (data == nullptr || count_ == kMost) return;
    const std::size_t room =
        wire::kSideTotal - stored_ < wire::kSideBytes ? wire::kSideTotal - stored_ : wire::kSideBytes;
    const std::size_t kept = bytes < room ? bytes : room;
    parts_[count_++] = {data, bytes, kept, parameter};
    stored_ += wire::round_up(kept);
    record_bytes_ += sizeof(wire::Item) + wire::round_up(kept);
  }
  // A text that the driver wrote into a buffer of `room` bytes.
  void text(unsigned parameter, const char* data, std::size_t room) {
    if (data != nullptr) bytes(parameter, data, strnlen(data, room));
  }
  // A text that the driver reads.
  void text(unsigned parameter, const char* data) { text(parameter, data, ~std::size_t{0} >> 1); }

  std::size_t record_bytes() const { return record_bytes_; }
  void write(std::byte* at) const;

 protected:
  static constexpr std::size_t kMost = 12;
  struct Part {
    const void* data;
    std::size_t bytes, kept;
    unsigned parameter;
  };
  Part parts_[kMost];
  std::size_t count_ = 0, stored_ = 0, record_bytes_ = 0;
};

inline void Side::write(std::byte* at) const {
  for (std::size_t i = 0; i < count_; ++i) {
    const Part& part = parts_[i];
    const wire::Item item{static_cast<std::uint8_t>(part.parameter), 0, static_cast<std::uint16_t>(part.kept),
                          part.bytes < 0xffffffffu ? static_cast<std::uint32_t>(part.bytes) : 0xffffffffu};
    std::memcpy(at, &item, sizeof item);
    if (part.kept == 8) {
      std::memcpy(at + sizeof item, part.data, 8);
    } else {
      std::memcpy(at + sizeof item, part.data, part.kept);
    }
    at += sizeof item + wire::round_up(part.kept);
  }
}

// Side data of the enter record, read before the driver judged the arguments: a wild pointer that the driver
// would have refused unread must not crash the program here. Copies through the kernel, which answers EFAULT.
class CarefulSide {
 public:
  void bytes(unsigned parameter, const void* data, std::size_t bytes);
  void text(unsigned parameter, const char* data);
  std::size_t record_bytes() const { return used_; }
  void write(std::byte* at) const { std::memcpy(at, copy_, used_); }

 private:
  void add(unsigned parameter, std::size_t kept, std::size_t true_bytes);
  std::byte* free_place() { return copy_ + used_ + sizeof(wire::Item); }
  std::size_t room() const;
  std::size_t used_ = 0;
  std::byte copy_[wire::kSideTotal + 16 * sizeof(wire::Item)];
};
struct NoSide {
  std::size_t record_bytes() const { return 0; }
  void write(std::byte*) const {}
};
inline constexpr auto nothing = [](auto&) {};

template <class T>
inline std::uint64_t word_of(T value) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<std::uintptr_t>(value);
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<std::uint32_t>(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<std::uint64_t>(value);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  } else {  // a small struct by value: its first bytes
    std::uint64_t word = 0;
    std::memcpy(&word, &value, sizeof value < 8 ? sizeof value : 8);
    return word;
  }
}

// False when nobody reads any more: the call is not recorded.
template <class SideData, class... Words>
inline bool write_enter(Thread& thread, unsigned function, std::uintptr_t address, const SideData& side,
                        Words... words) {
  if (address - thread.module_low >= thread.module_bytes) [[unlikely]]
    note_module(address);
  const bool marks = header->mark_output.load(std::memory_order_relaxed) != 0;
  const std::size_t bytes =
      sizeof(wire::EnterRecord) + (marks ? 16 : 0) + sizeof...(words) * 8 + side.record_bytes();
  std::byte* at = thread.producer.reserve(bytes);
  if (at == nullptr) return false;
  const wire::EnterRecord record{
      {static_cast<std::uint16_t>(bytes / 8), wire::RecordKind::Enter,
       static_cast<std::uint8_t>(sizeof...(words)), static_cast<std::uint16_t>(function),
       static_cast<std::uint16_t>(marks ? wire::kHasMarks : 0), wire::ticks(clock_kind)},
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

inline void write_leave(Thread& thread, int result, const std::uint64_t* current, const Side& side) {
  const std::size_t bytes = sizeof(wire::LeaveRecord) + (current != nullptr ? 8 : 0) + side.record_bytes();
  std::byte* at = thread.producer.reserve(bytes);
  if (at == nullptr) return;
  const wire::LeaveRecord record{
      {static_cast<std::uint16_t>(bytes / 8), wire::RecordKind::Leave, 0, 0,
       static_cast<std::uint16_t>(current != nullptr ? wire::kHasCurrent : 0), wire::ticks(clock_kind)},
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

template <unsigned kFunction, Asks kAsks, class Before, class After, class... Arguments>
inline int record(void* return_address, Before before, After after, Arguments... arguments) {
  using Function = int (*)(Arguments...);
  const auto function = reinterpret_cast<Function>(back_end(kFunction));
  Thread* const thread = this_call();
  if (thread == nullptr) return function(arguments...);
  const Inside inside(*thread);
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
