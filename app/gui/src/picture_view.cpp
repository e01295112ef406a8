// SPDX-License-Identifier: MIT
// See picture_view.hpp.
#include "picture_view.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gui::picture {

namespace {

constexpr float kLeastZoom = 0.3f, kMostZoom = 3.0f;
constexpr float kLeastZoomAlone = 0.75f;  // in front of a class, readable from the last row

}  // namespace

void View::toggle_fit() {
  fit_ = !fit_, pan_ = 0, to_top_ = true;
  if (!fit_) zoom_ = 1;
}

void View::begin_fit(bool alone) {
  shrinks_ = fit_ || alone;
  least_ = alone ? kLeastZoomAlone : kLeastZoom;
  if (shrinks_) zoom_ = 1;
}

bool View::shrink(float height_of_scene, float room) {
  if (!shrinks_ || zoom_ <= least_ || height_of_scene * zoom_ <= room) return false;
  zoom_ = std::max(least_, zoom_ * 0.88f);
  return true;
}

void View::move_by_mouse(const Frame& frame, ImVec2 room, float width_of_scene) {
  const ImGuiIO& io = ImGui::GetIO();
  if (frame.still || !ImGui::IsWindowHovered()) return;
  if (io.KeyCtrl && io.MouseWheel != 0) {
    const float before = zoom_;
    zoom_ = std::clamp(zoom_ * std::pow(1.15f, io.MouseWheel), kLeastZoom, kMostZoom);
    if (std::abs(zoom_ - 1) < 0.06f) zoom_ = 1;
    fit_ = false;
    ImGui::SetScrollY(ImGui::GetScrollY() * zoom_ / before);
  }
  if (ImGui::IsMouseDragging(2)) {
    pan_ += io.MouseDelta.x;
    ImGui::SetScrollY(ImGui::GetScrollY() - io.MouseDelta.y);
  }
  pan_ = std::clamp(pan_, std::min(0.0f, room.x - width_of_scene * zoom_), 0.0f);
}

float View::scroll_to_top(Frame& frame) {
  if (!std::exchange(to_top_, false)) return 0;
  const float scrolled = ImGui::GetScrollY();
  ImGui::SetScrollY(0);
  frame.animate();
  return scrolled;
}

// Where to scroll to, so that what was told is visible.
void View::aim(const Frame& frame, float top, float visible) {
  const float margin = std::min(frame.px(24), visible / 8);
  float from = 0, to = 0;
  bool any = false;
  for (const Rect& rect : std::exchange(told_, {})) {
    const float a = rect.y * zoom_ + top, b = rect.bottom() * zoom_ + top;
    const float first = any ? std::min(from, a) : a, last = any ? std::max(to, b) : b;
    if (any && last - first + 2 * margin > visible) continue;
    from = first, to = last, any = true;
  }
  const float now = ImGui::GetScrollY();
  float wanted = now;
  if (to > now + visible) wanted = to - visible + margin;
  if (from < wanted) wanted = std::max(0.0f, from - margin);
  scroll_to_ = wanted == now ? -1 : wanted;
  scroll_from_ = now;
  scroll_began_ = frame.animations ? frame.time : frame.time - 1;
}

void View::keep_in_view(Frame& frame, float top, float visible) {
  constexpr double kSeconds = 0.22;
  if (!told_.empty()) aim(frame, top, visible);
  if (scroll_to_ < 0) return;
  if (ImGui::GetIO().MouseWheel != 0) {  // the reader's hand wins
    scroll_to_ = -1;
    return;
  }
  const double left = 1 - std::min(1.0, (frame.time - scroll_began_) / kSeconds);
  ImGui::SetScrollY(scroll_from_ + (scroll_to_ - scroll_from_) * static_cast<float>(1 - left * left * left));
  frame.animate();
  if (left <= 0) scroll_to_ = -1;
}

}  // namespace gui::picture
