// SPDX-License-Identifier: MIT
// See notices.hpp.
#include "notices.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "popup.hpp"
#include "widgets.hpp"

namespace gui {

using lab::Text;

void Notices::say(lab::Problem notice, lab::Language language) {
  // What is said again replaces what was said.
  std::erase_if(said_, [&](const lab::Problem& each) { return each.in(language) == notice.in(language); });
  said_.push_back(std::move(notice));
  since_ = -1;
}

// The verdict is a page of its own, which may be behind another one when it comes.
void Notices::follow(const lab::Workbench& bench, bool exercise_drawn) {
  const bool verdict = bench.verdict() != nullptr;
  if (!std::exchange(verdict_seen_, verdict) && verdict && !exercise_drawn) {
    verdict_untold_ = true;
    since_ = -1;
  }
  if (!verdict || exercise_drawn) verdict_untold_ = false;
}

void Notices::add_text(Fonts& fonts, lab::Language language) const {
  for (const lab::Problem& notice : said_) fonts.add_text(notice.in(language));
}

// The verdict of a check, with the first thing that did not hold, and the way to the page with the others.
void Notices::draw_verdict(Frame& frame, float width) {
  const lab::Verdict& verdict = *frame.bench.verdict();
  const bool passed = verdict.passed();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float left = from.x + frame.px(32), room = width - frame.px(64);
  draw_icon(frame, passed ? Icon::Check : Icon::Cross, {from.x + frame.px(14), from.y + frame.px(13)},
            frame.px(18), frame.theme[passed ? Role::Good : Role::Bad]);
  float y = from.y + frame.px(4);
  const std::string words = frame.text(passed ? Text::ExerciseNoticePassed : Text::ExerciseNoticeFailed,
                                       {frame.bench.exercise()->title[static_cast<int>(frame.language)]});
  y += draw_paragraph(frame, {left, y}, room, frame.theme[Role::Text], words, Face::Bold) + frame.px(4);
  for (const lab::Finding& finding : verdict.findings) {
    if (finding.held) continue;
    y += draw_paragraph(frame, {left, y}, room, frame.theme[Role::Text], finding.sentence.in(frame.language));
    break;
  }
  ImGui::SetCursorScreenPos({left, y + frame.px(6)});
  const ButtonOptions options{.shortcut = "Ctrl+Shift+E", .size = Size::Small};
  if (button(frame, "show exercise", frame.text(Text::ExerciseShow), options))
    frame.post(command::ShowExercise{});
  ImGui::Dummy({1, frame.px(2)});
}

// Notices about what was done need no reply: they are shown above the list of calls for a while, and move
// nothing.
void Notices::draw(Frame& frame, const Layout& layout) {
  const bool verdict =
      verdict_untold_ && frame.bench.verdict() != nullptr && frame.bench.exercise() != nullptr;
  if (said_.empty() && !verdict) return;
  const double seconds = verdict ? 12 : 5;
  if (since_ < 0) since_ = frame.time;
  const double left = seconds - (frame.time - since_);
  if (left <= 0 && !frame.still) {
    said_.clear();
    verdict_untold_ = false;
    return frame.animate();
  }
  frame.animate(left);
  const float width = std::min(frame.px(560), layout.bar.w - frame.px(24));
  const float height = height_ > 0 ? height_ : frame.px(60);
  const ImVec2 at{std::round((layout.bar.w - width) / 2),
                  std::max(layout.bar.bottom(), layout.bottom.y - height - frame.px(10))};
  begin_popup(frame, "notices", at, width, layout.bottom.bottom() - at.y);
  if (verdict) draw_verdict(frame, width);
  if (!said_.empty()) {
    std::string words;
    for (const lab::Problem& notice : said_)
      (words += words.empty() ? "" : "\n") += notice.in(frame.language);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    draw_icon(frame, Icon::Check, {from.x + frame.px(14), from.y + frame.px(13)}, frame.px(18),
              frame.theme[Role::Good]);
    const float used = draw_paragraph(frame, {from.x + frame.px(32), from.y + frame.px(4)},
                                      width - frame.px(64), frame.theme[Role::Text], words);
    ImGui::Dummy({1, used + frame.px(8)});
  }
  const float now = ImGui::GetWindowHeight();
  if (std::exchange(height_, now) != now) frame.animate();
  end_popup();
}

}  // namespace gui
