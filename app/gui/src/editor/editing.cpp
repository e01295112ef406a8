// SPDX-License-Identifier: MIT
// See editing.hpp. Every change goes through Buffer::replace, so every one can be undone.
#include "editor/editing.hpp"
#include "lab/letters.hpp"

#include <algorithm>

namespace gui::editor {
namespace {

int characters_before(const std::string& line, int column) {
  int count = 0;
  for (int i = 0; i < column; ++i)
    count += (static_cast<unsigned char>(line[static_cast<std::size_t>(i)]) & 0xC0) != 0x80;
  return count;
}

int column_of(const std::string& line, int characters) {
  int column = 0;
  const int size = static_cast<int>(line.size());
  for (; column < size; ++column)
    if ((static_cast<unsigned char>(line[static_cast<std::size_t>(column)]) & 0xC0) != 0x80 &&
        characters-- == 0)
      break;
  return column;
}

int indentation(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return static_cast<int>(first == std::string::npos ? line.size() : first);
}

bool is_blank(const std::string& line) {
  return indentation(line) == static_cast<int>(line.size());
}

// Line ends of other systems become ours, and control characters of a clipboard go away.
std::string clean(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\r')
      out += i + 1 < text.size() && text[i + 1] == '\n' ? "" : "\n";
    else if (c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20)
      out += c;
  }
  return out;
}

}  // namespace

Position Editing::vertical(Position from, int lines) {
  if (wanted_column_ < 0) wanted_column_ = characters_before(buffer.line(from.line), from.column);
  const int line = std::clamp(from.line + lines, 0, buffer.lines() - 1);
  if (line == from.line && lines != 0) return lines < 0 ? Position{0, 0} : buffer.end();
  return {line, column_of(buffer.line(line), wanted_column_)};
}

void Editing::move(Move where, Extend extend, int page_lines) {
  const Position head = caret.head;
  const bool is_vertical =
      where == Move::Up || where == Move::Down || where == Move::PageUp || where == Move::PageDown;
  if (!is_vertical) wanted_column_ = -1;
  buffer.close_group();
  Position to = head;
  const bool collapse = extend == Extend::No && !caret.empty();
  switch (where) {
    case Move::Left:
      to = collapse ? caret.first() : buffer.left(head);
      break;
    case Move::Right:
      to = collapse ? caret.last() : buffer.right(head);
      break;
    case Move::WordLeft:
      to = buffer.word_left(head);
      break;
    case Move::WordRight:
      to = buffer.word_right(head);
      break;
    case Move::Up:
      to = vertical(head, -1);
      break;
    case Move::Down:
      to = vertical(head, 1);
      break;
    case Move::PageUp:
      to = vertical(head, -page_lines);
      break;
    case Move::PageDown:
      to = vertical(head, page_lines);
      break;
    case Move::LineStart: {
      const int text = indentation(buffer.line(head.line));
      to.column = head.column == text ? 0 : text;
      break;
    }
    case Move::LineEnd:
      to.column = static_cast<int>(buffer.line(head.line).size());
      break;
    case Move::Top:
      to = {};
      break;
    case Move::Bottom:
      to = buffer.end();
      break;
  }
  caret.head = to;
  if (extend == Extend::No) caret.anchor = to;
}

void Editing::place(Position at, Extend extend) {
  wanted_column_ = -1;
  buffer.close_group();
  caret.head = buffer.clamp(at);
  if (extend == Extend::No) caret.anchor = caret.head;
}

void Editing::select_word(Position at) {
  at = buffer.clamp(at);
  const int size = static_cast<int>(buffer.line(at.line).size());
  const std::string& line = buffer.line(at.line);
  const auto in_word = [&](int column) {
    const auto c = static_cast<unsigned char>(line[static_cast<std::size_t>(column)]);
    return c >= 0x80 || c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
  };
  int begin = at.column, end = at.column;
  while (begin > 0 && in_word(begin - 1)) --begin;
  while (end < size && in_word(end)) ++end;
  if (begin == end && end < size) end = buffer.right(at).column;
  caret = {{at.line, begin}, {at.line, end}};
  buffer.close_group();
}

