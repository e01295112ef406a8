// SPDX-License-Identifier: MIT
// Lines in a vector: lessons are short, and moving 20,000 lines costs less than a screen refresh. Undo keeps
// all removed and inserted text, without a limit.
#include "editor/buffer.hpp"

#include <algorithm>
#include <limits>

namespace gui::editor {
namespace {

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

enum class Class { Space, Word, Chinese, Other };
Class class_of(const std::string& line, int column) {
  const auto c = static_cast<unsigned char>(line[static_cast<std::size_t>(column)]);
  if (c == ' ' || c == '\t' || c == '\r') return Class::Space;
  if (c >= 0x80) return Class::Chinese;
  if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')
    return Class::Word;
  return Class::Other;
}

// "\r\n" only when every line ends so; a file of mixed ends keeps its \r as characters.
std::string find_line_end(std::string_view text) {
  bool any = false;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    if (at == 0 || text[at - 1] != '\r') return "\n";
    any = true;
  }
  return any ? "\r\n" : "\n";
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> lines;
  std::size_t at = 0;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', at)) {
    lines.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  lines.emplace_back(text.substr(at));
  return lines;
}

}  // namespace

Position place_behind(Position at, std::string_view text) {
  const auto breaks = std::count(text.begin(), text.end(), '\n');
  if (breaks == 0) return {at.line, at.column + static_cast<int>(text.size())};
  return {at.line + static_cast<int>(breaks), static_cast<int>(text.size() - text.rfind('\n') - 1)};
}

Buffer::Buffer(std::string_view text) : line_end_(find_line_end(text)) {
  lines_ = split(text);
  if (line_end_ == "\r\n")
    for (std::size_t i = 0; i + 1 < lines_.size(); ++i) lines_[i].pop_back();
}

std::string Buffer::text() const {
  std::size_t bytes = 0;
  for (const std::string& line : lines_) bytes += line.size() + line_end_.size();
  std::string text;
  text.reserve(bytes);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (i > 0) text += line_end_;
    text += lines_[i];
  }
  return text;
}

std::string Buffer::text(Position from, Position to) const {
  if (from.line == to.line)
    return line(from.line).substr(static_cast<std::size_t>(from.column),
                                  static_cast<std::size_t>(to.column - from.column));
  std::string text = line(from.line).substr(static_cast<std::size_t>(from.column));
  for (int i = from.line + 1; i < to.line; ++i) (text += '\n') += line(i);
  (text += '\n').append(line(to.line), 0, static_cast<std::size_t>(to.column));
  return text;
}

Position Buffer::end() const {
  return {lines() - 1, static_cast<int>(lines_.back().size())};
}

Position Buffer::clamp(Position place) const {
  if (place.line < 0) return {};
  if (place.line >= lines()) return end();
  const std::string& text = line(place.line);
  place.column = std::clamp(place.column, 0, static_cast<int>(text.size()));
  while (place.column > 0 && place.column < static_cast<int>(text.size()) &&
         is_continuation(text[static_cast<std::size_t>(place.column)]))
    --place.column;
  return place;
}

Position Buffer::left(Position place) const {
  if (place.column > 0) return clamp({place.line, place.column - 1});
  if (place.line == 0) return place;
  return {place.line - 1, static_cast<int>(line(place.line - 1).size())};
}

Position Buffer::right(Position place) const {
  const std::string& text = line(place.line);
  if (place.column >= static_cast<int>(text.size()))
    return place.line + 1 < lines() ? Position{place.line + 1, 0} : place;
  ++place.column;
  while (place.column < static_cast<int>(text.size()) &&
         is_continuation(text[static_cast<std::size_t>(place.column)]))
    ++place.column;
  return place;
}

Position Buffer::word_left(Position place) const {
  if (place.column == 0) return left(place);
  const std::string& text = line(place.line);
  auto before = [&] { return class_of(text, left(place).column); };
  while (place.column > 0 && before() == Class::Space) place = left(place);
  if (place.column == 0) return place;
  const Class kind = before();
  while (place.column > 0 && before() == kind) place = left(place);
  return place;
}

