// SPDX-License-Identifier: MIT
// See failure_card.hpp. The reason is looked up once for each call that the cursor rests on.
#include "failure_card.hpp"

#include <algorithm>

#include "help_card.hpp"
#include "imgui_compat.hpp"
#include "lab/explain.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

constexpr float kPad = 10, kAbove = 6;  // at 100 %

// The sentences mark names with back quotes, for notes and terminals; a card has no use for them.
std::string without_marks(std::string text) {
  std::erase(text, '`');
  return text;
}

}  // namespace

float FailureCard::measure(const Frame& frame, float width, float most) {
  const std::size_t calls = frame.bench.call_at_cursor();
  const trace::Store& store = frame.bench.store();
  if (calls == 0 || calls > store.calls()) return 0;
  const std::size_t event = store.event_of_call(calls - 1);
  const std::size_t moments = std::min(frame.bench.model().moments(), event + 1);
  // Whether it never returned, and what ended the program in it, is known at the end.
  const bool over = frame.bench.end().has_value();
  const Of of{frame.run, event, moments, over, frame.language, width, frame.scale};
  if (of_ != of) {
    of_ = of;
    words_.clear();
    link_.clear();
    lines_.clear();
    cause_.reset();
    expected_ = frame.bench.expected_failure(event);
    if (const auto why = lab::explain(frame.bench.model_of(event), store, event)) {
      words_ = without_marks(why->sentence.in(frame.language));
      cause_ = why->event;
      if (cause_) link_ = frame.text(Text::CallsGoToCause, {std::to_string(store.calls_before(*cause_) + 1)});
      const float link = link_.empty() ? 0 : text_size(frame, link_, Face::Bold).x + frame.px(2 * kPad);
      lines_ = markdown::wrap(words_, std::max(frame.px(60), width - link - frame.px(3 * kPad + 16)),
                              [&frame](std::string_view part) { return text_size(frame, part).x; });
    }
  }
  if (lines_.empty()) return 0;
  const float line = frame.fonts.height(Face::Ui, Size::Body);
  const float height = line * static_cast<float>(lines_.size()) + frame.px(2 * kPad - 4 + kAbove);
  return height > most ? 0 : height;
}

void FailureCard::draw(Frame& frame, float width) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float line = frame.fonts.height(Face::Ui, Size::Body), pad = frame.px(kPad);
  const float height = line * static_cast<float>(lines_.size()) + frame.px(2 * kPad - 4);
  const ImVec2 to{from.x + width, from.y + height};
  // With Ctrl a click is for the word under the mouse.
  const bool pressed = pressable(frame, "why", {width, height}) && !compat::ctrl_held();
  const bool under_mouse = ImGui::IsItemHovered() && !frame.still, hovered = under_mouse && cause_;
  const Role mood = expected_ ? Role::Caution : Role::Bad;
  draw_card(frame, from, to, frame.theme[expected_ ? Role::CautionSoft : Role::BadSoft],
            hovered ? frame.theme[mood] : 0);
  draw_focus(frame, from, to);
  draw_icon(frame, expected_ ? Icon::Check : Icon::Warning,
            {from.x + pad + frame.px(7), from.y + pad + line / 2 - frame.px(2)}, frame.px(14),
            frame.theme[mood]);
  float y = from.y + pad - frame.px(2);
  for (const markdown::Line& part : lines_) {
    const std::string_view words = std::string_view(words_).substr(part.begin, part.end - part.begin);
    const ImVec2 at{from.x + 2 * pad + frame.px(16), std::round(y)};
    draw_text(frame, at, frame.theme[Role::Text], words);
    if (const float mouse = ImGui::GetIO().MousePos.y; under_mouse && mouse >= at.y && mouse < at.y + line)
      help_card_in(frame, words, at, Size::Body, Face::Ui);
    y += line;
  }
  if (!link_.empty()) {
    const float room = text_size(frame, link_, Face::Bold).x;
    draw_text(frame, {to.x - pad - room, from.y + pad - frame.px(2)}, frame.theme[Role::Accent], link_,
              Face::Bold);
  }
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (pressed && cause_) frame.bench.jump_to_call(frame.bench.store().calls_before(*cause_));
}

}  // namespace gui
