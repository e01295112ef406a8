// SPDX-License-Identifier: MIT
// Packing of numbers and texts into bytes, and unpacking that cannot read past the end.
//
// Numbers are LEB128 (7 bits a byte, low first); signed ones are zigzag-coded before. trace/FORMAT.md relies
// on it. After an impossible byte, a ByteReader returns zeros, and ok() is false.
#pragma once
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trace {

class ByteWriter {
 public:
  void byte(std::uint8_t value) { bytes_.push_back(value); }
  void number(std::uint64_t value) {
    while (value >= 0x80) {
      bytes_.push_back(static_cast<std::uint8_t>(value | 0x80));
      value >>= 7;
    }
    bytes_.push_back(static_cast<std::uint8_t>(value));
  }
  void signed_number(std::int64_t value) {
    number((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
  }
  void raw(const void* data, std::size_t size) {
    if (size == 0) return;
    const std::size_t old = bytes_.size();
    bytes_.resize(old + size);
    std::memcpy(bytes_.data() + old, data, size);
  }
  void text(std::string_view text) {
    number(text.size());
    raw(text.data(), text.size());
  }
  void clear() { bytes_.clear(); }
  std::size_t size() const { return bytes_.size(); }
  const std::uint8_t* data() const { return bytes_.data(); }
  std::span<const std::uint8_t> span() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

class ByteReader {
 public:
  ByteReader() = default;
  explicit ByteReader(std::span<const std::uint8_t> bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  bool ok() const { return ok_; }
  bool at_end() const { return at_ == end_; }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

  std::uint8_t byte() {
    if (at_ == end_) return fail();
    return *at_++;
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      value |= static_cast<std::uint64_t>(next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
    return fail();
  }
  std::int64_t signed_number() {
    const std::uint64_t coded = number();
    return static_cast<std::int64_t>((coded >> 1) ^ (~(coded & 1) + 1));
  }
  std::string_view text() { return raw(number()); }
  std::string_view raw(std::uint64_t size) {
    if (size > left()) {
      fail();
      return {};
    }
    const std::string_view view(reinterpret_cast<const char*>(at_), static_cast<std::size_t>(size));
    at_ += size;
    return view;
  }
  std::uint8_t fail() {
    ok_ = false;
    at_ = end_;
    return 0;
  }

 private:
  const std::uint8_t* at_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  bool ok_ = true;
};

}  // namespace trace
