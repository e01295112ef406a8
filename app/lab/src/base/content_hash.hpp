// SPDX-License-Identifier: MIT
// A 128-bit name for content, to find earlier results. FNV-1a is fast and distributes well. It does not
// protect against an attacker, but the cache is the user's own.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace lab {

class ContentHash {
 public:
  // Each piece has an end mark, so that "ab","c" and "a","bc" differ.
  ContentHash& add(std::string_view piece) {
    for (const char c : piece) take(static_cast<unsigned char>(c));
    for (std::size_t n = piece.size(), i = 0; i < sizeof n; ++i, n >>= 8) take(static_cast<unsigned char>(n));
    return *this;
  }
  std::string hex() const {
    std::string out;
    for (const std::uint64_t half : {a_, b_})
      for (int shift = 60; shift >= 0; shift -= 4) out += "0123456789abcdef"[half >> shift & 15];
    return out;
  }

 private:
  void take(unsigned char byte) {
    constexpr std::uint64_t kPrime = 0x100000001b3;
    a_ = (a_ ^ byte) * kPrime;
    b_ = (b_ + byte + 1) * 0x9e3779b97f4a7c15;
    b_ ^= b_ >> 29;
  }
  std::uint64_t a_ = 0xcbf29ce484222325, b_ = 0x243f6a8885a308d3;
};

}  // namespace lab
