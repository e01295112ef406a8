// SPDX-License-Identifier: MIT
// See picture_drawing.hpp. Only visible boxes are drawn, so that ten thousand boxes take no more time than
// fifty.
#include "picture_drawing.hpp"

#include <algorithm>
#include <cmath>

#include "widgets.hpp"

namespace gui::picture {

// Worked out once a frame for each context: thousands of spans of a ribbon ask for the same few.
ContextColour Drawing::colour(std::uint32_t context) const {
  if (context >= state_.contexts.size()) return frame_.theme.context("");
  if (colours_.size() <= context) colours_.resize(state_.contexts.size());
  std::optional<ContextColour>& known = colours_[context];
  if (!known) known = frame_.theme.context(state_.contexts[context].name);
  return *known;
}

// The same context is under the mouse somewhere: in this panel or another.
bool Drawing::lit(const Box& box) const {
  const std::string& hovered = frame_.selection.previous.context;
  return !hovered.empty() && box.context < state_.contexts.size() &&
         state_.contexts[box.context].name == hovered;
}

ImU32 Drawing::ink(const Box& box, const Label& label) const {
  const Theme& theme = frame_.theme;
  switch (label.ink) {
    case Ink::Muted:
      return theme[Role::Muted];
    case Ink::Context:
      return mix(colour(box.context).text, theme[Role::Muted], box.dead);
    case Ink::OnContext:
      return colour(box.context).on_line;
    case Ink::Bad:
      return theme[Role::Bad];
    case Ink::Good:
      return theme[Role::Good];
    case Ink::Caution:
      return theme[Role::Caution];
    case Ink::Text:
      break;
  }
  return theme[Role::Text];
}

void Drawing::labels(const Sprite& sprite) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Box& box = sprite.box;
  for (const Label& label : box.labels) {
    const ImVec2 at{std::round(origin_.x + box.rect.x + label.at.x),
                    std::round(origin_.y + box.rect.y + label.at.y)};
    const ImVec2 to{at.x + label.at.w, at.y + label.at.h};
    const ImU32 colour_of_words = with_alpha(ink(box, label), sprite.alpha);
    if (label.shape == LabelShape::Plain) {
      draw_text(frame_, at, colour_of_words, label.text, label.face, label.size);
    } else {
      const ContextColour own = colour(box.context);
      const float radius = label.at.h / 2;
      if (label.shape == LabelShape::FilledPill)
        list.AddRectFilled(
            at, to, with_alpha(mix(own.line, frame_.theme[Role::Muted], box.dead), sprite.alpha), radius);
      else
        list.AddRect(at, to, colour_of_words, radius, 0, frame_.px(frame_.theme.line_width()));
      const ImVec2 size = text_size(frame_, label.text, label.face, label.size);
      draw_text(frame_,
                {std::round(at.x + (label.at.w - size.x) / 2), std::round(at.y + (label.at.h - size.y) / 2)},
                colour_of_words, label.text, label.face, label.size);
    }
    if (label.struck) {
      const float y = std::round(at.y + label.at.h * 0.54f);
      list.AddLine({at.x - frame_.px(2), y}, {to.x + frame_.px(2), y}, colour_of_words,
                   std::max(1.0f, frame_.px(2)));
    }
  }
}

// A soft ring around what this step changed.
void Drawing::glow(ImVec2 from, ImVec2 to, ImU32 ring, float alpha) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (int i = 3; i > 0; --i) {
    const float out = frame_.px(static_cast<float>(i) * 1.5f + 0.5f);
    list.AddRect({from.x - out, from.y - out}, {to.x + out, to.y + out},
                 with_alpha(ring, alpha * 0.11f * static_cast<float>(4 - i)), frame_.px(kRounding) + out, 0,
                 frame_.px(2));
  }
}

