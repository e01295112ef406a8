// SPDX-License-Identifier: MIT
// See row_scroll.hpp.
#include "row_scroll.hpp"

namespace gui {

void RowScroll::show(double row, bool anew) {
  const double both = fitting_ < 2.2 ? 1 : 2;  // the next row is what Step will do
  const double lowest = std::min(row, std::max(0.0, std::ceil(row + both - fitting_)));
  if (!anew && row < top_)
    move_to(fitting_ < 3.2 ? row : row - 1);
  else if (anew || row + both > top_ + fitting_)
    move_to(lowest);
}

void RowScroll::draw(Frame& frame, const char* id) {
  constexpr double kRowsPerNotch = 3;
  const float wheel = ImGui::GetIO().MouseWheel;
  if (wheel != 0 && !frame.still && ImGui::IsWindowHovered()) move_by(-wheel * kRowsPerNotch);
  if (all_fit()) return;
  const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const float width = frame.px(10), right = from.x + size.x - frame.px(2);
  const float grip = std::max(frame.px(22), size.y * static_cast<float>(fitting_ / rows_));
  const float free = std::max(1.0f, size.y - grip);
  const double most = std::max(1.0, std::ceil(rows_ - fitting_));
  ImGui::SetCursorScreenPos({right - width, from.y});
  ImGui::InvisibleButton(id, {width, std::max(1.0f, size.y)});
  const bool active = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered() && !frame.still;
  if (active) move_to((ImGui::GetIO().MousePos.y - from.y - grip / 2) / free * most);
  const float top = from.y + free * static_cast<float>(std::min(1.0, top_ / most));
  ImGui::GetWindowDrawList()->AddRectFilled(
      {right - width + frame.px(3), top}, {right - frame.px(3), top + grip},
      frame.theme[active || hovered ? Role::Muted : Role::LineStrong], frame.px(2));
}

}  // namespace gui
