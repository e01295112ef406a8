// SPDX-License-Identifier: MIT
// What arguments point to, to be copied into a record: byte ranges before and after a call, and words.
// Nothing here depends on a single function. It is compiled into each of the interposed libraries.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "wire.hpp"

namespace trace::interpose {

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

 private:
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
    const std::uint64_t item = wire::item_word(part.parameter, part.kept, part.bytes);
    std::memcpy(at, &item, sizeof item);
    if (part.kept == 8) {
      std::memcpy(at + sizeof item, part.data, 8);
    } else {
      std::memcpy(at + sizeof item, part.data, part.kept);
    }
    at += sizeof item + wire::round_up(part.kept);
  }
}

// The same, written directly after the head of a leave record, where there is room for kMostBytes.
class DirectSide {
 public:
  static constexpr std::size_t kMostItems = 12;
  static constexpr std::size_t kShort = 64;
  static constexpr std::size_t kMostBytes = wire::kSideTotal + kMostItems * (sizeof(wire::Item) + kShort);

  explicit DirectSide(std::byte* at) : at_(at) {}
  // Handles and numbers, which most calls write, are a few instructions; short ones do not count against the
  // limit of all together.
  [[gnu::always_inline]] void bytes(unsigned parameter, const void* data, std::size_t bytes) {
    if (data == nullptr || count_ == kMostItems) return;
    if (__builtin_constant_p(bytes) && bytes <= kShort) {
      add(parameter, data, bytes, bytes);
    } else {
      long_bytes(parameter, data, bytes);
    }
  }
  // The program's own bytes that crossed between host and device: the first few KiB of a call, and no more
  // than some MiB of all calls together, so that a run that copies much is not slowed down or swollen by it.
  void sample(unsigned parameter, const void* data, std::size_t bytes);
  // An image of code: text up to the few KiB that are kept, or what precedes the first zero.
  void sample_image(unsigned parameter, const void* data);
  void text(unsigned parameter, const char* data, std::size_t room) {
    if (data != nullptr) long_bytes(parameter, data, strnlen(data, room));
  }
  void text(unsigned parameter, const char* data) { text(parameter, data, ~std::size_t{0} >> 1); }
  const std::byte* end() const { return at_; }

 private:
  void long_bytes(unsigned parameter, const void* data, std::size_t bytes);
  [[gnu::always_inline]] void add(unsigned parameter, const void* data, std::size_t kept, std::size_t bytes) {
    const std::uint64_t item = wire::item_word(parameter, kept, bytes);
    std::memcpy(at_, &item, sizeof item);
    std::memcpy(at_ + sizeof item, data, kept);
    at_ += sizeof item + wire::round_up(kept);
    ++count_;
  }
  std::byte* at_;
  std::size_t count_ = 0, stored_ = 0;
};

// Side data of the enter record, read before the driver has checked the arguments: a wild pointer, which the
// driver would refuse without reading, must not crash the program here. Copies through the kernel, which
// returns EFAULT.
class CarefulSide {
 public:
  void bytes(unsigned parameter, const void* data, std::size_t bytes);
  void text(unsigned parameter, const char* data);
  // `count` texts, kept as one with blanks between them.
  void texts(unsigned parameter, const void* array, std::size_t count);
  // An argument itself that is longer than a word.
  void value(unsigned parameter, const void* argument, std::size_t bytes) {
    if (bytes > room()) return;
    std::memcpy(free_place(), argument, bytes);
    add(parameter, bytes, bytes);
  }
  std::size_t record_bytes() const { return used_; }
  void write(std::byte* at) const { std::memcpy(at, copy_, used_); }

 private:
  void add(unsigned parameter, std::size_t kept, std::size_t true_bytes);
  std::byte* free_place() { return copy_ + used_ + sizeof(wire::Item); }
  std::size_t room() const;
  std::size_t used_ = 0;
  std::byte copy_[wire::kSideTotal + 16 * sizeof(wire::Item)];
};
inline constexpr auto kNothing = [](auto&) {};

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

}  // namespace trace::interpose
