// SPDX-License-Identifier: MIT
// Draws a laid-out page: step cards, boxes, words. Only the visible part is drawn.
#include <algorithm>
#include <cmath>

#include "help_card.hpp"
#include "markdown/page.hpp"
#include "widgets.hpp"

namespace gui::markdown {
namespace {

// Leans the letters that `draw` adds to the list, about their baseline.
template <class DrawLetters>
void slanted(float baseline, DrawLetters draw) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const int first = list.VtxBuffer.Size;
  draw();
  for (int i = first; i < list.VtxBuffer.Size; ++i) {
    ImVec2& at = list.VtxBuffer[i].pos;
    at.x += (baseline - at.y) * 0.2f;
  }
}

bool hovered(const Frame& frame, ImVec2 from, ImVec2 to) {
  return !frame.still && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(from, to);
}

// The button that copies a block of code is shown under the mouse or while the keyboard stands on it; until
// then the block is its place.
constexpr const char* kCopy = "copy";

bool stood_on(const Frame& frame, std::size_t index) {
  if (!frame.selection.stops.here()) return false;
  ImGui::PushID(static_cast<int>(index));
  const ImGuiID id = ImGui::GetID(kCopy);
  ImGui::PopID();
  return frame.selection.stops.is_on(id);
}

void note_copy(const Frame& frame, ImVec2 from, ImVec2 to, std::size_t index) {
  ImGui::PushID(static_cast<int>(index));
  (void)key_stop(frame, kCopy, from, to);
  ImGui::PopID();
}

}  // namespace

void Page::draw_step(const Frame& frame, ImVec2 origin, const Step& step, bool current,
                     bool is_hovered) const {
  const ImVec2 from{origin.x, origin.y + step.top}, to{origin.x + width_, origin.y + step.bottom};
  if (!ImGui::IsRectVisible(from, to)) return;
  const Theme& theme = frame.theme;
  if (current) {
    draw_card(frame, from, to, theme[Role::AccentSoft], theme[Role::Accent], theme.line_width() * 1.3f);
    ImGui::GetWindowDrawList()->AddRectFilled(from, {from.x + frame.px(5), to.y}, theme[Role::Accent],
                                              frame.px(kRounding), ImDrawFlags_RoundCornersLeft);
  } else if (is_hovered) {
    draw_card(frame, from, to, with_alpha(theme[Role::Hover], 0.45f), 0, 0);
  }
  if (!is_hovered || current) return;
  const std::string_view hint = frame.text(lab::Text::NotesJumpHint);
  const float wide = text_size(frame, hint, Face::Ui, Size::Small).x;
  if (wide < width_ - frame.px(110))
    draw_text(frame, {to.x - wide - frame.px(12), from.y + frame.px(9)}, theme[Role::Muted], hint, Face::Ui,
              Size::Small);
}

void Page::draw_shape(Frame& frame, ImVec2 origin, const Shape& shape, std::size_t index) {
  const ImVec2 from{origin.x + shape.x, origin.y + shape.y}, to{from.x + shape.w, from.y + shape.h};
  if (!ImGui::IsRectVisible(from, {to.x, to.y + 1})) {
    if (shape.kind == ShapeKind::Code) note_copy(frame, from, to, index);
    return;
  }
  const Theme& theme = frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float hairline = std::max(1.0f, frame.px(theme.line_width()));
  switch (shape.kind) {
    case ShapeKind::Claim:
      if (frame.places != nullptr)
        (*frame.places)["claim " + std::to_string(index)] = {(from.x + to.x) / 2, (from.y + to.y) / 2};
      draw_card(frame, from, to, theme[Role::CautionSoft], with_alpha(theme[Role::Caution], 0.45f),
                theme.line_width());
      break;
    case ShapeKind::Bar:
      list.AddRectFilled(from, {from.x + frame.px(3), to.y}, theme[Role::LineStrong], frame.px(2));
      break;
    case ShapeKind::Rule:
      list.AddLine(from, {to.x, from.y}, theme[Role::Line], hairline);
      break;
    case ShapeKind::TableHead:
      list.AddRectFilled(from, to, theme[Role::Raised], frame.px(4));
      break;
    case ShapeKind::TableLine:
      list.AddLine({from.x, to.y}, to, theme[Role::Line], hairline);
      break;
    case ShapeKind::Code: {
      draw_card(frame, from, to, theme[Role::Sunken], theme[Role::Line], theme.line_width());
      const bool copied = index == copied_ && frame.time - copied_at_ < 1.5;
      if (copied) frame.animate(1.5 - (frame.time - copied_at_));
      if (!copied && !hovered(frame, from, to) && !stood_on(frame, index)) {
        note_copy(frame, from, to, index);
        break;
      }
      ButtonOptions options;
      options.icon = copied ? Icon::Check : Icon::Copy;
      options.size = Size::Small;
      const std::string_view label = frame.text(copied ? lab::Text::NotesCopied : lab::Text::NotesCopy);
      const ImVec2 size = button_size(frame, label, options);
      const ImVec2 corner{to.x - size.x - frame.px(6), from.y + frame.px(6)};
      ImGui::SetCursorScreenPos(corner);
      ImGui::PushID(static_cast<int>(index));
      if (button(frame, kCopy, label, options)) {
        ImGui::SetClipboardText(shape.code.c_str());
        copied_ = index, copied_at_ = frame.time;
      }
      ImGui::PopID();
      over_control_ = over_control_ || hovered(frame, corner, {corner.x + size.x, corner.y + size.y});
      break;
    }
  }
}

