// SPDX-License-Identifier: MIT
// See markup.hpp.
#include "base/markup.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace lab {
namespace {

// Control characters, and characters that change the direction of writing. visible() in the page's script
// shows them and does not obey them. The first and the last of each range, in UTF-8.
constexpr std::pair<std::string_view, std::string_view> kUnseen[] = {{std::string_view("\0", 1), "\x08"},
                                                                     {"\x0b", "\x1f"},
                                                                     {"\x7f", "\x7f"},
                                                                     {"\xc2\x80", "\xc2\x9f"},
                                                                     {"\xd8\x9c", "\xd8\x9c"},
                                                                     {"\xe2\x80\x8b", "\xe2\x80\x8f"},
                                                                     {"\xe2\x80\xa8", "\xe2\x80\xae"},
                                                                     {"\xe2\x81\xa0", "\xe2\x81\xa9"},
                                                                     {"\xef\xbb\xbf", "\xef\xbb\xbf"}};

// How many bytes at the beginning are such a character.
std::size_t unseen_length(std::string_view text) {
  for (const auto& [first, last] : kUnseen) {
    const std::string_view begin = text.substr(0, first.size());
    if (begin.size() == first.size() && begin >= first && begin <= last) return first.size();
  }
  return 0;
}

}  // namespace

std::string as_markup(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t unseen = unseen_length(text);
    if (unseen > 0) {
      unsigned code = static_cast<unsigned char>(text[0]) & (0xffu >> (unseen == 1 ? 0 : unseen + 1));
      for (const char c : text.substr(1, unseen - 1))
        code = code << 6 | (static_cast<unsigned char>(c) & 0x3f);
      out += fmt::format("\\u{{{:x}}}", code);
    } else if (text[0] == '&') {
      out += "&amp;";
    } else if (text[0] == '<') {
      out += "&lt;";
    } else if (text[0] == '>') {
      out += "&gt;";
    } else if (text[0] == '"') {
      out += "&quot;";
    } else {
      out += text[0];
    }
    text.remove_prefix(std::max<std::size_t>(unseen, 1));
  }
  return out;
}

}  // namespace lab
