// SPDX-License-Identifier: MIT
// The presenter's view: above, in large letters, the number of the call, its line of code and one sentence,
// or the question; below, the picture. What is shown is the walk's (presenter_walk.hpp); what its letters
// measure is the shell's, which scales them by the window.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "editor/lexer.hpp"
#include "editor/token_role.hpp"
#include "formatting.hpp"
#include "imgui_compat.hpp"
#include "picture_panel.hpp"
#include "picture_step.hpp"
#include "predict_card.hpp"
#include "presenter_walk.hpp"
#include "view.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;
using Stop = PresenterWalk::Stop;

constexpr float kShareOfPicture = 0.75f, kLeastPicture = 80, kPartGap = 6, kMark = 24;

// One paragraph of what is said. Large ones are drawn smaller where all of them would not fit.
struct Part {
  std::string text;
  Role role = Role::Text;
  bool large = false;
  Icon icon = Icon::None;
  bool indented = false;  // as far as behind an icon
};

class PresenterView final : public View {
 public:
  explicit PresenterView(const PresenterWalk& walk) : walk_(walk) {}
  Text title() const override { return Text::PresenterTitle; }
  void draw(Frame& frame) override;

 private:
  void say(const Frame& frame, const picture::ShownRun& run);
  void say_question(const Frame& frame);
  void say_quiz(const Frame& frame);
  void say_step(const Frame& frame, const picture::ShownRun& run);
  void find_code(const Frame& frame);
  float number_width(const Frame& frame) const;
  float text_width(const Frame& frame, float whole) const;
  float height_of(const Frame& frame, float width, bool large) const;
  void draw_parts(Frame& frame, ImVec2 at, float width, bool large) const;
  void draw_code(const Frame& frame, ImVec2 at, float width) const;
  void draw_slate(Frame& frame, float height, bool large) const;

  const PresenterWalk& walk_;
  picture::PicturePanel panel_;
  std::string number_, of_, code_;
  std::vector<Part> parts_;
};

// The line of the call that is shown, or that is asked about; its name where there is no source.
void PresenterView::find_code(const Frame& frame) {
  lab::Workbench& bench = frame.bench;
  code_.clear();
  if (walk_.stop() == Stop::QuizQuestion || walk_.stop() == Stop::QuizAnswer) return;
  const bool next = walk_.stop() == Stop::Question;
  if (!next && bench.call_at_cursor() == 0) return;
  const lab::Workbench::Place place = bench.place(next);
  const std::string file = bench.file_of(place.file);
  const int line = file.empty() ? 0 : bench.line_now(file, place.line);
  if (line > 0) {
    const std::string& text = bench.file_text(file);
    std::size_t begin = 0;
    for (int i = 1; i < line && begin != std::string::npos; ++i) {
      begin = text.find('\n', begin);
      if (begin != std::string::npos) ++begin;
    }
    if (begin != std::string::npos) code_ = text.substr(begin, text.find('\n', begin) - begin);
    code_.erase(0, std::min(code_.find_first_not_of(" \t"), code_.size()));
  }
  if (!code_.empty()) return;
  const trace::Store& store = bench.store();
  code_ = next ? walk_.call() : std::string(store.at(store.event_of_call(bench.call_at_cursor() - 1)).name);
}

void PresenterView::say_step(const Frame& frame, const picture::ShownRun& run) {
  if (run.cursor == 0) {
    if (const lab::Lesson* lesson = frame.bench.lesson())
      parts_.push_back({lesson->title[static_cast<int>(frame.language)], Role::Text, true});
    parts_.push_back({std::string(frame.text(Text::PresenterKeys)), Role::Muted});
    return;
  }
  picture::StepSaid said = picture::step_said(run, picture::moment_shown(run), frame.language);
  if (!said.words.empty())
    parts_.push_back({std::move(said.words), said.failed ? Role::Bad : Role::Text, true});
}