void Drawing::card(const Sprite& sprite, ImVec2 from, ImVec2 to) {
  const Box& box = sprite.box;
  const Theme& theme = frame_.theme;
  const ContextColour own = colour(box.context);
  const ImU32 line = with_alpha(mix(own.line, theme[Role::Muted], box.dead), sprite.alpha);
  const ImU32 fill = with_alpha(lit(box) ? theme[Role::Hover] : theme[Role::Raised], sprite.alpha);
  const float width = box.current ? theme.strong_width() : theme.line_width();
  if (box.changed && box.current) glow(from, to, own.line, sprite.alpha);
  if (box.primary)
    draw_dashed_card(frame_, from, to, fill, line, width);
  else
    draw_card(frame_, from, to, fill, line, width);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(from, {from.x + frame_.px(8), to.y}, line, frame_.px(kRounding),
                     ImDrawFlags_RoundCornersLeft);
}

void Drawing::stack(const Sprite& sprite, ImVec2 from, ImVec2 to) {
  const Theme& theme = frame_.theme;
  if (sprite.box.empty)
    draw_dashed_card(frame_, from, to, with_alpha(theme[Role::Sunken], sprite.alpha),
                     with_alpha(theme[Role::Line], sprite.alpha), theme.line_width());
  else
    draw_card(frame_, from, to, with_alpha(theme[Role::Sunken], sprite.alpha),
              with_alpha(theme[Role::Line], sprite.alpha), theme.line_width());
}

void Drawing::context(const Sprite& sprite, ImVec2 from, ImVec2 to) {
  const Box& box = sprite.box;
  const Theme& theme = frame_.theme;
  const ContextColour own = colour(box.context);
  // A destroyed one is a grey outline; a floating one keeps its colour, drawn thin over a paler ground.
  ImU32 line = mix(own.line, theme[Role::LineStrong], box.destroyed ? box.dead : box.dead * 0.6f);
  ImU32 fill = mix(theme[Role::Raised], theme[Role::Panel], box.destroyed ? box.dead : 0.0f);
  if (box.floating) fill = mix(fill, theme[Role::Sunken], 0.6f);
  if (lit(box)) fill = mix(fill, theme[Role::Hover], 0.7f);
  const float width = box.current ? theme.strong_width() : theme.line_width() * (box.destroyed ? 1.0f : 1.5f);
  if (box.changed) glow(from, to, own.line, sprite.alpha);
  line = with_alpha(line, sprite.alpha), fill = with_alpha(fill, sprite.alpha);
  if (box.primary)
    draw_dashed_card(frame_, from, to, fill, line, width);
  else
    draw_card(frame_, from, to, fill, line, width);
}

void Drawing::allocation(const Sprite& sprite, ImVec2 from, ImVec2 to) {
  const Box& box = sprite.box;
  const ContextColour own = colour(box.context);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (box.piece) {  // on a track, beside others
    const ImU32 edge = with_alpha(frame_.theme[box.changed ? Role::Accent : Role::LineStrong], sprite.alpha);
    const float inset = to.x - from.x > frame_.px(4) ? 1.0f : 0.0f;
    list.AddRectFilled(from, {to.x - inset, to.y}, with_alpha(frame_.theme[Role::Raised], sprite.alpha),
                       frame_.px(2));
    list.AddRect(from, {to.x - inset, to.y}, edge, frame_.px(2), 0, std::max(1.0f, frame_.px(1.2f)));
    return;
  }
  const float rounding = frame_.px(4);
  const ImVec2 end{from.x + std::max(frame_.px(2), (to.x - from.x) * box.share), to.y};
  const ImU32 fill = with_alpha(mix(own.fill, own.line, 0.18f), sprite.alpha),
              line = with_alpha(own.line, sprite.alpha);
  const float thin = std::max(1.0f, frame_.px(1.2f));
  switch (box.memory) {
    case lab::MemoryKind::Device:
    case lab::MemoryKind::Pooled:
    case lab::MemoryKind::Mapped:
    case lab::MemoryKind::Imported:
      list.AddRectFilled(from, end, fill, rounding);
      break;
    case lab::MemoryKind::Managed:  // two tones: it lives on both sides
      list.AddRectFilled(from, end, with_alpha(fill, 0.45f), rounding);
      list.AddRectFilled({from.x, (from.y + end.y) / 2}, end, fill, rounding, ImDrawFlags_RoundCornersBottom);
      list.AddRect(from, end, line, rounding, 0, thin);
      break;
    case lab::MemoryKind::Host:
      list.AddRect(from, end, line, rounding, 0, thin);
      break;
    case lab::MemoryKind::Registered:
      draw_dashed_card(frame_, from, end, 0, line, thin / std::max(frame_.scale, 0.1f));
      break;
  }
  if (box.share_before > 0)
    draw_dashed_card(frame_, from, {from.x + (to.x - from.x) * box.share_before, to.y}, 0,
                     with_alpha(frame_.theme[Role::Muted], sprite.alpha), frame_.theme.line_width());
  // Made or written by this step.
  if (box.changed) list.AddRect(from, end, line, rounding, 0, std::max(1.0f, frame_.px(2)));
}