// Behind code in a line.
void Page::draw_ground(const Frame& frame, ImVec2 origin, const Word& word) {
  if (!word.code) return;
  const ImVec2 from{std::round(origin.x + word.x), origin.y + word.y}, to{from.x + word.w, from.y + word.h};
  if (!ImGui::IsRectVisible(from, to)) return;
  const float tall = frame.fonts.height(word.face, word.size) + frame.px(2),
              top = std::round(from.y + (word.h - tall) / 2);
  ImGui::GetWindowDrawList()->AddRectFilled({from.x - frame.px(3), top}, {to.x + frame.px(3), top + tall},
                                            frame.theme[Role::Raised], frame.px(4));
}

void Page::draw_word(Frame& frame, ImVec2 origin, const Word& word) const {
  const ImVec2 from{std::round(origin.x + word.x), origin.y + word.y}, to{from.x + word.w, from.y + word.h};
  if (!ImGui::IsRectVisible(from, to)) return;
  const Theme& theme = frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto letters = [&] {
    draw_text_middle(frame, from.x, from.y, word.h, theme[word.role], word.text, word.face, word.size);
  };
  if (word.oblique)
    slanted(from.y + word.h * 0.68f, letters);
  else
    letters();
  const float line = std::max(1.0f, frame.px(1));
  if (word.struck)
    list.AddLine({from.x, from.y + word.h * 0.52f}, {to.x, from.y + word.h * 0.52f}, theme[word.role], line);
  if (word.term >= 0 && frame.glossary != nullptr) {
    const float dots = std::round(from.y + word.h * 0.88f);
    for (float x = from.x; x < to.x; x += frame.px(4))
      list.AddRectFilled({x, dots}, {std::min(x + frame.px(2), to.x), dots + line}, theme[Role::Muted]);
    if (frame.places != nullptr)
      (*frame.places)["term " + word.text] = {(from.x + to.x) / 2, (from.y + to.y) / 2};
    const auto index = static_cast<std::size_t>(word.term);
    if (hovered(frame, from, to) && index < frame.glossary->terms.size()) {
      const auto language = static_cast<std::size_t>(frame.language);
      const lab::GlossaryTerm& term = frame.glossary->terms[index];
      tooltip_now(frame, term.words[language].front(), term.meaning[language]);
    }
  }
  if (word.face == Face::Mono && hovered(frame, from, to)) help_card_in(frame, word.text, from, word.size);
  if (word.link < 0) return;
  const float under = std::round(from.y + word.h * 0.86f);
  list.AddLine({from.x, under}, {to.x, under}, theme[Role::Accent], line);
  if (!hovered(frame, from, to)) return;
  const std::string& address = links_[static_cast<std::size_t>(word.link)];
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  tooltip_now(frame, "", frame.text(lab::Text::NotesLinkHint, {address}));
  if (ImGui::IsMouseClicked(0)) copy_link(frame, address);
}

void Page::copy_link(const Frame& frame, const std::string& address) {
  ImGui::SetClipboardText(address.c_str());
  frame.post(command::Say{{lab::Text::NotesLinkCopied, {address}}});
}

int Page::note_stops(const Frame& frame, ImVec2 origin) const {
  if (!frame.selection.stops.here()) return -1;
  int pressed = -1;
  for (const Step& step : steps_) {
    const ImVec2 from{origin.x, origin.y + step.top}, to{origin.x + width_, origin.y + step.bottom};
    const std::string id = "step " + std::to_string(step.index);
    if (key_stop(frame, id.c_str(), from, to).pressed) pressed = step.index;
    draw_focus(frame, from, to);
  }
  // A link may be in several words; the first ones, on one line, have the ring.
  for (std::size_t i = 0; i < words_.size();) {
    const Word& first = words_[i];
    std::size_t end = i + 1;
    while (end < words_.size() && first.link >= 0 && words_[end].link == first.link) ++end;
    if (first.link >= 0) {
      const ImVec2 from{origin.x + first.x - frame.px(2), origin.y + first.y};
      ImVec2 to{from.x, from.y + first.h};
      for (std::size_t k = i; k < end; ++k)
        if (words_[k].y == first.y) to.x = origin.x + words_[k].x + words_[k].w + frame.px(2);
      const std::string id = "link " + std::to_string(i);
      if (key_stop(frame, id.c_str(), from, to).pressed)
        copy_link(frame, links_[static_cast<std::size_t>(first.link)]);
      draw_focus(frame, from, to);
    }
    i = end;
  }
  return pressed;
}

Page::Pressed Page::draw(Frame& frame, ImVec2 origin, int current, int hovered_step) {
  over_control_ = false;
  for (const Step& step : steps_)
    draw_step(frame, origin, step, step.index == current, step.index == hovered_step);
  // Quotes were closed after what lies in them, but belong under it.
  for (const bool quotes : {true, false})
    for (std::size_t i = 0; i < shapes_.size(); ++i)
      if ((shapes_[i].kind == ShapeKind::Claim || shapes_[i].kind == ShapeKind::Bar) == quotes)
        draw_shape(frame, origin, shapes_[i], i);
  for (const Word& word : words_) draw_ground(frame, origin, word);
  for (const Mark& mark : marks_) draw_mark(frame, origin, mark);
  for (const Word& word : words_) {
    draw_word(frame, origin, word);
    if (word.link < 0) continue;
    const ImVec2 from{origin.x + word.x, origin.y + word.y};
    over_control_ = over_control_ || hovered(frame, from, {from.x + word.w, from.y + word.h});
  }
  Pressed pressed{note_stops(frame, origin)};
  if (hovered_step >= 0 && !over_control_ && ImGui::IsMouseClicked(0)) pressed.step = hovered_step;
  return pressed;
}

}  // namespace gui::markdown
