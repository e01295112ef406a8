// SPDX-License-Identifier: MIT
// The exercises of the lesson: which there are, and of the chosen one the task, hints one at a time, the
// findings of a check, and the progress.
//
// The lab judges; a click on a finding goes to the call that shows it. Does not depend on other panels.
#include <imgui.h>

#include <algorithm>

#include "difference_page.hpp"
#include "view.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

class ExerciseView final : public View {
 public:
  Text title() const override { return Text::ExerciseTitle; }
  void draw(Frame& frame) override;

 private:
  float paragraph(const Frame& frame, std::string_view text, Role role, float indent,
                  Face face = Face::Ui) const;
  void draw_choice(Frame& frame);
  void draw_buttons(Frame& frame, const lab::Exercise& exercise);
  void draw_findings(Frame& frame, const lab::Verdict& verdict);
  void draw_progress(Frame& frame) const;
  void compare_with_solution(Frame& frame, const lab::Exercise& exercise) const;

  // What is brought into sight when it changes: the chosen exercise with its task, a hint, a verdict.
  struct Chosen {
    std::string lesson, exercise;
    lab::Language language = lab::Language::English;
    float scale = 0;
    ImVec2 room = {};
    bool operator==(const Chosen& other) const {
      return lesson == other.lesson && exercise == other.exercise && language == other.language &&
             scale == other.scale && room.x == other.room.x && room.y == other.room.y;
    }
  };
  void bring_into_sight(const Frame& frame, float top, float bottom) const;
  Chosen chosen_;
  std::size_t hints_ = 0;
  int told_ = -1;  // the number of the check whose verdict was shown last; -1: none

  float left_ = 0, width_ = 0, chosen_top_ = 0;
};

// Scrolls as little as is needed, and never past the top of it.
void ExerciseView::bring_into_sight(const Frame& frame, float top, float bottom) const {
  const float window = ImGui::GetWindowPos().y, high = ImGui::GetWindowHeight(), gap = frame.px(kGap);
  if (top - gap >= window && bottom + gap <= window + high) return;
  const float down = std::min(top - gap - window, bottom + gap - window - high);
  ImGui::SetScrollY(std::max(0.0f, ImGui::GetScrollY() + (top - gap < window ? top - gap - window : down)));
  frame.animate();
}

// Wrapped text at the cursor; returns the height used.
float ExerciseView::paragraph(const Frame& frame, std::string_view text, Role role, float indent,
                              Face face) const {
  const ImVec2 at{left_ + indent, ImGui::GetCursorScreenPos().y};
  const float room = std::max(width_ - indent, frame.px(60));
  const float tall = draw_paragraph(frame, at, room, frame.theme[role], text, face);
  ImGui::SetCursorScreenPos({left_, at.y + tall + frame.px(kGap)});
  return tall;
}

// A row for each exercise: what it is called, what one does, whether it is passed.
void ExerciseView::draw_choice(Frame& frame) {
  lab::Workbench& bench = frame.bench;
  const auto language = static_cast<std::size_t>(frame.language);
  std::string wanted;
  for (const lab::Exercise& exercise : bench.exercises()) {
    const bool on = &exercise == bench.exercise();
    const bool passed = !bench.progress_of(exercise).passed_at.empty();
    std::string grade(frame.text(words_of(exercise.grade)));
    if (passed) grade += " · " + std::string(frame.text(Text::ExercisePassed));
    const std::string& title = exercise.title[language];
    const ImVec2 from{left_ - frame.px(6), ImGui::GetCursorScreenPos().y};
    if (on) chosen_top_ = from.y;
    const float indent = frame.px(32), room = std::max(width_ - indent, frame.px(60));
    const float high = paragraph_height(frame, room, title, Face::Bold);
    const ImVec2 small = text_size(frame, grade, Face::Ui, Size::Small);
    // Beside the title where there is room.
    const bool beside = text_size(frame, title, Face::Bold).x + frame.px(14) + small.x <= room;
    const float tall =
        high + frame.px(12) +
        (beside ? 0 : paragraph_height(frame, room, grade, Face::Ui, Size::Small) + frame.px(1));
    const ImVec2 to{left_ + width_ + frame.px(6), from.y + tall};
    ImGui::SetCursorScreenPos(from);
    const std::string id = std::string(lab::kOneExercise) + exercise.name;
    if (pressable(frame, id.c_str(), {to.x - from.x, tall}) && !on) wanted = exercise.name;
    const bool hovered = ImGui::IsItemHovered() && !frame.still;
    if (frame.places != nullptr) (*frame.places)[id] = {(from.x + to.x) / 2, from.y + tall / 2};
    if (on || hovered) draw_card(frame, from, to, frame.theme[on ? Role::AccentSoft : Role::Hover], 0);
    draw_focus(frame, from, to);
    draw_icon(frame, passed ? Icon::Check : Icon::Dot,
              {from.x + frame.px(18), from.y + frame.px(6) + high / 2}, frame.px(passed ? 14 : 8),
              frame.theme[passed ? Role::Good
                          : on   ? Role::Accent
                                 : Role::Muted]);
    draw_paragraph(frame, {from.x + indent, from.y + frame.px(6)}, room, frame.theme[Role::Text], title,
                   Face::Bold);
    if (beside)
      draw_text_middle(frame, left_ + width_ - small.x, from.y, tall, frame.theme[Role::Muted], grade,
                       Face::Ui, Size::Small);
    else
      draw_paragraph(frame, {from.x + indent, from.y + frame.px(7) + high}, room, frame.theme[Role::Muted],
                     grade, Face::Ui, Size::Small);
    ImGui::SetCursorScreenPos({left_, to.y + frame.px(2)});
  }
  ImGui::SetCursorScreenPos({left_, ImGui::GetCursorScreenPos().y + frame.px(10)});
  if (wanted.empty()) return;
  frame.selection.compare.reset();
  bench.choose_exercise(wanted);
}