// An outline and no more: what there is now is filled.
void Drawing::ghost(const Sprite& sprite, ImVec2 from, ImVec2 to) {
  const float share = sprite.box.share;
  if (share <= 0) return;
  to.x = from.x + std::max(frame_.px(2), (to.x - from.x) * share);
  draw_dashed_card(frame_, from, to, 0, with_alpha(frame_.theme[Role::Muted], 0.7f * sprite.alpha),
                   frame_.theme.line_width());
}

// Modules and libraries frame what lies in them; streams are round, variables have corners and a mark.
void Drawing::object(const Sprite& sprite, ImVec2 from, ImVec2 to) {
  const Box& box = sprite.box;
  const Theme& theme = frame_.theme;
  const bool owned = box.context < state_.contexts.size();
  const ImU32 own_line = owned ? colour(box.context).line : theme[Role::LineStrong];
  const ImU32 under = under_ >= 0 ? theme[Role::Hover] : theme[Role::Panel];
  const ImU32 fill = with_alpha(under, sprite.alpha), line = with_alpha(own_line, sprite.alpha);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float thin = std::max(1.0f, frame_.px(1.2f));
  const bool selected = selected_ && box.object == selected_;
  const float width = selected || box.changed ? std::max(1.0f, frame_.px(2)) : thin;
  if (box.framed || box.object.kind == lab::ObjectKind::GreenContext) {
    const bool own = box.object.kind == lab::ObjectKind::GreenContext;
    return draw_card(frame_, from, to, fill, own ? with_alpha(green(box.object).line, sprite.alpha) : line,
                     width / std::max(frame_.scale, 0.1f));
  }
  if (box.kind == BoxKind::Lane) return lane(box, from, to, fill, line, width);
  switch (box.object.kind) {
    case lab::ObjectKind::Module:
    case lab::ObjectKind::Library:
      draw_card(frame_, from, to, fill, line, width / std::max(frame_.scale, 0.1f));
      break;
    case lab::ObjectKind::Stream:
      lane(box, from, to, fill, line, width);
      break;
    case lab::ObjectKind::Event:
      list.AddRectFilled(from, to, fill, frame_.px(6));
      list.AddRect(from, to, line, frame_.px(6), 0, width);
      break;
    case lab::ObjectKind::Global:
    case lab::ObjectKind::ManagedVariable:
      list.AddRectFilled(from, to, fill);
      list.AddRect(from, to, line, 0, 0, width);
      list.AddRectFilled(from, {from.x + frame_.px(3), to.y}, line);
      break;
    default:
      list.AddRectFilled(from, to, fill, frame_.px(4));
      list.AddRect(from, to, with_alpha(line, 0.6f), frame_.px(4), 0, width);
      break;
  }
}