void Editing::select_line(int line) {
  line = std::clamp(line, 0, buffer.lines() - 1);
  const Position end = line + 1 < buffer.lines() ? Position{line + 1, 0} : buffer.end();
  caret = {{line, 0}, end};
  buffer.close_group();
}

void Editing::select_all() {
  caret = {{}, buffer.end()};
}

void Editing::replace_selection(std::string_view text, Grouping grouping) {
  wanted_column_ = -1;
  caret = caret_at(buffer.replace(caret.first(), caret.last(), text, caret, grouping));
}

void Editing::type(std::string_view text) {
  const std::string typed = clean(text);
  if (typed.empty()) return;
  // A } alone on its line goes back to where its block began.
  const std::string& line = buffer.line(caret.head.line);
  if (typed == "}" && caret.empty() && is_blank(line) && caret.head.column >= kIndent &&
      line.substr(0, static_cast<std::size_t>(caret.head.column)).find('\t') == std::string::npos) {
    const Position from{caret.head.line, caret.head.column - kIndent};
    caret = caret_at(buffer.replace(from, caret.head, typed, caret));
    return;
  }
  replace_selection(typed, caret.empty() ? Grouping::WithTyping : Grouping::Alone);
}

void Editing::paste(std::string_view text) {
  const std::string pasted = clean(text);
  if (!pasted.empty()) replace_selection(pasted, Grouping::Alone);
}

void Editing::new_line() {
  const std::string& line = buffer.line(caret.first().line);
  const int column = caret.first().column;
  const int keep = std::min(indentation(line), column);
  std::string text = "\n" + line.substr(0, static_cast<std::size_t>(keep));
  const std::size_t last =
      column > 0 ? line.find_last_not_of(" \t", static_cast<std::size_t>(column - 1)) : std::string::npos;
  const bool opens = last != std::string::npos && line[last] == '{';
  if (opens) text.append(kIndent, ' ');
  replace_selection(text, Grouping::Alone);
}

void Editing::backspace(Extend whole_word) {
  if (!caret.empty()) return replace_selection("", Grouping::Alone);
  Position from = whole_word == Extend::Yes ? buffer.word_left(caret.head) : buffer.left(caret.head);
  // Inside the indentation one press takes a whole step of it.
  const std::string& line = buffer.line(caret.head.line);
  const int column = caret.head.column;
  if (whole_word == Extend::No && column > 0 && column <= indentation(line) && column % kIndent == 0 &&
      line[static_cast<std::size_t>(column - 1)] == ' ' &&
      line[static_cast<std::size_t>(column - kIndent)] == ' ')
    from = {caret.head.line, column - kIndent};
  wanted_column_ = -1;
  caret = caret_at(buffer.replace(from, caret.head, "", caret, Grouping::WithDeleting));
}

void Editing::delete_forward(Extend whole_word) {
  if (!caret.empty()) return replace_selection("", Grouping::Alone);
  const Position to = whole_word == Extend::Yes ? buffer.word_right(caret.head) : buffer.right(caret.head);
  wanted_column_ = -1;
  caret = caret_at(buffer.replace(caret.head, to, "", caret, Grouping::WithDeleting));
}

Editing::LineRange Editing::selected_lines() const {
  const Position first = caret.first(), last = caret.last();
  // A selection that ends before a line's first character does not hold that line.
  const bool before_first = last.column == 0 && last.line > first.line;
  return {first.line, before_first ? last.line - 1 : last.line};
}

void Editing::indent() {
  if (caret.first().line == caret.last().line) {
    const int column = characters_before(buffer.line(caret.first().line), caret.first().column);
    return replace_selection(std::string(static_cast<std::size_t>(kIndent - column % kIndent), ' '),
                             Grouping::Alone);
  }
  const LineRange range = selected_lines();
  const Caret before = caret;
  buffer.begin_group();
  for (int line = range.first; line <= range.last; ++line) {
    if (is_blank(buffer.line(line))) continue;
    buffer.replace({line, 0}, {line, 0}, std::string(kIndent, ' '), before);
    for (Position* end : {&caret.anchor, &caret.head})
      if (end->line == line && end->column > 0) end->column += kIndent;
  }
  buffer.end_group();
}

