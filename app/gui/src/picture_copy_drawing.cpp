// SPDX-License-Identifier: MIT
// The host's memory and the copies from and to it, drawn: part of Drawing (picture_drawing.hpp).
#include <algorithm>
#include <cmath>

#include "picture_drawing.hpp"
#include "picture_host.hpp"
#include "widgets.hpp"

namespace gui::picture {
namespace {

constexpr int kArcPieces = 32;

Point on(const Curve& curve, float t) {
  const float u = 1 - t, a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
  return {a * curve.from.x + b * curve.out.x + c * curve.in.x + d * curve.to.x,
          a * curve.from.y + b * curve.out.y + c * curve.in.y + d * curve.to.y};
}

}  // namespace

// Pinned memory has a frame, registered a dashed one, and the program's own a thin one.
void Drawing::host_memory(const Sprite& sprite, ImVec2 from, ImVec2 to) {
  const Box& box = sprite.box;
  const Theme& theme = frame_.theme;
  const ImU32 fill = with_alpha(theme[under_ >= 0 ? Role::Hover : Role::Raised], sprite.alpha);
  const bool owned = box.context < state_.contexts.size();
  const ImU32 line = with_alpha(box.piece ? theme[Role::Line]
                                : owned   ? colour(box.context).line
                                          : theme[Role::LineStrong],
                                sprite.alpha);
  const float width = theme.line_width() * (box.piece ? 1.0f : 1.5f);
  if (box.memory == lab::MemoryKind::Registered)
    draw_dashed_card(frame_, from, to, fill, line, width);
  else
    draw_card(frame_, from, to, fill, line, width);
  if (box.changed)
    ImGui::GetWindowDrawList()->AddRect(from, to, with_alpha(theme[Role::Accent], sprite.alpha),
                                        frame_.px(kRounding), 0, frame_.px(2));
}

// The part of a bar that a copy reads or writes; what is behind its end is red, with a stroke at the end.
void Drawing::stretch(const Sprite& sprite, ImVec2 from, ImVec2 to) {
  const Box& box = sprite.box;
  const float bar = std::max(frame_.px(2), (to.x - from.x) * box.share);
  const float thick = std::max(1.0f, frame_.px(3)), y = to.y - thick / 2;
  const auto x = [&](float part) { return from.x + bar * part; };
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 line = with_alpha(frame_.theme[Role::Accent], sprite.alpha);
  if (box.copied_from < 1)
    list.AddLine({x(box.copied_from), y},
                 {std::max(x(std::min(box.copied_to, 1.0f)), x(box.copied_from) + 1), y}, line, thick);
  if (box.copied_to <= 1) return;
  const ImU32 bad = with_alpha(frame_.theme[Role::Bad], sprite.alpha);
  // There is always room for a little of it.
  const float end = std::min(std::max(x(box.copied_to), x(1) + frame_.px(6)), to.x + frame_.px(10));
  list.AddLine({x(1), y}, {end, y}, bad, thick);
  list.AddLine({x(1), from.y - frame_.px(2)}, {x(1), to.y + frame_.px(2)}, bad, std::max(1.0f, frame_.px(2)));
}

// A copy that waits is dashed, one that failed ends in a cross; of one that was done a dot moves along it.
void Drawing::copy(const Arrow& arrow, const std::vector<Sprite>& sprites, std::size_t first,
                   float progress) {
  const Box& from = sprites[first + static_cast<std::size_t>(arrow.from)].box;
  const Box& to = sprites[first + static_cast<std::size_t>(arrow.to)].box;
  const CopyArc arc = copy_arc(arrow, from, to, frame_.scale);
  const auto at = [this](Point point) { return ImVec2{origin_.x + point.x, origin_.y + point.y}; };
  const bool failed = arrow.copy == CopyPhase::Failed;
  const bool pending = arrow.copy == CopyPhase::Waits || arrow.copy == CopyPhase::Runs;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Theme& theme = frame_.theme;
  const ImU32 line = theme[failed ? Role::Bad : pending ? Role::Muted : Role::Accent];
  const float width = std::max(1.0f, frame_.px(2));
  for (int i = 0; i < kArcPieces; ++i)
    if (!pending || i % 2 == 0)
      list.AddLine(at(on(arc.curve, static_cast<float>(i) / kArcPieces)),
                   at(on(arc.curve, static_cast<float>(i + 1) / kArcPieces)), line, width);
  const Point before = on(arc.curve, 0.96f), last = arc.curve.to;
  const float sign = last.x >= before.x ? 1.0f : -1.0f, head = frame_.px(7);
  const ImVec2 end = at(last);
  if (failed) {
    const ImVec2 middle{end.x - sign * head, end.y};
    const float arm = frame_.px(4);
    list.AddLine({middle.x - arm, middle.y - arm}, {middle.x + arm, middle.y + arm}, line, width);
    list.AddLine({middle.x - arm, middle.y + arm}, {middle.x + arm, middle.y - arm}, line, width);
  } else {
    list.AddTriangleFilled({end.x - sign * head, end.y - head * 0.6f}, end,
                           {end.x - sign * head, end.y + head * 0.6f}, line);
  }
  if (arrow.copy == CopyPhase::Runs)
    list.AddCircleFilled(at(on(arc.curve, 0.5f)), frame_.px(4), line, 16);
  else if (arrow.copy == CopyPhase::Moves && progress < 1)
    list.AddCircleFilled(at(on(arc.curve, std::clamp(progress, 0.0f, 1.0f))), frame_.px(5), line, 16);
  if (arrow.words.empty()) return;
  const ImVec2 size = text_size(frame_, arrow.words, Face::Bold, Size::Small), middle = at(arc.words);
  const ImVec2 corner{std::round(middle.x - size.x / 2), std::round(middle.y - size.y / 2)};
  const ImVec2 a{corner.x - frame_.px(5), corner.y - frame_.px(1)};
  const ImVec2 b{corner.x + size.x + frame_.px(5), corner.y + size.y + frame_.px(1)};
  list.AddRectFilled(a, b, theme[Role::Panel], frame_.px(4));
  list.AddRect(a, b, line, frame_.px(4), 0, std::max(1.0f, frame_.px(1)));
  draw_text(frame_, corner, theme[failed ? Role::Bad : Role::Text], arrow.words, Face::Bold, Size::Small);
}

}  // namespace gui::picture
