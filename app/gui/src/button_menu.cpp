// SPDX-License-Identifier: MIT
// See button_menu.hpp.
#include "button_menu.hpp"

#include <imgui.h>

#include "popup.hpp"

namespace gui {

ButtonOptions ButtonMenu::options(std::string_view hint, bool on) {
  ButtonOptions options;
  options.style = ButtonStyle::Ghost, options.size = Size::Small, options.icon = Icon::Menu;
  options.on = on, options.hint = hint;
  return options;
}

void ButtonMenu::draw(Frame& frame, const char* id, ImVec2 at, std::string_view hint, const Rect& menu,
                      const std::function<bool()>& choices) {
  ImGui::SetCursorScreenPos(at);
  const bool pressed = button(frame, id, "", options(hint, open_));
  if (open_) draw_open(frame, menu, choices);
  if (!pressed) return;
  open_ = !open_;
  frame.selection.stops.begin_in(name_,
                                 frame.selection.hush.on ? KeyStops::From::First : KeyStops::From::Whole);
  frame.animate();
}

void ButtonMenu::draw_open(Frame& frame, const Rect& menu, const std::function<bool()>& choices) {
  KeyStops& stops = frame.selection.stops;
  if (stops.menu_left(name_)) open_ = false;
  if (open_) stops.keep_menu(name_);
  const KeyPlace keys(stops, name_, KeyStops::Arrows::Walk);
  begin_popup(frame, name_, {menu.x, menu.y}, menu.w, menu.h);
  const bool chosen = choices();
  const bool inside = ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows |
                                             ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  end_popup();
  if (chosen || (ImGui::IsMouseClicked(0) && !inside)) open_ = false;
}

}  // namespace gui