void ExerciseView::compare_with_solution(Frame& frame, const lab::Exercise& exercise) const {
  lab::Workbench& bench = frame.bench;
  bench.enter_exercise(true);
  frame.selection.compare =
      comparison_of(bench, frame.language, exercise.start, Selection::Against::Solution);
}

void ExerciseView::draw_buttons(Frame& frame, const lab::Exercise& exercise) {
  lab::Workbench& bench = frame.bench;
  float x = left_, y = ImGui::GetCursorScreenPos().y, tallest = 0;
  const auto press = [&](const char* id, std::string_view label, ButtonOptions options) {
    const ImVec2 size = button_size(frame, label, options);
    if (x > left_ && x + size.x > left_ + width_) x = left_, y += tallest + frame.px(6);
    ImGui::SetCursorScreenPos({x, y});
    x += size.x + frame.px(kGap), tallest = size.y;
    return button(frame, id, label, options);
  };
  const bool open = bench.in_exercise();
  if (!open && press("exercise open", frame.text(Text::ExerciseOpen),
                     {.style = ButtonStyle::Primary, .hint = frame.text(Text::ExerciseOpenHint)}))
    bench.enter_exercise(true);
  if (open && press("exercise check", frame.text(Text::ExerciseCheck),
                    {.icon = Icon::Check,
                     .style = ButtonStyle::Primary,
                     .enabled = !bench.checking(),
                     .hint = frame.text(Text::ExerciseCheckHint)}))
    bench.check();
  const std::size_t shown = bench.hints_shown(), all = exercise.hints.size();
  if (shown < all &&
      press("exercise hint", frame.text(Text::ExerciseHint, {std::to_string(shown + 1), std::to_string(all)}),
            {}))
    bench.show_hint();
  if (press("exercise solution", frame.text(Text::ExerciseSolution),
            {.style = ButtonStyle::Ghost, .hint = frame.text(Text::ExerciseSolutionHint)}))
    compare_with_solution(frame, exercise);
  if (open && press("exercise back", frame.text(Text::ExerciseBack), {.style = ButtonStyle::Ghost}))
    bench.enter_exercise(false), frame.selection.compare.reset();
  ImGui::SetCursorScreenPos({left_, y + tallest + frame.px(14)});
}

void ExerciseView::draw_findings(Frame& frame, const lab::Verdict& verdict) {
  const bool passed = verdict.passed();
  paragraph(frame, frame.text(passed ? Text::ExercisePassed : Text::ExerciseNotYet),
            passed ? Role::Good : Role::Text, 0, Face::Bold);
  for (std::size_t i = 0; i < verdict.findings.size(); ++i) {
    const lab::Finding& finding = verdict.findings[i];
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const std::string sentence = finding.sentence.in(frame.language);
    const float indent = frame.px(26), room = std::max(width_ - indent, frame.px(60));
    const float tall = paragraph_height(frame, room, sentence) + frame.px(8);
    ImGui::SetCursorScreenPos({left_ - frame.px(6), from.y});
    ImGui::PushID(static_cast<int>(i));
    // One that no call shows leads nowhere, but a reader who uses the keys gets to it.
    const bool clicked = pressable(frame, "finding", {width_ + frame.px(12), tall});
    const bool lit = finding.event && !frame.still && ImGui::IsItemHovered();
    ImGui::PopID();
    if (frame.places != nullptr)
      (*frame.places)["finding " + std::to_string(i)] = {left_ + width_ / 2, from.y + tall / 2};
    if (lit)
      draw_card(frame, {left_ - frame.px(6), from.y}, {left_ + width_ + frame.px(6), from.y + tall},
                frame.theme[Role::Hover], 0);
    draw_focus(frame, {left_ - frame.px(4), from.y + frame.px(1)},
               {left_ + width_ + frame.px(4), from.y + tall - frame.px(1)});
    draw_icon(frame, finding.held ? Icon::Check : Icon::Cross,
              {left_ + frame.px(9), from.y + frame.px(4) + frame.fonts.height(Face::Ui, Size::Body) / 2},
              frame.px(14), frame.theme[finding.held ? Role::Good : Role::Bad]);
    draw_paragraph(frame, {left_ + indent, from.y + frame.px(4)}, room, frame.theme[Role::Text], sentence);
    if (clicked && finding.event) frame.bench.jump(*finding.event + 1);
    ImGui::SetCursorScreenPos({left_, from.y + tall});
  }
  ImGui::SetCursorScreenPos({left_, ImGui::GetCursorScreenPos().y + frame.px(12)});
}

