// SPDX-License-Identifier: MIT
// The notes: the lesson's explanation, with the current step of the run highlighted and scrolled into view.
//
// The other direction works too: a click on a step's paragraph goes to its first call. The lesson's questions
// are below the recap. Everything about Markdown is in markdown/; this file connects the page with the
// workbench.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "find_line.hpp"
#include "markdown/page.hpp"
#include "notes_figure.hpp"
#include "notes_text.hpp"
#include "quiz_section.hpp"
#include "view.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

// The first block of what comes after the recap. That is the first part below the steps, if there are two of
// them.
std::size_t end_of_recap(const markdown::Document& document) {
  const std::vector<markdown::Block>& blocks = document.blocks;
  std::size_t at = blocks.size();
  while (at > 0 && blocks[at - 1].step < 0) --at;
  if (at == 0) return blocks.size();
  bool in_recap = false;
  for (; at < blocks.size(); ++at) {
    if (blocks[at].kind != markdown::BlockKind::Heading || blocks[at].level > 2) continue;
    if (in_recap) return at;
    in_recap = true;
  }
  return blocks.size();
}

class NotesView : public View {
 public:
  Text title() const override { return Text::NotesTitle; }
  void draw(Frame& frame) override;
  void take(const Command& command) override;

 private:
  struct Key {
    NotesText::Source source;
    float width = 0, scale = 0;
    bool questions = false;
    bool operator==(const Key&) const = default;
  };
  void update(Frame& frame, float width);
  void lay_out(const Frame& frame, float width, bool questions);
  float height() const { return page_.height() + quiz_.height() + rest_.height(); }
  float top_of_found(std::size_t place) const;
  void show_found(Frame& frame, float visible);
  void look_for_words(Frame& frame, float visible);
  void scroll_to_wanted(Frame& frame, float visible);
  void follow(Frame& frame, int step, float visible);

  std::optional<Key> key_;
  NotesText text_;
  markdown::Page page_, rest_;  // rest_: what comes after the questions
  QuizSection quiz_;
  NotesFigures figures_;
  std::string followed_;  // the step that was scrolled to
  FindLine find_{"notes find", Text::FindInNotesField};
  std::string marked_;       // the words that both pages mark
  std::size_t on_page_ = 0;  // places on page_; the others are on rest_
  bool relaid_ = false, marks_relaid_ = false;
  bool find_wanted_ = false;
  float scroll_from_ = 0, scroll_to_ = -1;  // -1: at rest
  double scroll_began_ = 0;
  double no_calls_since_ = -10;
  // Asked for, and not scrolled to yet.
  std::string step_wanted_;
  std::optional<std::size_t> question_wanted_;
  std::optional<command::ScrollToAnswer> answer_wanted_;
};

void NotesView::update(Frame& frame, float width) {
  text_.follow(frame);
  const Key now{text_.source(), width, frame.scale, !frame.bench.quiz().empty()};
  if (key_ == now) return;
  if (key_ && key_->source.lesson != now.source.lesson)
    followed_.clear(), ImGui::SetScrollY(0), scroll_to_ = -1;
  lay_out(frame, width, now.questions);
  relaid_ = marks_relaid_ = true;
  key_ = now;
}

void NotesView::lay_out(const Frame& frame, float width, bool questions) {
  rest_ = {};
  const std::size_t end = questions ? end_of_recap(text_.document()) : text_.document().blocks.size();
  if (end == text_.document().blocks.size()) {
    page_ = markdown::Page::lay_out(frame, text_.document(), width);
    return;
  }
  const auto middle = static_cast<std::ptrdiff_t>(end);
  markdown::Document above = text_.document(), below = text_.document();
  above.blocks.erase(above.blocks.begin() + middle, above.blocks.end());
  below.blocks.erase(below.blocks.begin(), below.blocks.begin() + middle);
  page_ = markdown::Page::lay_out(frame, above, width);
  rest_ = markdown::Page::lay_out(frame, below, width);
}

// Scrolls to the step when it has changed, or when the page was laid out again; otherwise the reader scrolls.
void NotesView::follow(Frame& frame, int step, float visible) {
  const std::string name = step >= 0 ? text_.document().steps[static_cast<std::size_t>(step)] : std::string();
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
    target = std::clamp(target, 0.0f, std::max(0.0f, height() - visible));
    scroll_from_ = now, scroll_to_ = target, scroll_began_ = jump ? frame.time - 1 : frame.time;
  }
}

// Somebody asks for a step or a question: a search, a click, the place where the lesson was left.
void NotesView::scroll_to_wanted(Frame& frame, float visible) {
  const auto scroll_to = [&](float top) {
    scroll_to_ = -1;
    ImGui::SetScrollY(std::max(0.0f, top - frame.px(12)));
  };
  if (!step_wanted_.empty())
    for (const markdown::Page::Step& step : page_.steps())
      if (text_.document().steps[static_cast<std::size_t>(step.index)] == step_wanted_) scroll_to(step.top);
  step_wanted_.clear();
  if (const auto question = std::exchange(question_wanted_, std::nullopt))
    scroll_to(page_.height() + quiz_.top_of(*question, visible - 2 * frame.px(12)));
  if (const auto told = std::exchange(answer_wanted_, std::nullopt)) {
    const auto [top, bottom] = quiz_.place_of(told->question, told->answer);
    const float now = ImGui::GetScrollY(), first = page_.height() + top,
                last = page_.height() + bottom + 2 * frame.px(12) - visible;
    if (first - frame.px(12) < now || last > now + frame.px(12))
      scroll_to(std::min(first, std::max(last, 0.0f)));
  }
}