// What each kind of work looks like: what computes is solid, what moves memory is a box or an arrow, and what
// waits is two bars, so that nothing depends on colour alone.
void Drawing::work(const Sprite& sprite, ImVec2 from, ImVec2 to) {
  const Box& box = sprite.box;
  const Theme& theme = frame_.theme;
  const bool owned = box.context < state_.contexts.size();
  const bool waits = box.work == lab::WorkKind::Wait || box.work == lab::WorkKind::WaitValue;
  const ImU32 colour_of_kind = waits   ? theme[Role::Text]
                               : owned ? colour(box.context).line
                                       : theme[Role::Text];
  const ImU32 ink = with_alpha(colour_of_kind, sprite.alpha);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float tall = to.y - from.y, half = std::round(tall * 0.34f), thin = std::max(1.0f, frame_.px(1.6f));
  const ImVec2 at{std::round(from.x + tall / 2), std::round((from.y + to.y) / 2)};
  if (box.changed || under_ >= 0)
    list.AddRectFilled(from, to,
                       with_alpha(theme[box.changed ? Role::AccentSoft : Role::Hover], sprite.alpha),
                       frame_.px(4));
  const auto line = [&](float x1, float y1, float x2, float y2) {
    list.AddLine({at.x + x1, at.y + y1}, {at.x + x2, at.y + y2}, ink, thin);
  };
  const auto frame = [&](float size, bool filled) {
    const ImVec2 a{at.x - size, at.y - size}, b{at.x + size, at.y + size};
    if (filled)
      list.AddRectFilled(a, b, ink, frame_.px(1));
    else
      list.AddRect(a, b, ink, frame_.px(1), 0, thin);
  };
  switch (box.work) {
    case lab::WorkKind::Kernel:
      list.AddTriangleFilled({at.x - half * 0.8f, at.y - half}, {at.x + half, at.y},
                             {at.x - half * 0.8f, at.y + half}, ink);
      break;
    case lab::WorkKind::Copy:
      line(-half, 0, half, 0);
      line(half - half * 0.7f, -half * 0.7f, half, 0);
      line(half - half * 0.7f, half * 0.7f, half, 0);
      break;
    case lab::WorkKind::Fill:
      frame(half * 0.85f, true);
      break;
    case lab::WorkKind::Host:
      list.AddCircle(at, half, ink, 16, thin);
      break;
    case lab::WorkKind::Allocate:
    case lab::WorkKind::Free:
      frame(half, false);
      line(-half * 0.5f, 0, half * 0.5f, 0);
      if (box.work == lab::WorkKind::Allocate) line(0, -half * 0.5f, 0, half * 0.5f);
      break;
    case lab::WorkKind::Graph:
      line(-half * 0.8f, 0, half * 0.7f, -half * 0.7f);
      line(-half * 0.8f, 0, half * 0.7f, half * 0.7f);
      for (const ImVec2 dot : {ImVec2{-0.8f, 0}, ImVec2{0.7f, -0.7f}, ImVec2{0.7f, 0.7f}})
        list.AddCircleFilled({at.x + dot.x * half, at.y + dot.y * half}, half * 0.4f, ink, 10);
      break;
    case lab::WorkKind::Record: {  // a point
      const float wide = half * 0.9f;
      list.AddQuadFilled({at.x, at.y - wide}, {at.x + wide, at.y}, {at.x, at.y + wide}, {at.x - wide, at.y},
                         ink);
      break;
    }
    case lab::WorkKind::Wait:
    case lab::WorkKind::WaitValue:
      for (const float x : {-half * 0.75f, half * 0.15f})
        list.AddRectFilled({at.x + x, at.y - half}, {at.x + x + half * 0.6f, at.y + half}, ink);
      break;
    case lab::WorkKind::WriteValue:
      frame(half, false);
      list.AddCircleFilled(at, half * 0.4f, ink, 10);
      break;
    case lab::WorkKind::Other:
      list.AddCircleFilled(at, half * 0.5f, ink, 12);
      break;
  }
}

// A green context has no letter; it takes its colour from the other end of the contexts' colours.
ContextColour Drawing::green(lab::ObjectId green) const {
  return frame_.theme.context(std::string(1, static_cast<char>('G' - (green.number + 6) % 7)));
}

