// SPDX-License-Identifier: MIT
// See remote_line.hpp. The input may be anything, so lines and messages have a greatest length.
#include "run/remote_line.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace lab {
namespace {

constexpr std::size_t kRawBytesOfALine = 3000;
constexpr std::size_t kLongestLine = 1 << 16;
constexpr std::size_t kLongestMessage = std::size_t{256} << 20;
constexpr std::size_t kForeignKept = 2000;
constexpr std::string_view kMore = "@dl+ ", kLast = "@dl. ";
constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void append_base64(std::string& out, std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
}

constexpr std::array<std::int8_t, 256> base64_values() {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < kDigits.size(); ++i)
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::int8_t>(i);
  return values;
}

bool append_decoded(std::string& out, std::string_view text) {
  static constexpr auto kValues = base64_values();
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::int8_t value = kValues[static_cast<unsigned char>(c)];
    if (value < 0) return false;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xff);
  }
  return true;
}

}  // namespace

std::string lines_of(const RemoteMessage& message) {
  std::string out;
  out.reserve(message.body.size() * 4 / 3 + 64);
  std::string_view rest = message.body;
  for (; rest.size() > kRawBytesOfALine; rest.remove_prefix(kRawBytesOfALine)) {
    out += kMore;
    append_base64(out, rest.substr(0, kRawBytesOfALine));
    out += '\n';
  }
  out += kLast;
  out += message.kind;
  out += ' ';
  append_base64(out, rest);
  return out += '\n';
}

void RemoteLines::add(std::string_view bytes) {
  while (!damaged_ && !bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    rest_ += bytes.substr(0, end);
    if (rest_.size() > kLongestLine) {
      if (rest_.starts_with('@')) damaged_ = true;
      rest_.resize(kForeignKept);
    }
    if (end == std::string_view::npos) return;
    bytes.remove_prefix(end + 1);
    line(rest_);
    rest_.clear();
  }
}

void RemoteLines::line(std::string_view text) {
  while (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  if (text.starts_with(kMore)) {
    damaged_ = !append_decoded(body_, text.substr(kMore.size())) || body_.size() > kLongestMessage;
    return;
  }
  if (text.starts_with(kLast) && text.size() >= kLast.size() + 2) {
    damaged_ = !append_decoded(body_, text.substr(kLast.size() + 2));
    if (!damaged_) messages_.push_back({text[kLast.size()], std::exchange(body_, {})});
    return;
  }
  if (text.empty()) return;
  foreign_ += text;
  foreign_ += '\n';
  if (foreign_.size() > kForeignKept) foreign_.erase(0, foreign_.size() - kForeignKept);
}

std::optional<RemoteMessage> RemoteLines::next() {
  if (messages_.empty()) return std::nullopt;
  RemoteMessage first = std::move(messages_.front());
  messages_.pop_front();
  return first;
}

}  // namespace lab