void ExerciseView::draw_progress(Frame& frame) const {
  const lab::Workbench& bench = frame.bench;
  std::size_t passed = 0, all = 0;
  for (const lab::Lesson& lesson : bench.catalogue().lessons) {
    passed += passed_exercises(bench.progress(), lesson);
    all += lesson.exercises.size();
  }
  const lab::ExerciseProgress mine = bench.progress_of(*bench.exercise());
  if (!mine.passed_at.empty())
    paragraph(frame,
              frame.text(Text::ExercisePassedOn, {mine.passed_at.substr(0, 10), std::to_string(mine.checks)}),
              Role::Muted, 0);
  else if (mine.checks > 0)
    paragraph(frame, frame.text(Text::ExerciseChecked, {std::to_string(mine.checks)}), Role::Muted, 0);
  paragraph(frame, frame.text(Text::ExerciseCourse, {std::to_string(passed), std::to_string(all)}),
            Role::Muted, 0);
  if (button(frame, "exercise export", frame.text(Text::ExerciseExport),
             {.style = ButtonStyle::Ghost, .size = Size::Small}))
    frame.post(command::ExportProgress{});
}

void ExerciseView::draw(Frame& frame) {
  panel_header(frame, frame.text(title()));
  if (frame.bench.exercise() == nullptr || frame.bench.lesson() == nullptr) return;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  begin_scroll(frame, "exercise", room);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  left_ = corner.x + frame.px(kMargin + 4);
  width_ = ImGui::GetContentRegionAvail().x - frame.px(2 * kMargin + 8);
  ImGui::SetCursorScreenPos({left_, corner.y + frame.px(6)});
  chosen_top_ = corner.y;
  if (frame.bench.exercises().size() > 1) draw_choice(frame);
  const lab::Exercise* exercise = frame.bench.exercise();
  const auto language = static_cast<std::size_t>(frame.language);
  paragraph(frame, frame.text(Text::ExerciseTask), Role::Muted, 0, Face::Bold);
  paragraph(frame, exercise->task[language], Role::Text, 0);
  const Chosen now{frame.bench.lesson()->slug, exercise->name, frame.language, frame.scale, room};
  const bool other = !(now == chosen_);
  if (other) bring_into_sight(frame, chosen_top_, ImGui::GetCursorScreenPos().y);
  ImGui::SetCursorScreenPos({left_, ImGui::GetCursorScreenPos().y + frame.px(6)});
  draw_buttons(frame, *exercise);
  const std::size_t hints = frame.bench.hints_shown();
  const bool hinted = !other && hints > hints_;
  for (std::size_t i = 0; i < hints; ++i) {
    const float top = ImGui::GetCursorScreenPos().y;
    paragraph(frame, frame.text(Text::ExerciseHintLabel, {std::to_string(i + 1)}), Role::Caution, 0,
              Face::Bold);
    paragraph(frame, exercise->hints[i].text[language], Role::Text, frame.px(10));
    if (hinted && i + 1 == hints) bring_into_sight(frame, top, ImGui::GetCursorScreenPos().y);
  }
  if (frame.bench.checking()) paragraph(frame, frame.text(Text::ExerciseChecking), Role::Muted, 0);
  const lab::Verdict* verdict = frame.bench.verdict();
  const int checks = frame.bench.progress_of(*exercise).checks;
  if (verdict != nullptr) {
    const float top = ImGui::GetCursorScreenPos().y;
    draw_findings(frame, *verdict);
    if (told_ != checks) bring_into_sight(frame, top, ImGui::GetCursorScreenPos().y);
  }
  chosen_ = now, hints_ = hints, told_ = verdict == nullptr ? -1 : checks;
  draw_progress(frame);
  ImGui::Dummy({1, frame.px(24)});
  end_scroll();
}

}  // namespace

std::unique_ptr<View> make_exercise_view() {
  return std::make_unique<ExerciseView>();
}

}  // namespace gui
