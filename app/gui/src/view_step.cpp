// SPDX-License-Identifier: MIT
// The text of the current step in a strip above the code, where notes and code share a place: its number, its
// title and its paragraphs, without the title's own line. In an exercise, the task.
//
// It follows the run; before the first call it shows the first step. What does not fit is scrolled to.
#include <imgui.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "markdown/page.hpp"
#include "notes_text.hpp"
#include "view.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;
using markdown::BlockKind;

constexpr float kStepBar = 5, kStepEdge = 7, kStepScrollbar = 12;  // at 100 %

class StepView final : public View {
 public:
  Text title() const override { return Text::NotesTitle; }
  float height_in(Frame& frame, float width) override;
  void draw(Frame& frame) override;

 private:
  struct Shown {
    NotesText::Source source;
    std::string part;  // the step's name, or that of the exercise
    float width = 0, scale = 0;
    bool operator==(const Shown&) const = default;
    bool same_text(const Shown& other) const {
      return source.lesson == other.source.lesson && part == other.part &&
             source.language == other.source.language;
    }
  };
  bool update(const Frame& frame, float width);
  static markdown::Document task(const Frame& frame, const lab::Exercise& exercise);
  markdown::Document step(const Frame& frame, int number) const;

  NotesText notes_;
  std::optional<Shown> shown_;
  markdown::Page page_;
  bool lit_ = false;     // it is what the run is at, and not what comes first
  bool begins_ = false;  // another text, which is read from its beginning
};

// The title as the first words of the first paragraph.
void run_in(markdown::Document& document, const std::string& label, const markdown::Text& title) {
  markdown::Style bold;
  bold.bold = true;
  markdown::Text lead{{label, bold}};
  if (!title.empty()) lead.push_back({" · ", bold});
  for (markdown::Run run : title) run.style.bold = true, lead.push_back(std::move(run));
  std::vector<markdown::Block>& blocks = document.blocks;
  const bool runs_on = !blocks.empty() && blocks.front().kind == BlockKind::Paragraph &&
                       blocks.front().quote < 0 && blocks.front().indent == 0;
  if (!runs_on) blocks.insert(blocks.begin(), markdown::Block{});
  if (runs_on) lead.push_back({"  ", {}});
  markdown::Text& first = blocks.front().text;
  first.insert(first.begin(), std::make_move_iterator(lead.begin()), std::make_move_iterator(lead.end()));
}

markdown::Document StepView::step(const Frame& frame, int number) const {
  markdown::Document only;
  only.links = notes_.document().links, only.quotes = notes_.document().quotes;
  markdown::Text title;
  for (const markdown::Block& block : notes_.document().blocks) {
    if (block.step != number || block.kind == BlockKind::Figure) continue;  // the picture is beside it
    if (title.empty() && only.blocks.empty() && block.kind == BlockKind::Heading) {
      title = block.text;
      continue;
    }
    only.blocks.push_back(block);
    only.blocks.back().step = -1;
  }
  run_in(only, frame.text(Text::NotesStep, {std::to_string(number + 1)}), title);
  return only;
}

markdown::Document StepView::task(const Frame& frame, const lab::Exercise& exercise) {
  const auto language = static_cast<std::size_t>(frame.language);
  markdown::Document only;
  markdown::Block task;
  task.text = {{exercise.task[language], {}}};
  only.blocks.push_back(std::move(task));
  run_in(only, std::string(frame.text(Text::ExerciseTitle)), {{exercise.title[language], {}}});
  return only;
}

// Lays out what is to be shown now; false: there is nothing.
bool StepView::update(const Frame& frame, float width) {
  const lab::Workbench& bench = frame.bench;
  notes_.follow(frame);
  const std::vector<std::string>& steps = notes_.document().steps;
  const lab::Exercise* exercise = bench.in_exercise() ? bench.exercise() : nullptr;
  if (exercise == nullptr && steps.empty()) return false;
  const int number = std::max(0, notes_.step_of_run(frame));
  lit_ = bench.step_name() || exercise != nullptr;
  const Shown shown{notes_.source(),
                    exercise != nullptr ? exercise->name : steps[static_cast<std::size_t>(number)],
                    std::max(frame.px(160), width - frame.px(kStepBar + kStepScrollbar)), frame.scale};
  if (shown_ == shown) return true;
  begins_ = begins_ || !shown_ || !shown_->same_text(shown);
  page_ = markdown::Page::lay_out(frame, exercise != nullptr ? task(frame, *exercise) : step(frame, number),
                                  shown.width, markdown::Page::Lines::Close);
  shown_ = shown;
  return true;
}

float StepView::height_in(Frame& frame, float width) {
  return update(frame, width) ? page_.height() + frame.px(2 * kStepEdge) : frame.px(kHeader);
}

void StepView::draw(Frame& frame) {
  const ImVec2 from = ImGui::GetWindowPos(), room = ImGui::GetContentRegionAvail();
  if (!update(frame, room.x)) return empty_state(frame, frame.text(Text::NotesEmptyTitle), {});
  const float bar = frame.px(kStepBar), above = frame.px(kStepEdge);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({from.x + 1, from.y + 1}, {from.x + room.x - 1, from.y + room.y},
                     frame.theme[lit_ ? Role::AccentSoft : Role::Panel]);
  list.AddRectFilled({from.x + 1, from.y + 1}, {from.x + bar, from.y + room.y},
                     frame.theme[lit_ ? Role::Accent : Role::LineStrong]);
  ImGui::SetCursorScreenPos({from.x + bar, from.y + above});
  begin_scroll(frame, "step text",
               {room.x - bar - frame.px(2), std::max(1.0f, room.y - above - frame.px(3))});
  if (std::exchange(begins_, false)) ImGui::SetScrollY(0);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImGui::Dummy({shown_->width, page_.height()});
  page_.draw(frame, origin, -1, -1);
  end_scroll();
}

}  // namespace

std::unique_ptr<View> make_step_view() {
  return std::make_unique<StepView>();
}

}  // namespace gui
