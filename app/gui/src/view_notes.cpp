// SPDX-License-Identifier: MIT
// The notes: the lesson's explanation, with the current step of the run highlighted and scrolled into view.
//
// The other direction works too: a click on a step's paragraph goes to its first call. Everything about
// Markdown is in markdown/; this file connects the page with the workbench.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "markdown/page.hpp"
#include "notes_figure.hpp"
#include "view.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

class NotesView : public View {
 public:
  Text title() const override { return Text::NotesTitle; }
  void draw(Frame& frame) override;

 private:
  struct Key {
    const char* data = nullptr;  // of the workbench's text
    std::size_t size = 0;
    lab::Language language = lab::Language::English;
    std::string lesson;
    float width = 0, scale = 0;
    bool operator==(const Key&) const = default;
  };
  void update(Frame& frame, float width);
  int current_step(const Frame& frame) const;
  void follow(Frame& frame, int step, float visible);

  std::optional<Key> key_;
  markdown::Document document_;
  markdown::Page page_;
  NotesFigures figures_;
  std::string followed_;  // the step that was scrolled to
  bool relaid_ = false;
  float scroll_from_ = 0, scroll_to_ = -1;  // -1: at rest
  double scroll_began_ = 0;
  double no_calls_since_ = -10;
};

void NotesView::update(Frame& frame, float width) {
  const std::string& text = frame.bench.notes(frame.language);
  const Key now{text.data(),    text.size(),
                frame.language, frame.bench.lesson() != nullptr ? frame.bench.lesson()->slug : std::string(),
                width,          frame.scale};
  if (key_ == now) return;
  const bool same_text =
      key_ && key_->data == now.data && key_->size == now.size && key_->lesson == now.lesson;
  if (!same_text) {
    document_ = markdown::parse(text);
    if (frame.glossary != nullptr) markdown::mark_terms(document_, *frame.glossary, frame.language);
  }
  if (key_ && key_->lesson != now.lesson) followed_.clear(), ImGui::SetScrollY(0), scroll_to_ = -1;
  page_ = markdown::Page::lay_out(frame, document_, width);
  relaid_ = true;
  key_ = now;
}

int NotesView::current_step(const Frame& frame) const {
  const std::optional<std::string> name = frame.bench.step_name();
  if (!name) return -1;
  const auto at = std::find(document_.steps.begin(), document_.steps.end(), *name);
  return at == document_.steps.end() ? -1 : static_cast<int>(at - document_.steps.begin());
}

// Scrolls to the step when it has changed, or when the page was laid out again; otherwise the reader scrolls.
void NotesView::follow(Frame& frame, int step, float visible) {
  const std::string name = step >= 0 ? document_.steps[static_cast<std::size_t>(step)] : std::string();
  const bool changed = name != followed_;
  if (!changed && !relaid_) return;
  followed_ = name;
  const bool jump = relaid_ || !frame.animations;
  relaid_ = false;
  if (step < 0) return;
  for (const markdown::Page::Step& each : page_.steps()) {
    if (each.index != step) continue;
    const float margin = frame.px(16), now = ImGui::GetScrollY();
    const bool in_view = each.top - margin >= now && each.bottom + margin <= now + visible;
    if (in_view) {
      scroll_to_ = -1;  // on the way to a step that is over by now
      return;
    }
    // A step taller than the panel shows its beginning.
    float target = each.top - std::max(margin, (visible - (each.bottom - each.top)) * 0.3f);
    target = std::clamp(target, 0.0f, std::max(0.0f, page_.height() - visible));
    scroll_from_ = now, scroll_to_ = target, scroll_began_ = jump ? frame.time - 1 : frame.time;
  }
}

void NotesView::draw(Frame& frame) {
  panel_header(frame, frame.text(title()));
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (frame.bench.notes(frame.language).empty()) {
    empty_state(frame, frame.text(Text::NotesEmptyTitle), frame.text(Text::NotesEmpty));
    return;
  }
  begin_scroll(frame, "notes", room);
  const float side = frame.px(8);
  update(frame, std::max(frame.px(160), room.x - 2 * side - frame.px(6)));
  const int current = current_step(frame);
  if (current >= 0) frame.selection.watched.notes_step = document_.steps[static_cast<std::size_t>(current)];
  follow(frame, current, room.y);
  if (!frame.selection.go_to_step.empty()) {
    for (const markdown::Page::Step& step : page_.steps())
      if (document_.steps[static_cast<std::size_t>(step.index)] == frame.selection.go_to_step)
        scroll_to_ = -1, ImGui::SetScrollY(std::max(0.0f, step.top - frame.px(12)));
    frame.selection.go_to_step.clear();
  }
  if (scroll_to_ >= 0) {
    constexpr double kSeconds = 0.22;
    const double progress = std::min(1.0, (frame.time - scroll_began_) / kSeconds);
    const double left = 1 - progress;
    ImGui::SetScrollY(scroll_from_ +
                      (scroll_to_ - scroll_from_) * static_cast<float>(1 - left * left * left));
    if (progress >= 1)
      scroll_to_ = -1;
    else
      frame.animate();
    if (ImGui::GetIO().MouseWheel != 0) scroll_to_ = -1;  // the reader's hand wins
  }
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 origin{corner.x + side, corner.y};
  ImGui::Dummy({room.x - frame.px(2), page_.height()});
  if (frame.places != nullptr)
    for (const markdown::Page::Step& step : page_.steps())
      if (ImGui::IsRectVisible({origin.x, origin.y + step.top},
                               {origin.x + 1, origin.y + step.top + frame.px(24)}))
        (*frame.places)["note " + document_.steps[static_cast<std::size_t>(step.index)]] = {
            origin.x + frame.px(4), origin.y + step.top + frame.px(12)};
  int hovered = -1;
  if (!frame.still && ImGui::IsWindowHovered()) {
    const markdown::Page::Step* step = page_.step_at(ImGui::GetIO().MousePos.y - origin.y);
    if (step != nullptr)
      hovered = step->index,
      frame.selection.hovered.step = document_.steps[static_cast<std::size_t>(hovered)];
  }
  if (const markdown::Page::Step* top = page_.step_at(
          corner.y < ImGui::GetWindowPos().y ? ImGui::GetWindowPos().y - corner.y + frame.px(16) : 0.0f);
      top != nullptr)
    frame.selection.watched.notes_top = document_.steps[static_cast<std::size_t>(top->index)];
  const markdown::Page::Pressed pressed = page_.draw(frame, origin, current, hovered);
  for (const markdown::Page::Figure& figure : page_.figures()) {
    const ImVec2 from{origin.x + figure.x, origin.y + figure.y}, to{from.x + figure.w, from.y + figure.h};
    if (ImGui::IsRectVisible(from, to)) figures_.draw(frame, from, to, figure.step);
  }
  if (pressed.step >= 0) {
    const std::vector<std::size_t> calls =
        frame.bench.calls_of_step(document_.steps[static_cast<std::size_t>(pressed.step)]);
    if (calls.empty())
      no_calls_since_ = frame.time;
    else
      frame.bench.jump_to_call(calls.front());
  }
  if (frame.time - no_calls_since_ < 1.8 && !frame.still) {
    tooltip_now(frame, "", frame.text(Text::NotesNoCalls));
    frame.animate(1.8 - (frame.time - no_calls_since_));
  }
  end_scroll();
}

}  // namespace

std::unique_ptr<View> make_notes_view() {
  return std::make_unique<NotesView>();
}

}  // namespace gui