Position Buffer::word_right(Position place) const {
  const std::string& text = line(place.line);
  const int size = static_cast<int>(text.size());
  if (place.column >= size) return right(place);
  const Class kind = class_of(text, place.column);
  while (place.column < size && class_of(text, place.column) == kind) place = right(place);
  while (place.column < size && class_of(text, place.column) == Class::Space) place = right(place);
  return place;
}

Position Buffer::splice(Position from, Position to, std::string_view text) {
  std::vector<std::string> pieces = split(text);
  const std::string& last = line(to.line);
  const Position behind = place_behind(from, text);
  pieces.front().insert(0, line(from.line), 0, static_cast<std::size_t>(from.column));
  pieces.back().append(last, static_cast<std::size_t>(to.column), std::string::npos);
  const auto begin = lines_.begin() + from.line;
  const auto removed = static_cast<std::size_t>(to.line - from.line) + 1;
  const std::size_t common = std::min(removed, pieces.size());
  std::move(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(common), begin);
  const auto rest = begin + static_cast<std::ptrdiff_t>(common);
  if (removed > common)
    lines_.erase(rest, begin + static_cast<std::ptrdiff_t>(removed));
  else
    lines_.insert(rest, std::make_move_iterator(pieces.begin() + static_cast<std::ptrdiff_t>(common)),
                  std::make_move_iterator(pieces.end()));
  ++revision_;
  first_changed_ = std::min(first_changed_, from.line);
  return behind;
}

// Typing goes on where typing stopped, until a line break or another kind of change.
bool Buffer::joins(const Change& change) const {
  if (depth_ > 0 || !open_ || done_ == 0 || change.grouping == Grouping::Alone) return false;
  const Change& previous = changes_[done_ - 1];
  if (previous.grouping != change.grouping || previous.inserted.find('\n') != std::string::npos) return false;
  if (change.grouping == Grouping::WithTyping)
    return change.removed.empty() && place_behind(previous.at, previous.inserted) == change.at;
  return change.inserted.empty() &&
         (place_behind(change.at, change.removed) == previous.at || change.at == previous.at);
}

Position Buffer::replace(Position from, Position to, std::string_view text, const Caret& before,
                         Grouping grouping) {
  from = clamp(from), to = clamp(to);
  if (to < from) std::swap(from, to);
  Change change{from, this->text(from, to), std::string(text), before, {}, group_, grouping};
  if (change.removed.empty() && change.inserted.empty()) return from;
  changes_.resize(done_);
  if (depth_ == 0 && !joins(change)) change.group = ++group_;
  const Position behind = splice(from, to, text);
  change.after = caret_at(behind);
  changes_.push_back(std::move(change));
  done_ = changes_.size();
  open_ = true;
  return behind;
}

void Buffer::begin_group() {
  if (depth_++ == 0) ++group_;
}

void Buffer::end_group() {
  if (--depth_ == 0) open_ = false;
}

bool Buffer::undo(Caret& caret) {
  if (!can_undo()) return false;
  const unsigned long group = changes_[done_ - 1].group;
  while (done_ > 0 && changes_[done_ - 1].group == group) {
    const Change& change = changes_[--done_];
    splice(change.at, place_behind(change.at, change.inserted), change.removed);
    caret = change.before;
  }
  open_ = false;
  return true;
}

bool Buffer::redo(Caret& caret) {
  if (!can_redo()) return false;
  const unsigned long group = changes_[done_].group;
  while (done_ < changes_.size() && changes_[done_].group == group) {
    const Change& change = changes_[done_++];
    splice(change.at, place_behind(change.at, change.removed), change.inserted);
    caret = change.after;
  }
  open_ = false;
  return true;
}

int Buffer::take_first_changed() {
  const int line = first_changed_;
  first_changed_ = std::numeric_limits<int>::max();
  return line;
}

}  // namespace gui::editor