void PresenterView::say_question(const Frame& frame) {
  const lab::Question& question = *walk_.question();
  const bool answered = walk_.stop() == Stop::Answer;
  const std::size_t count = question.choices.size();
  parts_.push_back(
      {without_ticks(question.words.in(frame.language)), answered ? Role::Muted : Role::Text, !answered});
  const lab::Outcome* outcome = walk_.outcome();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string words = std::to_string(i + 1) + "   " + question.choices[i].words.in(frame.language);
    if (!answered) {
      parts_.push_back({words, Role::Text, false, Icon::None, true});
    } else if (outcome != nullptr && outcome->choice == i) {
      parts_.push_back({words, Role::Good, true, Icon::Check, true});
    } else if (outcome != nullptr && walk_.chosen() == i) {
      parts_.push_back({words, Role::Muted, false, Icon::Cross, true});
    }
  }
  if (!answered) return;
  parts_.push_back({without_ticks(outcome != nullptr ? outcome_words(frame, *outcome)
                                                     : frame.text(Text::PredictNoOutcome, {walk_.call()}))});
}

// Of the answers, the right one and the one that the class chose are explained.
void PresenterView::say_quiz(const Frame& frame) {
  const lab::QuizQuestion& question = frame.bench.quiz().at(walk_.quiz());
  const auto language = static_cast<std::size_t>(frame.language);
  const bool answered = walk_.stop() == Stop::QuizAnswer;
  parts_.push_back({without_ticks(question.text[language]), answered ? Role::Muted : Role::Text, !answered});
  for (std::size_t i = 0; i < question.answers.size(); ++i) {
    const lab::QuizAnswer& answer = question.answers[i];
    const std::string words = std::to_string(i + 1) + "   " + without_ticks(answer.text[language]);
    const bool chosen = walk_.chosen() == i;
    if (answered && !answer.right && !chosen) continue;
    parts_.push_back({words,
                      !answered      ? Role::Text
                      : answer.right ? Role::Good
                                     : Role::Muted,
                      answered && answer.right,
                      !answered      ? Icon::None
                      : answer.right ? Icon::Check
                                     : Icon::Cross,
                      true});
    if (answered) parts_.push_back({without_ticks(answer.because[language]), Role::Text, false, {}, true});
  }
}

void PresenterView::say(const Frame& frame, const picture::ShownRun& run) {
  lab::Workbench& bench = frame.bench;
  parts_.clear(), number_.clear(), of_.clear();
  find_code(frame);
  const bool over = bench.phase() == lab::RunPhase::Ended || bench.phase() == lab::RunPhase::Replaying;
  if (walk_.stop() == Stop::QuizQuestion || walk_.stop() == Stop::QuizAnswer) {
    number_ = std::to_string(walk_.quiz() + 1) + "?";
    of_ = frame.text(Text::PresenterOf, {std::to_string(bench.quiz().size())});
    return say_quiz(frame);
  }
  const bool asks = walk_.question() != nullptr;
  const std::size_t shown = bench.call_at_cursor() + (walk_.stop() == Stop::Question ? 1 : 0);
  if (shown > 0) {
    number_ = std::to_string(shown) + (walk_.stop() == Stop::Question ? "?" : "");
    if (over) of_ = frame.text(Text::PresenterOf, {std::to_string(bench.store().calls())});
  } else if (const lab::Lesson* lesson = bench.lesson()) {
    number_ = lab::lesson_number(lesson->number);
  }
  asks ? say_question(frame) : say_step(frame, run);
}

float PresenterView::number_width(const Frame& frame) const {
  return std::max({text_size(frame, number_, Face::Bold, Size::Large).x,
                   text_size(frame, of_, Face::Ui, Size::Small).x, frame.px(44)}) +
         frame.px(12);
}

ButtonOptions close_button(const Frame& frame) {
  return {.icon = Icon::Cross,
          .style = ButtonStyle::Ghost,
          .hint = frame.text(Text::PresenterClose),
          .size = Size::Small};
}

// Between the number and the button that closes the view.
float PresenterView::text_width(const Frame& frame, float whole) const {
  return whole - frame.px(kMargin) - number_width(frame) - button_size(frame, "", close_button(frame)).x -
         frame.px(10);
}

float PresenterView::height_of(const Frame& frame, float width, bool large) const {
  float height = 2 * frame.px(10);
  if (!code_.empty()) height += frame.fonts.height(Face::Mono, Size::Body) + frame.px(kPartGap);
  for (const Part& part : parts_) {
    const bool big = large && part.large;
    height += paragraph_height(frame, width - (part.indented ? frame.px(kMark) : 0), part.text,
                               part.large ? Face::Bold : Face::Ui, big ? Size::Title : Size::Body) +
              frame.px(kPartGap);
  }
  return height;
}