void Editing::unindent() {
  const LineRange range = selected_lines();
  const Caret before = caret;
  buffer.begin_group();
  for (int line = range.first; line <= range.last; ++line) {
    const std::string& text = buffer.line(line);
    int spaces = !text.empty() && text[0] == '\t' ? 1 : 0;
    if (spaces == 0)
      while (spaces < kIndent && spaces < static_cast<int>(text.size()) &&
             text[static_cast<std::size_t>(spaces)] == ' ')
        ++spaces;
    if (spaces == 0) continue;
    buffer.replace({line, 0}, {line, spaces}, "", before);
    for (Position* end : {&caret.anchor, &caret.head})
      if (end->line == line) end->column = std::max(0, end->column - spaces);
  }
  buffer.end_group();
}

// Comments all lines out unless all of them already are.
void Editing::toggle_comment() {
  const LineRange range = selected_lines();
  const Caret before = caret;
  bool all = true, any = false;
  int column = 1 << 20;
  for (int line = range.first; line <= range.last; ++line) {
    const std::string& text = buffer.line(line);
    if (is_blank(text)) continue;
    any = true;
    column = std::min(column, indentation(text));
    all = all && text.compare(static_cast<std::size_t>(indentation(text)), 2, "//") == 0;
  }
  if (!any) return;
  buffer.begin_group();
  for (int line = range.first; line <= range.last; ++line) {
    const std::string text = buffer.line(line);
    if (is_blank(text)) continue;
    const int at = all ? indentation(text) : column;
    const bool spaced = text.compare(static_cast<std::size_t>(at), 3, "// ") == 0;
    const int removed = all ? (spaced ? 3 : 2) : 0;
    buffer.replace({line, at}, {line, at + removed}, all ? "" : "// ", before);
    const int shift = all ? -removed : 3;
    for (Position* end : {&caret.anchor, &caret.head})
      if (end->line == line && end->column > at) end->column = std::max(at, end->column + shift);
  }
  buffer.end_group();
}

void Editing::duplicate_lines() {
  const LineRange range = selected_lines();
  const Position end{range.last, static_cast<int>(buffer.line(range.last).size())};
  buffer.replace(end, end, "\n" + buffer.text({range.first, 0}, end), caret);
  const int lines = range.last - range.first + 1;
  caret.anchor.line += lines, caret.head.line += lines;
}

bool Editing::undo() {
  wanted_column_ = -1;
  if (!buffer.undo(caret)) return false;
  caret = {buffer.clamp(caret.anchor), buffer.clamp(caret.head)};
  return true;
}

bool Editing::redo() {
  wanted_column_ = -1;
  if (!buffer.redo(caret)) return false;
  caret = {buffer.clamp(caret.anchor), buffer.clamp(caret.head)};
  return true;
}

std::string Editing::selected() const {
  return buffer.text(caret.first(), caret.last());
}

std::string Editing::cut() {
  if (caret.empty()) select_line(caret.head.line);
  std::string text = selected();
  replace_selection("", Grouping::Alone);
  return text;
}

std::vector<Position> Editing::find(std::string_view needle) const {
  std::vector<Position> places;
  if (needle.empty()) return places;
  const bool exact =
      std::any_of(needle.begin(), needle.end(), [](char c) { return lab::small_letter(c) != c; });
  const auto same = [&](char a, char b) { return exact ? a == b : lab::small_letter(a) == b; };
  for (int line = 0; line < buffer.lines(); ++line) {
    const std::string& text = buffer.line(line);
    for (auto at = text.begin();;) {  // they do not overlap, so that each can be replaced
      at = std::search(at, text.end(), needle.begin(), needle.end(), same);
      if (at == text.end()) break;
      places.push_back({line, static_cast<int>(at - text.begin())});
      at += static_cast<std::ptrdiff_t>(needle.size());
    }
  }
  return places;
}

std::size_t Editing::replace_all(std::string_view needle, std::string_view with) {
  const std::vector<Position> places = find(needle);
  if (places.empty()) return 0;
  const Caret before = caret;
  buffer.begin_group();
  // From the end, so that places before stay where they are.
  for (auto at = places.rbegin(); at != places.rend(); ++at)
    buffer.replace(*at, {at->line, at->column + static_cast<int>(needle.size())}, with, before);
  buffer.end_group();
  caret = caret_at(buffer.clamp(before.first()));
  wanted_column_ = -1;
  return places.size();
}

}  // namespace gui::editor
