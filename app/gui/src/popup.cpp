// SPDX-License-Identifier: MIT
// See popup.hpp. Pop-ups are plain windows, so that Esc, a click elsewhere and the keyboard work the same on
// every version of ImGui.
#include "popup.hpp"

#include <algorithm>
#include <utility>

#include "imgui_compat.hpp"
#include "widgets.hpp"

namespace gui {

bool begin_popup(Frame& frame, const char* id, ImVec2 at, float width, float most_height) {
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, most_height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(10), frame.px(10)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, frame.px(kRounding + 2));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0f, frame.px(1)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {frame.px(8), frame.px(4)});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, frame.theme[Role::Panel]);
  ImGui::PushStyleColor(ImGuiCol_Border, frame.theme[Role::LineStrong]);
  push_scrollbar(frame);
  // Only a pop-up that the user opened gets the keys (Popups::draw): a problem that appears leaves them to
  // the editor.
  const bool open =
      ImGui::Begin(id, nullptr,
                   ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                       ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoFocusOnAppearing |
                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
  scroll_by_keys(frame);
  return open;
}

void end_popup() {
  compat::end_window();
  pop_scrollbar();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(4);
}

bool walk(Key key, std::size_t& choice, std::size_t count) {
  constexpr std::size_t kPage = 6;
  if (count == 0) return false;
  const std::size_t last = count - 1;
  switch (key) {
    case Key::Down:
      return choice = std::min(choice + 1, last), true;
    case Key::Up:
      return choice -= std::min<std::size_t>(choice, 1), true;
    case Key::PageDown:
      return choice = std::min(choice + kPage, last), true;
    case Key::PageUp:
      return choice -= std::min(choice, kPage), true;
    case Key::Home:
      return choice = 0, true;
    case Key::End:
      return choice = last, true;
    default:
      return false;
  }
}

void popup_heading(Frame& frame, std::string_view text) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  draw_text(frame, {from.x + frame.px(8), from.y + frame.px(6)}, frame.theme[Role::Muted], text, Face::Bold,
            Size::Small);
  ImGui::Dummy({frame.px(10), frame.px(28)});
}

void popup_sentence(Frame& frame, std::string_view text, Role role) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x, in = frame.px(8);
  const float tall = draw_paragraph(frame, {at.x + in, at.y}, room - 2 * in, frame.theme[role], text);
  ImGui::Dummy({room, tall + frame.px(4)});
}

bool popup_choice(Frame& frame, const char* id, std::string_view label, std::string_view second,
                  const PopupChoice& how) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, room = width - frame.px(46);
  const float below = second.empty() ? 0 : paragraph_height(frame, room, second, Face::Ui, Size::Small);
  const float height = second.empty() ? frame.px(36) : frame.px(37) + below;
  const bool pressed = pressable(frame, id, {width, height}, how.on) && how.enabled;
  const bool hovered = ImGui::IsItemHovered() && !frame.still && !frame.selection.hush.on && how.enabled;
  if (frame.places != nullptr) (*frame.places)[id] = {from.x + width / 2, from.y + height / 2};
  const ImVec2 to{from.x + width, from.y + height};
  if (hovered || how.lit)
    draw_card(frame, from, to, frame.theme[how.lit ? Role::AccentSoft : Role::Hover], 0);
  draw_focus(frame, from, to);
  const ImU32 colour = frame.theme[how.enabled ? Role::Text : Role::Muted];
  const float x = from.x + frame.px(34);
  if (how.open)
    ImGui::GetWindowDrawList()->AddRectFilled({from.x, from.y + frame.px(4)},
                                              {from.x + frame.px(4), to.y - frame.px(4)},
                                              frame.theme[Role::Accent], frame.px(2));
  if (how.on || how.done)
    draw_icon(frame, Icon::Check,
              {from.x + frame.px(18), from.y + (second.empty() ? height / 2 : frame.px(18))}, frame.px(14),
              frame.theme[how.done ? Role::Good : Role::Accent]);
  if (frame.places != nullptr)
    for (const auto& [mark, there] : {std::pair{"done ", how.done}, {"open ", how.open}})
      if (there) (*frame.places)[mark + std::string(id)] = {from.x + frame.px(18), from.y + frame.px(18)};
  float for_label = room;
  if (!how.note.empty()) {
    const ImVec2 size = badge_size(frame, how.note);
    for_label -= size.x + frame.px(8);
    badge_at(frame, {to.x - size.x - frame.px(8), from.y + frame.px(7)}, how.note, frame.theme[Role::Raised],
             frame.theme[how.note_role]);
  }
  if (second.empty())
    draw_text_middle(frame, x, from.y, height, colour, label, Face::Bold, Size::Body, for_label, how.cut);
  else
    draw_text(frame, {x, from.y + frame.px(8)}, colour, label, Face::Bold, Size::Body, for_label, how.cut);
  if (!second.empty())
    draw_paragraph(frame, {x, from.y + frame.px(28)}, room, frame.theme[Role::Muted], second, Face::Ui,
                   Size::Small);
  return pressed;
}

void ChoiceInSight::keep(std::size_t choice, float above) {
  if (choice_ == choice) return;
  choice_ = choice;
  const float begin = ImGui::GetWindowPos().y, end = begin + ImGui::GetWindowHeight();
  const float top = std::min(ImGui::GetItemRectMin().y, begin - ImGui::GetScrollY() + above);
  if (top < begin)
    ImGui::SetScrollY(ImGui::GetScrollY() + top - begin);
  else if (ImGui::GetItemRectMax().y > end)
    ImGui::SetScrollHereY(0.9f);
}

}  // namespace gui
