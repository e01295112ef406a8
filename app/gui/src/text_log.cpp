// SPDX-License-Identifier: MIT
// See text_log.hpp. What scrolling could show follows from ImGui's scroll position and its greatest value.
#include "text_log.hpp"

#include <algorithm>

namespace gui {
namespace {

constexpr float kFar = 1e6f;

std::string window_name() {
  const char* name = ImGui::GetWindowDrawList()->_OwnerName;
  return name == nullptr ? std::string() : std::string(name);
}

}  // namespace

void TextLog::text(std::string_view text, const Rect& box, Cut cut, bool shortened, bool lost) {
  const ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 from = list.GetClipRectMin(), to = list.GetClipRectMax();
  DrawnText drawn;
  drawn.text = text;
  drawn.window = window_name();
  drawn.box = box;
  drawn.seen = {from.x, from.y, to.x - from.x, to.y - from.y};
  drawn.reach = drawn.seen;
  if (by_hand_ > 0) {
    drawn.reach = {-kFar, -kFar, 2 * kFar, 2 * kFar};
  } else {
    drawn.reach.x -= ImGui::GetScrollX(), drawn.reach.w += ImGui::GetScrollMaxX();
    drawn.reach.y -= ImGui::GetScrollY(), drawn.reach.h += ImGui::GetScrollMaxY();
  }
  drawn.order = order_++;
  drawn.cut = cut;
  drawn.shortened = shortened;
  drawn.lost = lost;
  texts_.push_back(std::move(drawn));
}

void TextLog::card(const Rect& box, bool opaque) {
  cards_.push_back({window_name(), box, order_++, opaque});
}

void TextLog::zoom(std::size_t texts, std::size_t cards, ImVec2 anchor, float zoom, const Rect& clip) {
  const auto zoomed = [&](const Rect& box) {
    return Rect{anchor.x + (box.x - anchor.x) * zoom, anchor.y + (box.y - anchor.y) * zoom, box.w * zoom,
                box.h * zoom};
  };
  for (std::size_t i = texts; i < texts_.size(); ++i) {
    DrawnText& text = texts_[i];
    text.box = zoomed(text.box);
    text.seen = text.reach = clip;
    text.reach.y -= ImGui::GetScrollY(), text.reach.h += ImGui::GetScrollMaxY();
  }
  for (std::size_t i = cards; i < cards_.size(); ++i) cards_[i].box = zoomed(cards_[i].box);
}

void TextLog::hide(const Rect& box) {
  const std::string window = window_name();
  std::erase_if(texts_, [&](DrawnText& text) {
    Rect b = text.box;
    b.w = std::min(b.right(), text.seen.right()) - b.x;
    const bool meet = b.x < box.right() && box.x < b.right() && b.y < box.bottom() && box.y < b.bottom();
    if (!meet || text.window != window) return false;
    const bool from_left = box.x <= b.x, to_right = box.right() >= b.right();
    if (from_left && to_right) return true;
    // What is left of it is what is seen; of a text on both sides, its beginning.
    const float right = text.seen.right();
    if (from_left)
      text.seen.x = std::max(text.seen.x, box.right()), text.seen.w = right - text.seen.x;
    else
      text.seen.w = std::max(0.0f, std::min(right, box.x) - text.seen.x);
    return false;
  });
}

}  // namespace gui
