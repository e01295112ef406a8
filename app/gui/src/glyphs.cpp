// SPDX-License-Identifier: MIT
// See glyphs.hpp. UTF-8 is decoded strictly: overlong forms, surrogates and cut-off sequences are left out.
#include "glyphs.hpp"

#include "fonts.hpp"

namespace gui {
namespace {

// Bytes of the sequence that `lead` begins, 0 when it begins none.
int sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  if (lead >= 0xf0 && lead < 0xf5) return 4;
  return 0;
}

// Moves `at` past one character, or past one byte that is none; 0 for the latter.
char32_t next_code_point(std::string_view utf8, std::size_t& at) {
  static constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto lead = static_cast<unsigned char>(utf8[at]);
  const int length = sequence_length(lead);
  if (length == 0 || at + static_cast<std::size_t>(length) > utf8.size()) return ++at, 0;
  if (length == 1) return ++at, lead;
  char32_t code = lead & (0x7fu >> length);
  for (int i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(utf8[at + static_cast<std::size_t>(i)]);
    if ((byte & 0xc0u) != 0x80u) return ++at, 0;
    code = (code << 6) | (byte & 0x3fu);
  }
  at += static_cast<std::size_t>(length);
  if (code < kSmallest[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0;
  return code;
}

}  // namespace

GlyphSet::GlyphSet() {
  for (char32_t code = 0x20; code < 0x7f; ++code) bits_.set(code);
  for (char32_t code = 0xa0; code < 0x100; ++code) bits_.set(code);
  add("–—‘’“”…·•→←↑↓×≤≥≈µ°▸▾●○◆□✓✗");
}

bool GlyphSet::add(std::string_view utf8) {
  bool grew = false;
  for (std::size_t at = 0; at < utf8.size();) {
    const auto byte = static_cast<unsigned char>(utf8[at]);
    if (byte < 0x80) {  // nearly all of it, and always there
      ++at;
      continue;
    }
    const char32_t code = next_code_point(utf8, at);
    if (code < 0xa0 || code >= bits_.size() || bits_[code]) continue;
    bits_.set(code);
    grew = true;
  }
  return grew;
}

std::vector<ImWchar> GlyphSet::ranges(char32_t from, char32_t to) const {
  std::vector<ImWchar> pairs;
  for (char32_t code = from; code <= to && code < bits_.size(); ++code) {
    if (!bits_[code]) continue;
    const char32_t first = code;
    while (code + 1 <= to && code + 1 < bits_.size() && bits_[code + 1]) ++code;
    pairs.push_back(static_cast<ImWchar>(first));
    pairs.push_back(static_cast<ImWchar>(code));
  }
  pairs.push_back(0);
  return pairs;
}

}  // namespace gui
