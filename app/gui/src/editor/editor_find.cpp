// SPDX-License-Identifier: MIT
// Find and replace in the editor: a card in its corner with one line or two, each edited like any other text.
//
// Enter goes on and Shift+Enter back; in the second line Enter replaces, and Alt+Enter replaces all. Tab
// changes lines, Escape closes. Part of Editor (editor.hpp).
#include <algorithm>

#include "editor/editor.hpp"
#include "widgets.hpp"

namespace gui::editor {
namespace {

constexpr float kRow = 34;  // at 100 %

}  // namespace

void Editor::open_find(bool replacing) {
  find_.open = true;
  find_.replacing = replacing;
  find_.in_replacement = false;
  if (!editing_.caret.empty() && editing_.caret.anchor.line == editing_.caret.head.line)
    find_.field = Editing(editing_.selected());
  find_.field.select_all();
  find_.revision = 0;  // search again
}

void Editor::handle_field(const KeyPress& press, Editing& field) {
  const Extend extend = press.shift ? Extend::Yes : Extend::No;
  switch (press.key) {
    case Key::Backspace:
      return field.backspace(press.ctrl ? Extend::Yes : Extend::No);
    case Key::Delete:
      return field.delete_forward();
    case Key::Left:
      return field.move(Move::Left, extend);
    case Key::Right:
      return field.move(Move::Right, extend);
    case Key::Home:
      return field.move(Move::LineStart, extend);
    case Key::End:
      return field.move(Move::LineEnd, extend);
    case Key::A:
      if (press.ctrl) field.select_all();
      return;
    case Key::V:
      if (const char* text = ImGui::GetClipboardText(); press.ctrl && text != nullptr)
        field.paste(std::string_view(text).substr(0, std::string_view(text).find_first_of("\r\n")));
      return;
    case Key::Z:
      if (press.ctrl) (void)field.undo();
      return;
    default:
      return;
  }
}

void Editor::handle_find(Frame& frame, bool read_only) {
  for (const KeyPress& press : frame.input.keys) {
    const bool up = press.key == Key::Up, down = press.key == Key::Down;
    if (press.key == Key::Escape) {
      find_.open = false;
      return;
    }
    if (press.key == Key::Enter && press.alt && find_.replacing && !read_only)
      replace_all();
    else if (press.key == Key::Enter && find_.in_replacement && !press.shift && !read_only)
      replace_one();
    else if (press.key == Key::Enter || press.key == Key::F3 || up || down)
      go_to_match(press.shift || up ? -1 : 1);
    else if (press.key == Key::Tab)
      find_.in_replacement = find_.replacing && !find_.in_replacement;
    else if (press.ctrl && press.key == Key::H)
      find_.replacing = !read_only, find_.in_replacement = find_.replacing;
    else if (press.ctrl && press.key == Key::F)
      find_.in_replacement = false, find_.field.select_all();
    else
      handle_field(press, find_.in_replacement ? find_.replacement : find_.field);
  }
  if (!frame.input.text.empty())
    (find_.in_replacement ? find_.replacement : find_.field).type(frame.input.text);
}

// Replaces the selected match. If none is selected, it first only selects the next one, so that the user sees
// it.
void Editor::replace_one() {
  if (find_.places.empty()) return;
  const Position at = editing_.caret.first();
  const bool on_match = find_.shown >= 0 && !editing_.caret.empty() &&
                        find_.places[static_cast<std::size_t>(find_.shown)] == at;
  if (!on_match) return go_to_match(1);
  const std::string with = find_.replacement.buffer.text();
  const Position end = editing_.buffer.replace(at, editing_.caret.last(), with, editing_.caret);
  editing_.caret = caret_at(end);
  find_.places = editing_.find(find_.needle);
  find_.revision = editing_.buffer.revision();
  find_.shown = -1;
  go_to_match(1);
}

void Editor::replace_all() {
  (void)editing_.replace_all(find_.field.buffer.text(), find_.replacement.buffer.text());
  follow_caret_ = true;
}

void Editor::update_find() {
  if (!find_.open) return;
  const std::string needle = find_.field.buffer.text();
  if (needle == find_.needle && find_.revision == editing_.buffer.revision()) return;
  const bool typed = needle != find_.needle;
  find_.needle = needle;
  find_.revision = editing_.buffer.revision();
  find_.places = editing_.find(needle);
  find_.shown = -1;
  if (!typed || find_.places.empty()) return;
  editing_.caret = caret_at(editing_.caret.first());
  go_to_match(1);
}

void Editor::go_to_match(int direction) {
  const auto count = static_cast<int>(find_.places.size());
  if (count == 0) return;
  if (find_.shown < 0) {
    const auto at = std::lower_bound(find_.places.begin(), find_.places.end(), editing_.caret.first());
    find_.shown = static_cast<int>(at - find_.places.begin()) - (direction < 0 ? 1 : 0);
  } else {
    find_.shown += direction;
  }
  find_.shown = (find_.shown % count + count) % count;
  const Position at = find_.places[static_cast<std::size_t>(find_.shown)];
  editing_.caret = {at, {at.line, at.column + static_cast<int>(find_.needle.size())}};
  follow_caret_ = true;
}

Rect Editor::find_card(const Frame& frame, const Metrics& m) const {
  const float wide = std::min(frame.px(find_.replacing ? 380 : 300), m.size.x - frame.px(32));
  return {m.corner.x + m.size.x - wide - frame.px(20), m.corner.y + frame.px(6), wide,
          frame.px(find_.replacing ? 2 * kRow : kRow)};
}

// One line of the card: what was typed, with its caret.
void Editor::draw_field(const Frame& frame, const Rect& row, const Editing& field, lab::Text name, float room,
                        bool caret) const {
  const std::string text = field.buffer.text();
  const float x = row.x + frame.px(30);
  if (text.empty())
    draw_text_middle(frame, x, row.y, row.h, frame.theme[Role::Muted], frame.text(name), Face::Ui, Size::Body,
                     room);
  const auto width = [&](int column) {
    return std::min(
        room,
        text_size(frame, std::string_view(text).substr(0, static_cast<std::size_t>(column)), Face::Mono).x);
  };
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (caret && !field.caret.empty())
    list.AddRectFilled({x + width(field.caret.first().column), row.y + frame.px(7)},
                       {x + width(field.caret.last().column), row.bottom() - frame.px(7)},
                       frame.theme[Role::Selection], frame.px(2));
  if (!text.empty())
    draw_text_middle(frame, x, row.y, row.h, frame.theme[Role::Text], text, Face::Mono, Size::Body, room,
                     Cut::Meant);
  if (!caret || !focused_) return;
  const float at = x + width(field.caret.head.column);
  list.AddRectFilled({at, row.y + frame.px(8)},
                     {at + std::max(1.0f, frame.px(2)), row.bottom() - frame.px(8)}, frame.theme[Role::Text]);
}

void Editor::draw_find(Frame& frame, const Metrics& m, bool read_only) {
  const Rect card = find_card(frame, m);
  const float tall = frame.px(kRow);
  if (frame.texts != nullptr) frame.texts->hide(card);
  draw_card(frame, card.from(), card.to(), frame.theme[Role::Raised], frame.theme[Role::Accent], 1);
  const Rect first{card.x, card.y, card.w, tall}, second{card.x, card.y + tall, card.w, tall};
  draw_icon(frame, Icon::Search, {first.x + frame.px(16), first.y + tall / 2}, frame.px(14),
            frame.theme[Role::Muted]);
  const std::string& needle = find_.needle;
  const std::string count = needle.empty() ? std::string()
                            : find_.places.empty()
                                ? std::string(frame.text(lab::Text::CodeFindNone))
                                : frame.text(lab::Text::CodeFindCount, {std::to_string(find_.shown + 1),
                                                                        std::to_string(find_.places.size())});
  const float count_wide = text_size(frame, count, Face::Ui, Size::Small).x;
  const Role role = find_.places.empty() && !needle.empty() ? Role::Bad : Role::Muted;
  draw_text_middle(frame, first.right() - count_wide - frame.px(10), first.y, tall, frame.theme[role], count,
                   Face::Ui, Size::Small);
  draw_field(frame, first, find_.field, lab::Text::CodeFind, card.w - count_wide - frame.px(50),
             !find_.in_replacement);
  if (!find_.replacing) return;
  ImGui::GetWindowDrawList()->AddLine({card.x, second.y}, {card.right(), second.y}, frame.theme[Role::Line]);
  ButtonOptions options;
  options.size = Size::Small;
  options.enabled = !find_.places.empty() && !read_only;
  options.hint = frame.text(lab::Text::CodeReplaceAllHint);
  const std::string_view label = frame.text(lab::Text::CodeReplaceAll);
  const ImVec2 size = button_size(frame, label, options);
  const ImVec2 back = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({second.right() - size.x - frame.px(5), second.y + (tall - size.y) / 2});
  if (button(frame, "replace all", label, options)) replace_all();
  ImGui::SetCursorScreenPos(back);
  draw_field(frame, second, find_.replacement, lab::Text::CodeReplaceWith, card.w - size.x - frame.px(50),
             find_.in_replacement);
}

void Editor::watch(Watched& watched) const {
  static constexpr std::string_view kNames = "pktfsnc#";  // by Token
  const int line = editing_.caret.head.line;
  watched.lines = editing_.buffer.lines();
  watched.column = editing_.caret.head.column;
  watched.selected = static_cast<int>(editing_.selected().size());
  watched.matches = find_.open ? static_cast<int>(find_.places.size()) : 0;
  watched.bracket = brackets_.pair && brackets_.pair->matched ? brackets_.pair->other.line + 1 : 0;
  watched.line = editing_.buffer.line(line);
  if (static_cast<std::size_t>(line) >= states_.size()) return;
  std::vector<Span> spans;
  (void)lex_line(watched.line, states_[static_cast<std::size_t>(line)], spans);
  for (const Span& span : spans) watched.kinds += kNames[static_cast<std::size_t>(span.token)];
}

}  // namespace gui::editor
