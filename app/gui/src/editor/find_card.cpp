// SPDX-License-Identifier: MIT
// See find_card.hpp.
#include "editor/find_card.hpp"

#include <algorithm>

#include "widgets.hpp"

namespace gui::editor {
namespace {

constexpr float kRow = 34;  // at 100 %

}  // namespace

void FindCard::press(const Frame& frame, const Rect& visible, ImVec2 mouse) {
  in_replacement_ = replacing_ && mouse.y > place(frame, visible).y + frame.px(kRow + 2);
}

void FindCard::open(const Editing& editing, bool replacing) {
  open_ = true;
  replacing_ = replacing;
  in_replacement_ = false;
  if (!editing.caret.empty() && editing.caret.anchor.line == editing.caret.head.line)
    field_ = Editing(editing.selected());
  field_.select_all();
  revision_ = 0;  // search again
}

void FindCard::handle_field(const KeyPress& press, Editing& field) {
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

void FindCard::handle(Frame& frame, Editing& editing, bool read_only) {
  for (const KeyPress& press : frame.input.keys) {
    const bool up = press.key == Key::Up, down = press.key == Key::Down;
    if (press.key == Key::Escape) {
      open_ = false;
      return;
    }
    if (press.key == Key::Enter && press.alt && replacing_ && !read_only)
      replace_all(editing);
    else if (press.key == Key::Enter && in_replacement_ && !press.shift && !read_only)
      replace_one(editing);
    else if (press.key == Key::Enter || press.key == Key::F3 || up || down)
      go_to_match(editing, press.shift || up ? -1 : 1);
    else if (press.key == Key::Tab)
      in_replacement_ = replacing_ && !in_replacement_;
    else if (press.ctrl && press.key == Key::H)
      replacing_ = !read_only, in_replacement_ = replacing_;
    else if (press.ctrl && press.key == Key::F)
      in_replacement_ = false, field_.select_all();
    else
      handle_field(press, in_replacement_ ? replacement_ : field_);
  }
  if (!frame.input.text.empty()) (in_replacement_ ? replacement_ : field_).type(frame.input.text);
}

// Replaces the selected match. If none is selected, it first only selects the next one, so that the user sees
// it.
void FindCard::replace_one(Editing& editing) {
  if (places_.empty()) return;
  const Position at = editing.caret.first();
  const bool on_match =
      shown_ >= 0 && !editing.caret.empty() && places_[static_cast<std::size_t>(shown_)] == at;
  if (!on_match) return go_to_match(editing, 1);
  const std::string with = replacement_.buffer.text();
  const Position end = editing.buffer.replace(at, editing.caret.last(), with, editing.caret);
  editing.caret = caret_at(end);
  places_ = editing.find(needle_);
  revision_ = editing.buffer.revision();
  shown_ = -1;
  go_to_match(editing, 1);
}

void FindCard::replace_all(Editing& editing) {
  (void)editing.replace_all(field_.buffer.text(), replacement_.buffer.text());
  moved_ = true;
}

void FindCard::update(Editing& editing) {
  if (!open_) return;
  const std::string needle = field_.buffer.text();
  if (needle == needle_ && revision_ == editing.buffer.revision()) return;
  const bool typed = needle != needle_;
  needle_ = needle;
  revision_ = editing.buffer.revision();
  places_ = editing.find(needle);
  shown_ = -1;
  if (!typed || places_.empty()) return;
  editing.caret = caret_at(editing.caret.first());
  go_to_match(editing, 1);
}

void FindCard::go_to_match(Editing& editing, int direction) {
  const auto count = static_cast<int>(places_.size());
  if (count == 0) return;
  if (shown_ < 0) {
    const auto at = std::lower_bound(places_.begin(), places_.end(), editing.caret.first());
    shown_ = static_cast<int>(at - places_.begin()) - (direction < 0 ? 1 : 0);
  } else {
    shown_ += direction;
  }
  shown_ = (shown_ % count + count) % count;
  const Position at = places_[static_cast<std::size_t>(shown_)];
  editing.caret = {at, {at.line, at.column + static_cast<int>(needle_.size())}};
  moved_ = true;
}

Rect FindCard::place(const Frame& frame, const Rect& visible) const {
  const float wide = std::min(frame.px(replacing_ ? 380 : 300), visible.w - frame.px(32));
  return {visible.x + visible.w - wide - frame.px(20), visible.y + frame.px(6), wide,
          frame.px(replacing_ ? 2 * kRow : kRow)};
}

// One line of the card: what was typed, with its caret.
void FindCard::draw_field(const Frame& frame, const Rect& row, const Editing& field, lab::Text name,
                          float room, bool caret, bool focused) {
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
  if (!caret || !focused) return;
  const float at = x + width(field.caret.head.column);
  list.AddRectFilled({at, row.y + frame.px(8)},
                     {at + std::max(1.0f, frame.px(2)), row.bottom() - frame.px(8)}, frame.theme[Role::Text]);
}

void FindCard::draw(Frame& frame, Editing& editing, const Rect& visible, bool read_only, bool focused) {
  const Rect card = place(frame, visible);
  const float tall = frame.px(kRow);
  if (frame.texts != nullptr) frame.texts->hide(card);
  draw_card(frame, card.from(), card.to(), frame.theme[Role::Raised], frame.theme[Role::Accent], 1);
  const Rect first{card.x, card.y, card.w, tall}, second{card.x, card.y + tall, card.w, tall};
  draw_icon(frame, Icon::Search, {first.x + frame.px(16), first.y + tall / 2}, frame.px(14),
            frame.theme[Role::Muted]);
  const std::string& needle = needle_;
  const std::string count = needle.empty() ? std::string()
                            : places_.empty()
                                ? std::string(frame.text(lab::Text::CodeFindNone))
                                : frame.text(lab::Text::CodeFindCount,
                                             {std::to_string(shown_ + 1), std::to_string(places_.size())});
  const float count_wide = text_size(frame, count, Face::Ui, Size::Small).x;
  const Role role = places_.empty() && !needle.empty() ? Role::Bad : Role::Muted;
  draw_text_middle(frame, first.right() - count_wide - frame.px(10), first.y, tall, frame.theme[role], count,
                   Face::Ui, Size::Small);
  draw_field(frame, first, field_, lab::Text::CodeFind, card.w - count_wide - frame.px(50), !in_replacement_,
             focused);
  if (!replacing_) return;
  ImGui::GetWindowDrawList()->AddLine({card.x, second.y}, {card.right(), second.y}, frame.theme[Role::Line]);
  ButtonOptions options;
  options.size = Size::Small;
  options.enabled = !places_.empty() && !read_only;
  options.hint = frame.text(lab::Text::CodeReplaceAllHint);
  const std::string_view label = frame.text(lab::Text::CodeReplaceAll);
  const ImVec2 size = button_size(frame, label, options);
  const ImVec2 back = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({second.right() - size.x - frame.px(5), second.y + (tall - size.y) / 2});
  if (button(frame, "replace all", label, options)) replace_all(editing);
  ImGui::SetCursorScreenPos(back);
  draw_field(frame, second, replacement_, lab::Text::CodeReplaceWith, card.w - size.x - frame.px(50),
             in_replacement_, focused);
}

}  // namespace gui::editor
