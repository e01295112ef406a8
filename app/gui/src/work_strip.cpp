// SPDX-License-Identifier: MIT
// The strip that shows long work, with a button to cancel it.
#include <algorithm>
#include <cmath>

#include "notices.hpp"
#include "popup.hpp"
#include "widgets.hpp"

namespace gui {

using lab::Text;

// At the foot of the window, above everything, while it lasts; it takes neither keys nor the mouse beside it.
void draw_work(Frame& frame, const Layout& layout) {
  const std::optional<lab::Workbench::Work> work = frame.bench.work();
  if (frame.watched != nullptr) frame.watched->working = work.has_value();
  // Short work is not said; what lasts has to be noticed although nothing else asks for a frame.
  if (!work && !frame.still && (frame.bench.phase() == lab::RunPhase::Building || frame.bench.loading()))
    frame.animate(0.1);
  if (!work || frame.still) return;
  frame.animate(0.05);
  const std::string words = work->words.in(frame.language);
  const std::string_view cancel = frame.text(Text::WorkCancel);
  const ButtonOptions small{.size = Size::Small};
  const ImVec2 size = button_size(frame, cancel, small);
  const float bar = frame.px(120);
  const float width = std::min(text_size(frame, words).x + bar + size.x + frame.px(76),
                               std::max(frame.px(200), layout.bar.w - frame.px(24)));
  const float height = frame.px(46);
  const ImVec2 at{std::round((layout.bar.w - width) / 2), layout.bottom.bottom() - height - frame.px(10)};
  begin_popup(frame, "work", at, width, height + frame.px(8));
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float tall = frame.px(26), end = at.x + width - frame.px(10);
  draw_text_middle(frame, from.x + frame.px(6), from.y, tall, frame.theme[Role::Text], words, Face::Ui,
                   Size::Body, end - size.x - bar - frame.px(26) - from.x);
  const float left = end - size.x - frame.px(14) - bar, y = from.y + tall / 2 - frame.px(3);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({left, y}, {left + bar, y + frame.px(6)}, frame.theme[Role::Sunken], frame.px(3));
  // For work whose length is not known, a piece of the bar moves to and fro.
  const auto wave = static_cast<float>(std::abs(std::fmod(frame.time, 2.0) - 1.0));
  const float begins = work->part < 0 ? wave * 0.7f : 0;
  const float ends = work->part < 0 ? begins + 0.3f : static_cast<float>(work->part);
  list.AddRectFilled({left + bar * begins, y}, {left + bar * ends, y + frame.px(6)},
                     frame.theme[Role::Accent], frame.px(3));
  ImGui::SetCursorScreenPos({end - size.x, from.y});
  if (button(frame, "cancel work", cancel, small)) frame.bench.cancel_work();
  end_popup();
}

}  // namespace gui
