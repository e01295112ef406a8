// SPDX-License-Identifier: MIT
// The fields of a struct, out of the text that decode.cpp writes and that recordings contain:
// "{dstDevice=0x7f…, location={type=…, id=0}, …}". A recording may contain anything: what is not of this form
// has no fields.
#include <charconv>

#include "trace/event.hpp"

namespace trace {
namespace {

// Where the value that begins here ends: at the next comma or brace that is not inside it.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (depth == 0 && (c == ',' || c == '}')) break;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
  }
  return at;
}

std::string_view field_in(std::string_view text, std::string_view name) {
  if (!text.starts_with('{')) return {};
  for (std::size_t at = 1; at < text.size();) {
    const std::size_t equals = text.find('=', at);
    if (equals == std::string_view::npos) return {};
    const std::string_view found = text.substr(at, equals - at);
    const std::size_t end = end_of_value(text, equals + 1);
    const std::string_view value = text.substr(equals + 1, end - equals - 1);
    if (found == name) return value;
    if (name.starts_with(found) && name.substr(found.size()).starts_with('.'))
      return field_in(value, name.substr(found.size() + 1));
    if (!text.substr(end).starts_with(", ")) return {};
    at = end + 2;
  }
  return {};
}

}  // namespace

std::string_view Argument::field(std::string_view field_name) const {
  return field_in(text, field_name);
}

std::optional<std::uint64_t> Argument::field_number(std::string_view field_name) const {
  std::string_view digits = field(field_name);
  if (digits == "null") return 0;
  const int base = digits.starts_with("0x") ? 16 : 10;
  if (base == 16) digits.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
}

}  // namespace trace
