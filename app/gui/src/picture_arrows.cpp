// SPDX-License-Identifier: MIT
// Arrows from current cards to their contexts: a curve if nothing is in between, else a line around
// everything and through the gaps between boxes, so that no box is crossed.
//
// Part of the layout (picture_layouter.hpp). Draws nothing.
#include <algorithm>
#include <cmath>

#include "picture_layouter.hpp"
#include "picture_objects.hpp"

namespace gui::picture {

Curve curve_between(const Rect& card, const Rect& target, float scale) {
  const auto px = [scale](float at_100_percent) { return std::round(at_100_percent * scale); };
  const Point start{card.right(), card.y + card.h / 2};
  const float inset = std::min(px(18), target.w / 2), head = px(7);
  const Point end{std::clamp(start.x + px(26), target.x + inset, target.right() - inset), target.y - px(1)};
  const float reach = std::max(px(36), (end.y - start.y) * 0.28f);
  return {start, {start.x + px(44), start.y}, {end.x + px(6), end.y - reach}, {end.x, end.y - head * 0.8f}};
}

namespace {

constexpr std::size_t kMostArrows = 4;
using Route = std::vector<Point>;

struct Ends {
  int card = -1, context = -1;
};

bool holds(const Layouter& l, int box, int end) {
  for (; end >= 0; end = l.scene.boxes[static_cast<std::size_t>(end)].parent)
    if (end == box) return true;
  return false;
}

// A box that contains neither end of the arrow is an obstacle; only the outermost ones have to be checked.
template <typename Crossed>
bool is_free(const Layouter& l, Ends ends, const Crossed& crossed) {
  const auto of_ours = [&](int box) { return holds(l, box, ends.card) || holds(l, box, ends.context); };
  for (int i = 0; i < static_cast<int>(l.scene.boxes.size()); ++i) {
    const Box& box = l.scene.boxes[static_cast<std::size_t>(i)];
    if (box.parent >= 0 && !of_ours(box.parent)) continue;
    if (crossed(box.rect) && !of_ours(i)) return false;
  }
  return true;
}

bool is_free(const Layouter& l, Ends ends, const Curve& curve) {
  constexpr int kPieces = 24;
  std::vector<Point> points;
  for (int i = 0; i <= kPieces; ++i) {
    const float t = static_cast<float>(i) / kPieces, u = 1 - t;
    const float a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
    points.push_back({a * curve.from.x + b * curve.out.x + c * curve.in.x + d * curve.to.x,
                      a * curve.from.y + b * curve.out.y + c * curve.in.y + d * curve.to.y});
  }
  return is_free(l, ends, [&points](const Rect& rect) {
    return std::any_of(points.begin(), points.end(), [&](Point at) { return rect.holds(at.x, at.y); });
  });
}

bool is_free(const Layouter& l, Ends ends, const Route& route) {
  return is_free(l, ends, [&route](const Rect& rect) {
    for (std::size_t i = 0; i + 1 < route.size(); ++i) {
      const Point a = route[i], b = route[i + 1];
      if (std::max(a.x, b.x) > rect.x && std::min(a.x, b.x) < rect.right() && std::max(a.y, b.y) > rect.y &&
          std::min(a.y, b.y) < rect.bottom())
        return true;
    }
    return false;
  });
}

float length(const Route& route) {
  float sum = 0;
  for (std::size_t i = 0; i + 1 < route.size(); ++i)
    sum += std::abs(route[i].x - route[i + 1].x) + std::abs(route[i].y - route[i + 1].y);
  return sum;
}

// Out of the card at its right, under the row of stacks to the margin, down there, and in through the gap
// above the row of contexts.
Route around(const Layouter& l, Ends ends, bool at_left) {
  const auto rect = [&l](int index) { return l.scene.boxes[static_cast<std::size_t>(index)].rect; };
  const Rect card = rect(ends.card), context = rect(ends.context);
  const Rect stack = rect(l.scene.boxes[static_cast<std::size_t>(ends.card)].parent);
  // Lines of several threads lie side by side.
  const float shift = l.px(2) * static_cast<float>(l.scene.arrows.size() % kMostArrows);
  const float beside = stack.right() + l.px(4), below = stack.bottom() + l.px(2) + shift / 2;
  const float lane = at_left ? -l.px(10) - shift : l.scene.width + l.px(5) + shift;
  const float above = context.y - l.px(10) + shift / 2, inset = std::min(l.px(18), context.w / 2) + 2 * shift;
  const float end = at_left ? context.x + inset : context.right() - inset;
  const float middle = card.y + card.h / 2;
  return {{card.right(), middle}, {beside, middle}, {beside, below},           {lane, below},
          {lane, above},          {end, above},     {end, context.y - l.px(1)}};
}

// To a context that stands beside the stacks, through the gap between them and it: straight on, or, where
// another stack is in between, below the row of stacks. Empty if neither is free.
Route across(const Layouter& l, Ends ends) {
  const auto rect = [&l](int index) { return l.scene.boxes[static_cast<std::size_t>(index)].rect; };
  const Rect card = rect(ends.card), context = rect(ends.context);
  const Rect stack = rect(l.scene.boxes[static_cast<std::size_t>(ends.card)].parent);
  const Rect panel = rect(l.scene.boxes[static_cast<std::size_t>(ends.context)].parent);
  if (panel.x < stack.right() + l.px(20)) return {};
  const float shift = l.px(2) * static_cast<float>(l.scene.arrows.size() % kMostArrows);
  const float lane = panel.x - l.px(12) - shift, middle = card.y + card.h / 2;
  const float beside = stack.right() + l.px(4), below = stack.bottom() + l.px(2) + shift / 2;
  const float above = context.y - l.px(10) + shift / 2;
  const float end = context.x + std::min(l.px(18), context.w / 2) + 2 * shift;
  // Where the gap above the contexts is at the height of the card, the line goes straight on: two bends close
  // together would be a jog.
  const bool level = above > card.y + l.px(3) && above < card.bottom() - l.px(3);
  Route straight = level ? Route{{card.right(), above}, {end, above}, {end, context.y - l.px(1)}}
                         : Route{{card.right(), middle},
                                 {lane, middle},
                                 {lane, above},
                                 {end, above},
                                 {end, context.y - l.px(1)}};
  if (is_free(l, ends, straight)) return straight;
  const Route under{{card.right(), middle}, {beside, middle}, {beside, below},           {lane, below},
                    {lane, above},          {end, above},     {end, context.y - l.px(1)}};
  return is_free(l, ends, under) ? under : Route{};
}

Route route_of(const Layouter& l, Ends ends) {
  if (l.request.beside)
    if (Route direct = across(l, ends); !direct.empty()) return direct;
  Route left = around(l, ends, true), right = around(l, ends, false);
  const bool free_left = is_free(l, ends, left), free_right = is_free(l, ends, right);
  if (free_left != free_right) return free_left ? left : right;
  return length(left) <= length(right) ? left : right;
}

}  // namespace

// Of many threads only a few, the acting one always.
void lay_out_arrows(Layouter& l) {
  const auto count = static_cast<int>(l.scene.boxes.size());
  for (int from = 0; from < count; ++from) {
    const Box& card = l.box(from);
    if (card.kind != BoxKind::Card || !card.current) continue;
    const bool acting = card.thread == l.request.acting_thread;
    if (!acting && l.scene.arrows.size() >= kMostArrows) continue;
    const std::uint64_t wanted = make_id(IdSpace::Context, card.context);
    for (int to = from + 1; to < count; ++to) {
      if (l.box(to).id != wanted) continue;
      Arrow arrow;
      arrow.id = card.id, arrow.from = from, arrow.to = to, arrow.acting = acting;
      const Ends ends{from, to};
      const bool comes_down = !l.request.beside || l.box(to).rect.y > card.rect.bottom() + l.px(40);
      if (!comes_down || !is_free(l, ends, curve_between(card.rect, l.box(to).rect, l.request.scale)))
        arrow.route = route_of(l, ends);
      l.scene.arrows.push_back(std::move(arrow));
    }
  }
}

}  // namespace gui::picture
