// SPDX-License-Identifier: MIT
// See markdown/wrap.hpp. The Chinese rules are a reduced form of GB/T 15834 and of the usual lists of
// characters that begin or end no line.
#include "markdown/wrap.hpp"

#include <algorithm>

namespace gui::markdown {
namespace {

// Never at the beginning of a line.
constexpr std::u32string_view kClosing = U"，。、；：？！）】》〉」』”’…—～·％‰℃,.;:?!)]}>%";
// Never at the end of a line.
constexpr std::u32string_view kOpening = U"（【《〈「『“‘([{<￥$";

bool is_space(char32_t c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Characters between which a line may break without a space.
bool is_wide(char32_t c) {
  return (c >= 0x2E80 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7AF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFE30 && c <= 0xFE4F) || (c >= 0xFF00 && c <= 0xFFEF) || (c >= 0x20000 && c <= 0x3FFFF);
}
bool is_one_of(std::u32string_view set, char32_t c) {
  return set.find(c) != std::u32string_view::npos;
}

}  // namespace

char32_t next_character(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(at);
  const int more = first < 0x80                    ? 0
                   : first >= 0xF0 && first < 0xF8 ? 3
                   : first >= 0xE0                 ? 2
                   : first >= 0xC0                 ? 1
                                                   : -1;
  if (more < 0 || first >= 0xF8) return ++at, U'\uFFFD';
  if (more == 0) return ++at, static_cast<char32_t>(first);
  char32_t c = first & (0x3Fu >> more);
  for (int i = 1; i <= more; ++i) {
    if ((byte(at + static_cast<std::size_t>(i)) & 0xC0) != 0x80) return ++at, U'\uFFFD';
    c = (c << 6) | (byte(at + static_cast<std::size_t>(i)) & 0x3F);
  }
  at += static_cast<std::size_t>(more) + 1;
  return c;
}

bool may_break_between(char32_t before, char32_t after) {
  if (is_one_of(kOpening, before) || is_one_of(kClosing, after)) return false;
  // Quotes and dashes are the same characters in both scripts; they only break beside Chinese.
  if (is_wide(before) || is_wide(after)) return true;
  // “……”, “——” and closing marks that Chinese text follows are covered above; Latin words hold together.
  return before == U'…' || before == U'—';
}

std::vector<Piece> break_into_pieces(std::string_view text) {
  std::vector<Piece> pieces;
  Piece piece;
  char32_t before = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = next_character(text, at);
    if (is_space(c)) {
      piece.spaces += at - begin;
    } else {
      const bool first = piece.begin == piece.end;
      // A space is a place to break, but no reason to begin a line with a Chinese comma.
      const bool allowed =
          piece.spaces > 0 ? !is_wide(c) || !is_one_of(kClosing, c) : may_break_between(before, c);
      if (!first && allowed) {
        pieces.push_back(piece);
        piece = {begin, at, 0};
      } else if (first) {
        piece = {begin, at, 0};
      } else {
        piece.end = at;
        piece.spaces = 0;
      }
    }
    before = c;
  }
  if (piece.begin != piece.end) pieces.push_back(piece);
  return pieces;
}

namespace {

// As many characters of [begin, end) as fit, at least one; what must not begin a line takes its neighbour
// along.
std::size_t fit(std::string_view text, std::size_t begin, std::size_t end, float width,
                const MeasureText& measure) {
  std::size_t taken = begin, allowed = begin;  // allowed: the last place where a cut leaves no mark alone
  for (std::size_t at = begin; at < end;) {
    const std::size_t here = at;
    const char32_t c = next_character(text, at);
    if (here > begin && !is_one_of(kClosing, c)) allowed = here;
    if (taken > begin && measure(text.substr(begin, at - begin)) > width)
      return is_one_of(kClosing, c) && allowed > begin ? allowed : taken;
    taken = std::min(at, end);
  }
  return taken;
}

// Whether it is wider, measured no further than that takes: a word may be megabytes long.
bool is_wider(std::string_view text, float width, const MeasureText& measure) {
  for (std::size_t step = 256; step < text.size(); step *= 2) {
    std::size_t end = step;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    if (measure(text.substr(0, end)) > width) return true;
  }
  return measure(text) > width;
}

void wrap_paragraph(std::string_view text, std::size_t offset, float width, const MeasureText& measure,
                    std::vector<Line>& lines) {
  Line line{offset, offset, 0};
  bool empty = true;
  const auto finish = [&] { lines.push_back(line), empty = true; };
  for (const Piece& piece : break_into_pieces(text)) {
    std::size_t begin = offset + piece.begin;
    const std::size_t end = offset + piece.end;
    const std::string_view whole = text;
    const auto cut = [&](std::size_t from, std::size_t to) { return whole.substr(from - offset, to - from); };
    if (!empty) {
      const float wider = measure(cut(line.begin, end));
      if (wider <= width) {
        line.end = end, line.width = wider;
        continue;
      }
      finish();
    }
    while (is_wider(cut(begin, end), width, measure)) {
      const std::size_t taken = offset + fit(whole, begin - offset, end - offset, width, measure);
      if (taken >= end) break;
      lines.push_back({begin, taken, measure(cut(begin, taken))});
      begin = taken;
    }
    line = {begin, end, measure(cut(begin, end))};
    empty = false;
  }
  if (!empty || text.find_first_not_of(" \t\r") == std::string_view::npos) finish();
}

}  // namespace

std::vector<Line> wrap(std::string_view text, float width, const MeasureText& measure) {
  std::vector<Line> lines;
  std::size_t at = 0;
  while (true) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    wrap_paragraph(text.substr(at, end - at), at, width, measure, lines);
    if (end == text.size()) return lines;
    at = end + 1;
  }
}

}  // namespace gui::markdown