void Drawing::share(const Sprite& sprite, ImVec2 from, ImVec2 to) {
  const Box& box = sprite.box;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 line = box.object ? green(box.object).line : frame_.theme[Role::Line];
  const ImU32 fill = box.object ? green(box.object).fill : frame_.theme[Role::Panel];
  list.AddRectFilled(from, {to.x - 1, to.y}, with_alpha(fill, sprite.alpha), frame_.px(2));
  list.AddRect(from, {to.x - 1, to.y}, with_alpha(line, sprite.alpha), frame_.px(2), 0,
               std::max(1.0f, frame_.px(1.2f)));
}

// From node to node: out at the right, in at the left.
void Drawing::edge(const Arrow& arrow, const std::vector<Sprite>& sprites, std::size_t first, float alpha) {
  const Rect& a = sprites[first + static_cast<std::size_t>(arrow.from)].box.rect;
  const Rect& b = sprites[first + static_cast<std::size_t>(arrow.to)].box.rect;
  const ImVec2 from{origin_.x + a.right(), origin_.y + a.y + a.h / 2},
      to{origin_.x + b.x, origin_.y + b.y + b.h / 2};
  const float reach = std::max(frame_.px(4), (to.x - from.x) / 2), head = frame_.px(4);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 line = with_alpha(frame_.theme[Role::Muted], alpha);
  list.AddBezierCubic(from, {from.x + reach, from.y}, {to.x - reach, to.y}, {to.x - head, to.y}, line,
                      std::max(1.0f, frame_.px(1.2f)));
  list.AddTriangleFilled({to.x - head, to.y - head * 0.7f}, to, {to.x - head, to.y + head * 0.7f}, line);
}

// From physical memory, below, to the piece: both may be wide, so the line is between their middles.
void Drawing::mapping(const Arrow& arrow, const std::vector<Sprite>& sprites, std::size_t first,
                      float alpha) {
  const Rect& memory = sprites[first + static_cast<std::size_t>(arrow.from)].box.rect;
  const Rect& piece = sprites[first + static_cast<std::size_t>(arrow.to)].box.rect;
  const bool below = memory.y > piece.y;
  const ImVec2 from{origin_.x + memory.x + memory.w / 2, origin_.y + (below ? memory.y : memory.bottom())};
  const ImVec2 to{origin_.x + piece.x + piece.w / 2, origin_.y + (below ? piece.bottom() : piece.y)};
  const float reach = (to.y - from.y) / 2;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 line = with_alpha(frame_.theme[Role::LineStrong], alpha);
  list.AddBezierCubic(from, {from.x, from.y + reach}, {to.x, to.y - reach}, to, line,
                      std::max(1.0f, frame_.px(1.4f)));
  for (const ImVec2 end : {from, to}) list.AddCircleFilled(end, frame_.px(2.5f), line, 10);
}

// From the mark that waits to the point of the event: out of the side of the lane that is nearer.
void Drawing::wait_arrow(const Arrow& arrow, const std::vector<Sprite>& sprites, std::size_t first,
                         float alpha) {
  const Rect& wait = sprites[first + static_cast<std::size_t>(arrow.from)].box.rect;
  const Rect& record = sprites[first + static_cast<std::size_t>(arrow.to)].box.rect;
  const bool up = record.y < wait.y;
  const auto middle = [&](const Rect& rect) { return origin_.x + rect.x + rect.h / 2; };  // of its shape
  const ImVec2 a{middle(wait), origin_.y + (up ? wait.y : wait.bottom())};
  const ImVec2 b{middle(record), origin_.y + (up ? record.bottom() : record.y)};
  const float reach = std::max(frame_.px(8), std::abs(b.y - a.y) * 0.5f) * (up ? -1.0f : 1.0f);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 line = with_alpha(frame_.theme[Role::Text], alpha);
  list.AddBezierCubic(a, {a.x, a.y + reach}, {b.x, b.y - reach}, b, line, std::max(1.0f, frame_.px(1.4f)));
  const float head = frame_.px(5) * (up ? -1.0f : 1.0f);
  list.AddTriangleFilled({b.x - frame_.px(3.5f), b.y - head}, b, {b.x + frame_.px(3.5f), b.y - head}, line);
}