// Marks the places of the words in the line above, and scrolls to the one that is looked at.
void NotesView::look_for_words(Frame& frame, float visible) {
  const bool typed = marked_ != find_.words();
  if (!typed && !std::exchange(marks_relaid_, false)) return show_found(frame, visible);
  marked_ = find_.words();
  marks_relaid_ = false;
  on_page_ = page_.mark(marked_);
  const std::size_t all = on_page_ + rest_.mark(marked_);
  std::size_t nearest = 0;
  while (nearest + 1 < all && top_of_found(nearest) < ImGui::GetScrollY()) ++nearest;
  find_.found(all, nearest);
  frame.animate();
  show_found(frame, visible);
}

float NotesView::top_of_found(std::size_t place) const {
  return place < on_page_ ? page_.top_of(place)
                          : page_.height() + quiz_.height() + rest_.top_of(place - on_page_);
}

void NotesView::show_found(Frame& frame, float visible) {
  const std::optional<std::size_t> place = find_.looked_at();
  page_.look_at(place && *place < on_page_ ? place : std::nullopt);
  rest_.look_at(place && *place >= on_page_ ? std::optional(*place - on_page_) : std::nullopt);
  if (!find_.went() || !place) return;
  const float top = top_of_found(*place), now = ImGui::GetScrollY(), line = frame.px(24);
  scroll_to_ = -1;
  if (top < now + line || top + 2 * line > now + visible)
    ImGui::SetScrollY(std::max(0.0f, top - visible / 3)), frame.animate();
}

void NotesView::take(const Command& command) {
  find_wanted_ = find_wanted_ || std::holds_alternative<command::FindInNotes>(command);
  if (const auto* step = std::get_if<command::ScrollToStep>(&command)) step_wanted_ = step->step;
  if (const auto* question = std::get_if<command::ScrollToQuestion>(&command))
    question_wanted_ = question->question;
  if (const auto* answer = std::get_if<command::ScrollToAnswer>(&command)) answer_wanted_ = *answer;
}

void NotesView::draw(Frame& frame) {
  panel_header(frame, frame.text(title()));
  if (std::exchange(find_wanted_, false)) find_.open(frame.selection);
  if (frame.bench.notes(frame.language).empty()) {
    empty_state(frame, frame.text(Text::NotesEmptyTitle), frame.text(Text::NotesEmpty));
    return;
  }
  find_.follow(frame);
  if (find_.is_open()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    find_.draw(frame, at, ImGui::GetContentRegionAvail().x);
    ImGui::SetCursorScreenPos({at.x, at.y + find_.height(frame)});
  }
  const ImVec2 room = ImGui::GetContentRegionAvail();
  begin_scroll(frame, "notes", room);
  const float side = frame.px(8);
  const float width = std::max(frame.px(160), room.x - 2 * side - frame.px(6));
  update(frame, width);
  quiz_.lay_out(frame, text_.document(), width);
  const int current = text_.step_of_run(frame);
  if (current >= 0 && frame.watched != nullptr)
    frame.watched->notes_step = text_.document().steps[static_cast<std::size_t>(current)];
  follow(frame, current, room.y);
  scroll_to_wanted(frame, room.y);
  look_for_words(frame, room.y);
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
    // The reader's hand wins.
    if (ImGui::GetIO().MouseWheel != 0 || frame.selection.stops.scrolled()) scroll_to_ = -1;
  }
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 origin{corner.x + side, corner.y};
  ImGui::Dummy({room.x - frame.px(2), height()});
  if (frame.places != nullptr)
    for (const markdown::Page::Step& step : page_.steps())
      if (ImGui::IsRectVisible({origin.x, origin.y + step.top},
                               {origin.x + 1, origin.y + step.top + frame.px(24)}))
        (*frame.places)["note " + text_.document().steps[static_cast<std::size_t>(step.index)]] = {
            origin.x + frame.px(4), origin.y + step.top + frame.px(12)};
  int hovered = -1;
  if (!frame.still && ImGui::IsWindowHovered()) {
    const markdown::Page::Step* step = page_.step_at(ImGui::GetIO().MousePos.y - origin.y);
    if (step != nullptr)
      hovered = step->index,
      frame.selection.hovered.step = text_.document().steps[static_cast<std::size_t>(hovered)];
  }
  if (const markdown::Page::Step* top = page_.step_at(
          corner.y < ImGui::GetWindowPos().y ? ImGui::GetWindowPos().y - corner.y + frame.px(16) : 0.0f);
      top != nullptr)
    frame.selection.notes_top = text_.document().steps[static_cast<std::size_t>(top->index)];
  const KeyOrder order(frame.selection.stops, KeyOrder::Of::Page);
  const markdown::Page::Pressed pressed = page_.draw(frame, origin, current, hovered);
  for (const markdown::Page::Figure& figure : page_.figures()) {
    const ImVec2 from{origin.x + figure.x, origin.y + figure.y}, to{from.x + figure.w, from.y + figure.h};
    if (ImGui::IsRectVisible(from, to)) figures_.draw(frame, from, to, figure.step);
  }
  quiz_.draw(frame, {origin.x, origin.y + page_.height()});
  ImGui::PushID("rest");
  rest_.draw(frame, {origin.x, origin.y + page_.height() + quiz_.height()}, -1, -1);
  ImGui::PopID();
  if (pressed.step >= 0) {
    const std::vector<std::size_t> calls =
        frame.bench.calls_of_step(text_.document().steps[static_cast<std::size_t>(pressed.step)]);
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
