// SPDX-License-Identifier: MIT
// See text_field.hpp.
#include "text_field.hpp"

#include <algorithm>
#include <cmath>

namespace gui {

using editor::Extend;
using editor::Move;

FieldKeys field_stop(const Frame& frame, const char* id, const Rect& place, bool has_keys) {
  KeyStops& stops = frame.selection.stops;
  const KeyStops::Id key = ImGui::GetID(id);
  ImGui::SetCursorScreenPos(place.from());
  const KeyStops::Here here = key_stop(frame, id, place.from(), place.to());
  const bool lost = has_keys && stops.has_left(key);
  if (lost) frame.animate();
  if (ImGui::InvisibleButton(id, {place.w, place.h}) || here.arrived || here.pressed)
    return stops.stand_on(key), FieldKeys::Taken;
  if (has_keys && !lost) stops.stand_on(key);
  return lost ? FieldKeys::Lost : FieldKeys::Stay;
}

bool TextField::take(const KeyPress& press) {
  const Extend extend = press.shift ? Extend::Yes : Extend::No;
  const Extend word = press.ctrl ? Extend::Yes : Extend::No;
  switch (press.key) {
    case Key::Backspace:
      return line_.backspace(word), true;
    case Key::Delete:
      return line_.delete_forward(word), true;
    case Key::Left:
      return line_.move(press.ctrl ? Move::WordLeft : Move::Left, extend), true;
    case Key::Right:
      return line_.move(press.ctrl ? Move::WordRight : Move::Right, extend), true;
    case Key::Home:
      return line_.move(Move::LineStart, extend), true;
    case Key::End:
      return line_.move(Move::LineEnd, extend), true;
    case Key::A:
      if (press.ctrl) line_.select_all();
      return press.ctrl;
    case Key::C:
    case Key::X:
      if (!press.ctrl) return false;
      if (!line_.caret.empty()) {
        ImGui::SetClipboardText(line_.selected().c_str());
        if (press.key == Key::X) line_.backspace(Extend::No);
      }
      return true;
    case Key::Z:
      if (press.ctrl) (void)(press.shift ? line_.redo() : line_.undo());
      return press.ctrl;
    case Key::V:
      if (const char* text = ImGui::GetClipboardText(); press.ctrl && text != nullptr) type(text);
      return press.ctrl;
    default:
      return false;
  }
}

void TextField::type(std::string_view typed) {
  const std::string_view line = typed.substr(0, typed.find_first_of("\r\n"));
  if (!line.empty()) line_.paste(line);
}

void TextField::replace(std::size_t begin, std::size_t end, std::string_view text) {
  line_.caret = {{0, static_cast<int>(begin)}, {0, static_cast<int>(end)}};
  line_.paste(text);
}

void TextField::draw(Frame& frame, const Rect& place, std::string_view empty_words, std::optional<Icon> icon,
                     Caret shown) const {
  const bool keys = shown == Caret::Shown;
  if (keys && frame.watched != nullptr) ++frame.watched->rings;
  draw_card(frame, place.from(), place.to(), frame.theme[Role::Sunken],
            frame.theme[keys ? Role::Accent : Role::LineStrong], 1.5f);
  if (icon)
    draw_icon(frame, *icon, {place.x + frame.px(18), place.y + place.h / 2}, frame.px(15),
              frame.theme[Role::Muted]);
  const std::string words = text();
  const float x = place.x + frame.px(icon ? 36 : 12), room = place.right() - frame.px(10) - x;
  const auto width = [&](int column) {
    return std::min(room,
                    text_size(frame, std::string_view(words).substr(0, static_cast<std::size_t>(column))).x);
  };
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (keys && !line_.caret.empty())
    list.AddRectFilled({x + width(line_.caret.first().column), place.y + frame.px(8)},
                       {x + width(line_.caret.last().column), place.bottom() - frame.px(8)},
                       frame.theme[Role::Selection], frame.px(2));
  if (words.empty()) {
    const float beside_caret = keys ? frame.px(4) : 0;
    draw_text_middle(frame, x + beside_caret, place.y, place.h, frame.theme[Role::Muted], empty_words,
                     Face::Ui, Size::Body, room - beside_caret);
  } else {
    draw_text_middle(frame, x, place.y, place.h, frame.theme[Role::Text], words, Face::Ui, Size::Body, room,
                     Cut::Middle);
  }
  if (!keys) return;
  const float caret = std::round(x + width(line_.caret.head.column));
  list.AddRectFilled({caret, place.y + frame.px(9)},
                     {caret + std::max(1.0f, frame.px(2)), place.bottom() - frame.px(9)},
                     frame.theme[Role::Text]);
}

}  // namespace gui