void Drawing::lane(const Box& box, ImVec2 from, ImVec2 to, ImU32 fill, ImU32 line, float width) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float radius = (to.y - from.y) / 2;
  list.AddRectFilled(from, to, fill, radius);
  if (box.kind == BoxKind::Lane)  // the driver's own
    draw_dashed_card(frame_, from, to, 0, line, width / std::max(frame_.scale, 0.1f));
  else
    list.AddRect(from, to, line, radius, 0, width);
}

void Drawing::ribbon_span(const Sprite& sprite, ImVec2 from, ImVec2 to) {
  const Box& box = sprite.box;
  const ContextColour own = colour(box.context);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 fill = box.changed ? own.line : mix(own.fill, own.line, 0.55f);
  const float inset = to.x - from.x > frame_.px(4) ? 1.0f : 0.0f;
  list.AddRectFilled(from, {to.x - inset, to.y}, with_alpha(fill, sprite.alpha), frame_.px(2));
  if (box.share > 0) return;
  // The cut before it: two short strokes across the track.
  const ImU32 stroke = with_alpha(frame_.theme[Role::Muted], sprite.alpha);
  for (const float shift : {5.0f, 8.0f})
    list.AddLine({from.x - frame_.px(shift) - frame_.px(1), to.y},
                 {from.x - frame_.px(shift) + frame_.px(2), from.y}, stroke, std::max(1.0f, frame_.px(1)));
}

void Drawing::sprite(const Sprite& sprite) {
  const Box& box = sprite.box;
  const Theme& theme = frame_.theme;
  const ImVec2 from{origin_.x + box.rect.x, origin_.y + box.rect.y};
  const ImVec2 to{from.x + box.rect.w, from.y + box.rect.h};
  const float out = frame_.px(40);
  if (to.x < visible_from_.x || from.x > visible_to_.x || to.y + out < visible_from_.y ||
      from.y - out > visible_to_.y)
    return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  switch (box.kind) {
    case BoxKind::Step:
      draw_card(frame_, from, to, with_alpha(theme[box.failed ? Role::BadSoft : Role::Raised], sprite.alpha),
                with_alpha(theme[box.failed ? Role::Bad : Role::Line], sprite.alpha), theme.line_width());
      break;
    case BoxKind::Thread:
      if (box.acting)
        list.AddCircleFilled({from.x + frame_.px(7), from.y + frame_.px(13)}, frame_.px(4),
                             theme[Role::Accent], 16);
      break;
    case BoxKind::Stack:
      stack(sprite, from, to);
      break;
    case BoxKind::Panel:
      draw_card(frame_, from, to, theme[Role::Sunken], theme[Role::Line], theme.line_width());
      break;
    case BoxKind::Card:
      card(sprite, from, to);
      break;
    case BoxKind::Context:
      context(sprite, from, to);
      break;
    case BoxKind::Allocation:
      allocation(sprite, from, to);
      if (box.copied_to > 0) stretch(sprite, from, to);
      break;
    case BoxKind::HostMemory:
      host_memory(sprite, from, to);
      break;
    case BoxKind::Ribbon:
      list.AddRectFilled(from, to, with_alpha(theme[Role::Sunken], sprite.alpha), frame_.px(2));
      break;
    case BoxKind::RibbonSpan:
      ribbon_span(sprite, from, to);
      break;
    case BoxKind::Object:
    case BoxKind::Lane:
      object(sprite, from, to);
      break;
    case BoxKind::Shares:
      break;
    case BoxKind::Share:
      share(sprite, from, to);
      break;
    case BoxKind::Work:
      if (!box.more) work(sprite, from, to);
      break;
    case BoxKind::Ghost:
      ghost(sprite, from, to);
      break;
    case BoxKind::Since:
      draw_card(frame_, from, to, with_alpha(theme[Role::AccentSoft], sprite.alpha),
                with_alpha(theme[Role::Accent], sprite.alpha), theme.line_width());
      break;
    case BoxKind::Process:
    case BoxKind::Note:
      draw_dashed_card(frame_, from, to, 0, theme[Role::Line], theme.line_width());
      break;
    case BoxKind::Fold:
    case BoxKind::EndedThreads:
      draw_card(frame_, from, to, under_ >= 0 ? theme[Role::Hover] : theme[Role::Raised], 0, 0);
      break;
    case BoxKind::Device:
      break;
  }
  labels(sprite);
  marks(sprite, from, to);
}

