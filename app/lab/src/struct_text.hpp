// SPDX-License-Identifier: MIT
// Reads fields of a struct in the form that the tracer writes: "{dstDevice=0x7f…, Height=4, …}". A recording
// may contain anything: a field that is missing or not a number gives nothing.
#pragma once
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lab {

// The text of a field up to the next comma; "" if there is no field of that name.
inline std::string_view struct_field(std::string_view text, std::string_view name) {
  const std::string wanted = std::string(name) + "=";
  for (std::size_t at = text.find(wanted); at != std::string_view::npos; at = text.find(wanted, at + 1)) {
    if (at == 0 || (text[at - 1] != '{' && text[at - 1] != ' ')) continue;
    const std::string_view rest = text.substr(at + wanted.size());
    return rest.substr(0, rest.find_first_of(",}"));
  }
  return {};
}

inline std::optional<std::uint64_t> struct_number(std::string_view text, std::string_view name) {
  std::string_view field = struct_field(text, name);
  if (field == "null") return 0;
  const int base = field.starts_with("0x") ? 16 : 10;
  if (base == 16) field.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value, base);
  return error == std::errc() && !field.empty() ? std::optional(value) : std::nullopt;
}

}  // namespace lab