void PresenterView::draw_parts(Frame& frame, ImVec2 at, float width, bool large) const {
  for (const Part& part : parts_) {
    const Face face = part.large ? Face::Bold : Face::Ui;
    const Size size = large && part.large ? Size::Title : Size::Body;
    const float in = part.indented ? frame.px(kMark) : 0;
    if (part.icon != Icon::None)
      draw_icon(frame, part.icon, {at.x + frame.px(8), at.y + frame.fonts.height(face, size) / 2},
                frame.px(14), frame.theme[part.icon == Icon::Check ? Role::Good : Role::Bad]);
    at.y +=
        draw_paragraph(frame, {at.x + in, at.y}, width - in, frame.theme[part.role], part.text, face, size) +
        frame.px(kPartGap);
  }
}

// In one line, in smaller letters where it is long.
void PresenterView::draw_code(const Frame& frame, ImVec2 at, float width) const {
  const Size size = text_size(frame, code_, Face::Mono, Size::Body).x <= width ? Size::Body : Size::Small;
  if (text_size(frame, code_, Face::Mono, size).x > width) {
    draw_text(frame, at, frame.theme[Role::CodeText], code_, Face::Mono, size, width, Cut::Meant);
    return;
  }
  std::vector<editor::Span> spans;
  editor::lex_line(code_, {}, spans);
  editor::in_colours(code_, spans, [&](std::string_view part, editor::Token, Role role) {
    at.x += draw_text(frame, at, frame.theme[role], part, Face::Mono, size);
  });
}

void PresenterView::draw_slate(Frame& frame, float height, bool large) const {
  const ImVec2 corner = ImGui::GetWindowPos();
  const float whole = ImGui::GetWindowWidth(), side = frame.px(kMargin), column = number_width(frame);
  ImVec2 at{corner.x + side, corner.y + frame.px(8)};
  draw_text(frame, at, frame.theme[Role::Accent], number_, Face::Bold, Size::Large);
  draw_text(frame, {at.x, at.y + frame.fonts.height(Face::Bold, Size::Large)}, frame.theme[Role::Muted], of_,
            Face::Ui, Size::Small);
  const ButtonOptions cross = close_button(frame);
  const ImVec2 size = button_size(frame, "", cross);
  ImGui::SetCursorScreenPos({corner.x + whole - size.x - frame.px(4), corner.y + frame.px(4)});
  if (button(frame, "presenter close", "", cross)) frame.post(command::Do{Action::Present});
  at.x += column, at.y = corner.y + frame.px(10);
  const float width = text_width(frame, whole);
  if (!code_.empty()) {
    draw_code(frame, at, width);
    at.y += frame.fonts.height(Face::Mono, Size::Body) + frame.px(kPartGap);
  }
  draw_parts(frame, at, width, large);
  const float y = corner.y + height;
  ImGui::GetWindowDrawList()->AddLine({corner.x + 1, y}, {corner.x + whole - 1, y}, frame.theme[Role::Line],
                                      std::max(1.0f, frame.px(frame.theme.line_width())));
}

void PresenterView::draw(Frame& frame) {
  picture::ShownRun run = picture::shown_run(frame.bench, frame.run);
  run.alone = true;
  say(frame, run);
  const ImVec2 room = ImGui::GetContentRegionAvail(), corner = ImGui::GetWindowPos();
  const float width = text_width(frame, room.x);
  const float most = room.y - frame.px(kLeastPicture);
  const bool large = height_of(frame, width, true) <= most;
  const float height = std::max(height_of(frame, width, large), room.y * (1 - kShareOfPicture));
  draw_slate(frame, std::min(height, room.y), large);
  if (room.y - height < frame.px(kLeastPicture) || frame.bench.store().size() == 0) return;
  ImGui::SetCursorScreenPos({corner.x, corner.y + height + frame.px(6)});
  panel_.draw(frame, run, "presented", picture::Tools::None);
}

}  // namespace

std::unique_ptr<View> make_presenter_view(const PresenterWalk& walk) {
  return std::make_unique<PresenterView>(walk);
}

}  // namespace gui