bool Drawing::stood_on(lab::ObjectId object) const {
  return frame_.selection.stops.here() &&
         frame_.selection.stops.is_on(ImGui::GetID(stop_name(object).c_str()));
}

// What differs from the pinned moment has a sign at its left corner, what the run before did not have one at
// its right corner; what is selected or was found, a ring.
void Drawing::marks(const Sprite& sprite, ImVec2 from, ImVec2 to) {
  const Box& box = sprite.box;
  if (box.kind == BoxKind::RibbonSpan || box.kind == BoxKind::Work || box.kind == BoxKind::Share ||
      box.kind == BoxKind::Thread || box.kind == BoxKind::Stack)
    return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Theme& theme = frame_.theme;
  const lab::ObjectId id = object_of(box);
  // Where the keyboard is elsewhere, the ring there is the only one in its colour; where it stands on this,
  // it has its own.
  const bool keys = !frame_.selection.focus.empty();
  if (id && (id == selected_ || id == found_) && !(keys && stood_on(id))) {
    const float out = frame_.px(2);
    list.AddRect({from.x - out, from.y - out}, {to.x + out, to.y + out},
                 with_alpha(theme[keys && id == selected_ ? Role::Muted : Role::Accent], sprite.alpha),
                 frame_.px(kRounding), 0, frame_.px(2));
  }
  if (box.fresh) {
    const ImVec2 corner{to.x - frame_.px(1), from.y + frame_.px(1)};
    const float arm = frame_.px(3);
    const ImU32 ink = with_alpha(theme[Role::Text], sprite.alpha);
    list.AddCircleFilled(corner, frame_.px(6.5f), with_alpha(theme[Role::Panel], sprite.alpha), 20);
    list.AddCircle(corner, frame_.px(6.5f), ink, 20, std::max(1.0f, frame_.px(1.2f)));
    list.AddLine({corner.x - arm, corner.y}, {corner.x + arm, corner.y}, ink, frame_.px(1.5f));
    list.AddLine({corner.x, corner.y - arm}, {corner.x, corner.y + arm}, ink, frame_.px(1.5f));
  }
  if (box.since == Box::Since::Same) return;
  const bool created = box.since == Box::Since::Created;
  const ImVec2 at{from.x + frame_.px(1), from.y + frame_.px(1)};
  const float radius = frame_.px(7), arm = frame_.px(4);
  list.AddCircleFilled(at, radius, with_alpha(theme[created ? Role::Good : Role::Caution], sprite.alpha), 20);
  const ImU32 sign = with_alpha(theme[Role::Panel], sprite.alpha);
  if (!created) return list.AddCircleFilled(at, frame_.px(3), sign, 12);
  list.AddLine({at.x - arm, at.y}, {at.x + arm, at.y}, sign, frame_.px(2));
  list.AddLine({at.x, at.y - arm}, {at.x, at.y + arm}, sign, frame_.px(2));
}

