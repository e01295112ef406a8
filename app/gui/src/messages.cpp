// SPDX-License-Identifier: MIT
// See messages.hpp.
#include "messages.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "popup.hpp"
#include "widgets.hpp"

namespace gui {

using lab::Text;

void Messages::dismiss(lab::Workbench& bench) {
  own_.clear();
  bench.dismiss_problems();
}

// The newest problems, in the reader's language, until dismissed; below the bar, on top of everything.
void Messages::draw(Frame& frame, const Layout& layout) {
  std::vector<const lab::Problem*> shown;
  shown.reserve(own_.size() + frame.bench.problems().size());
  for (const lab::Problem& problem : own_) shown.push_back(&problem);
  for (const lab::Problem& problem : frame.bench.problems()) shown.push_back(&problem);
  const float before = std::exchange(height_, 0.0f);
  if (shown.empty()) {
    if (before > 0) frame.animate();
    return;
  }
  if (shown.size() > 3) shown.erase(shown.begin(), shown.end() - 3);
  const float width = std::min(frame.px(760), layout.bar.w - frame.px(24));
  const ImVec2 at{std::round((layout.bar.w - width) / 2), layout.bar.bottom() + frame.px(10)};
  begin_popup(frame, "problems", at, width, layout.bottom.bottom() - at.y);
  const std::string_view label = frame.text(Text::WindowProblemDismiss);
  // In the editor Esc is its own.
  const ButtonOptions key{.shortcut = frame.selection.editor_focus.now ? "" : "Esc", .size = Size::Small};
  const float button_width = button_size(frame, label, key).x;
  for (const lab::Problem* problem : shown) {
    const ImVec2 from = ImGui::GetCursorScreenPos();
    draw_icon(frame, Icon::Warning, {from.x + frame.px(14), from.y + frame.px(13)}, frame.px(18),
              frame.theme[Role::Bad]);
    const std::string words = problem->in(frame.language);
    const float room = width - frame.px(84) - button_width;
    const float tall = draw_paragraph(frame, {from.x + frame.px(32), from.y + frame.px(4)}, room,
                                      frame.theme[Role::Text], std::string_view(words).substr(0, 4000));
    ImGui::Dummy({1, tall + frame.px(8)});
  }
  const ImVec2 end = ImGui::GetCursorPos();
  ImGui::SetCursorScreenPos({at.x + width - button_width - frame.px(12), at.y + frame.px(10)});
  if (button(frame, "dismiss", label, key)) dismiss(frame.bench);
  ImGui::SetCursorPos({end.x, std::max(end.y, frame.px(40))});
  ImGui::Dummy({1, 1});
  height_ = std::min(ImGui::GetWindowHeight() + frame.px(10), layout.bottom.bottom() * 0.3f);
  if (height_ != before) frame.animate();
  end_popup();
}

}  // namespace gui