void Drawing::arrow(const Arrow& arrow, const std::vector<Sprite>& sprites, std::size_t first, float alpha) {
  if (arrow.of_edge) return edge(arrow, sprites, first, alpha);
  if (arrow.of_copy) return copy(arrow, sprites, first, alpha);
  if (arrow.of_mapping) return mapping(arrow, sprites, first, alpha);
  if (arrow.of_wait) return wait_arrow(arrow, sprites, first, alpha);
  if (arrow.of_library) return library_arrow(arrow, sprites, first, alpha);
  const Box& target = sprites[first + static_cast<std::size_t>(arrow.to)].box;
  const Rect& card = sprites[first + static_cast<std::size_t>(arrow.from)].box.rect;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 line = with_alpha(mix(colour(target.context).line, frame_.theme[Role::Muted], target.dead),
                                alpha * (arrow.acting ? 1.0f : 0.45f));
  const float width =
      frame_.px(arrow.acting ? frame_.theme.strong_width() * 0.8f : frame_.theme.line_width());
  const auto at = [this](Point point) { return ImVec2{origin_.x + point.x, origin_.y + point.y}; };
  const Curve curve = curve_between(card, target.rect, frame_.scale);
  const bool curved = arrow.route.empty();
  const float head = frame_.px(curved ? 7 : 5);
  list.AddCircleFilled(at(curved ? curve.from : arrow.route.front()), width * 1.4f, line, 12);
  ImVec2 end = at(curved ? Point{curve.to.x, target.rect.y - frame_.px(1)} : arrow.route.back());
  if (curved) {
    list.AddBezierCubic(at(curve.from), at(curve.out), at(curve.in), at(curve.to), line, width);
  } else {
    std::vector<Point> corners = arrow.route;
    corners.back().y -= head * 0.8f;
    rounded_path(corners, frame_.px(6));
    list.PathStroke(line, 0, width);
  }
  list.AddTriangleFilled({end.x - head * 0.62f, end.y - head}, end, {end.x + head * 0.62f, end.y - head},
                         line);
}

// Straight lines whose corners are round; the path is left to be stroked.
void Drawing::rounded_path(const std::vector<Point>& route, float corner) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto at = [&](std::size_t i) { return ImVec2{origin_.x + route[i].x, origin_.y + route[i].y}; };
  // Towards `to` from `from`, at most half of the way.
  const auto on_the_way = [&](ImVec2 from, ImVec2 to) {
    const float length = std::max(0.001f, std::hypot(to.x - from.x, to.y - from.y));
    const float part = std::min(0.5f, corner / length);
    return ImVec2{from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part};
  };
  list.PathLineTo(at(0));
  for (std::size_t i = 1; i + 1 < route.size(); ++i) {
    list.PathLineTo(on_the_way(at(i), at(i - 1)));
    list.PathBezierQuadraticCurveTo(at(i), on_the_way(at(i), at(i + 1)), 6);
  }
  list.PathLineTo(at(route.size() - 1));
}

// A thin line through the gaps from the library to its copy: dots at both ends, so that crossings stay
// readable, and no head, since nothing is current by it.
void Drawing::library_arrow(const Arrow& arrow, const std::vector<Sprite>& sprites, std::size_t first,
                            float alpha) {
  if (arrow.route.size() < 2) return;
  const Box& copy = sprites[first + static_cast<std::size_t>(arrow.to)].box;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 line = with_alpha(colour(copy.context).line, alpha * 0.75f);
  rounded_path(arrow.route, frame_.px(4));
  list.PathStroke(line, 0, frame_.px(frame_.theme.line_width()));
  for (const Point& end : {arrow.route.front(), arrow.route.back()})
    list.AddCircleFilled({origin_.x + end.x, origin_.y + end.y}, frame_.px(3), line, 12);
}

void Drawing::draw(const std::vector<Sprite>& sprites, const Scene& scene, float progress, int under) {
  under_ = -1;
  const std::size_t first = sprites.size() - scene.boxes.size();
  for (std::size_t i = 0; i < sprites.size(); ++i) {
    under_ = under >= 0 && i == first + static_cast<std::size_t>(under) ? under : -1;
    sprite(sprites[i]);
  }
  for (const Arrow& each : scene.arrows) arrow(each, sprites, first, progress);
}

}  // namespace gui::picture
