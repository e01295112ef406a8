// SPDX-License-Identifier: MIT
// See teaching_page.hpp.
#include "teaching_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formatting.hpp"
#include "imgui_compat.hpp"
#include "popup.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

using Moment = command::GoTo::Moment;

constexpr float kIn = 34;  // where the words of a choice begin (popup.cpp)

const std::string& in(const std::string (&both)[2], const Frame& frame) {
  return both[static_cast<std::size_t>(frame.language)];
}

void paragraph(Frame& frame, std::string_view words) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  const float tall = draw_paragraph(frame, {at.x + frame.px(kIn), at.y}, room - frame.px(kIn + 12),
                                    frame.theme[Role::Text], words);
  ImGui::Dummy({room, tall + frame.px(4)});
}

// A label, and to its right what it is about.
void labelled(Frame& frame, Text label, std::string_view words) {
  float column = 0;
  for (const Text each : {Text::TeachExpected, Text::TeachHeard, Text::TeachReply})
    column = std::max(column, text_size(frame, frame.text(each), Face::Bold).x);
  column += frame.px(10);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x, left = at.x + frame.px(kIn);
  draw_text(frame, {left, at.y}, frame.theme[Role::Muted], frame.text(label), Face::Bold);
  const float tall = draw_paragraph(frame, {left + column, at.y}, room - frame.px(kIn + 12) - column,
                                    frame.theme[Role::Text], words);
  ImGui::Dummy({room, tall + frame.px(4)});
}

void title(Frame& frame, std::string_view words) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x, side = frame.px(8);
  const float width = room - 2 * side;
  const float tall = draw_paragraph(frame, {at.x + side, at.y + frame.px(6)}, width,
                                    frame.theme[Role::Accent], words, Face::Bold);
  ImGui::Dummy({room, tall + frame.px(10)});
}

}  // namespace

void TeachingPage::open() {
  const lab::Workbench& bench = *bench_;
  *this = TeachingPage(bench);
  if (auto sessions = lab::read_sessions(bench.catalogue()))
    sessions_ = std::move(*sessions);
  else
    sessions_problem_ = sessions.error();
  if (sessions_.empty() && !sessions_problem_)
    sessions_problem_ = lab::Problem{Text::CliTeachNoPlan, {bench.catalogue().home.string()}};
  if (const lab::Lesson* open = bench.lesson()) {
    // While an exercise is open, the bench's lesson has the exercise's program; the page is about the whole.
    const lab::Result<lab::Lesson> whole = bench.catalogue().find(open->slug);
    lesson_ = whole ? *whole : *open;
    session_of_lesson_ = lab::session_of(sessions_, lesson_->number);
    session_ = session_of_lesson_.value_or(1) - 1;
    if (auto notes = lab::read_teaching(*lesson_))
      notes_ = std::move(*notes);
    else
      lesson_problem_ = notes.error();
  }
  put_in_order();
  show(lesson_ ? Page::Lesson : Page::Sessions);
  choose_step(bench.step_name());
}

// The step, or the last one before it of which something is said.
void TeachingPage::choose_step(const std::optional<std::string>& step) {
  if (!step) return;
  const auto place = [this](const std::string& name) {
    return std::find_if(notes_.steps.begin(), notes_.steps.end(),
                        [&name](const lab::TeachingStep& each) { return each.name == name; });
  };
  if (place(*step) == notes_.steps.end()) return;  // of an exercise's program
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (place(step_of(items_[i]).name) > place(*step)) break;
    if (!chosen || step_of(items_[*chosen]).name != step_of(items_[i]).name) chosen = i;
  }
  if (chosen) choice_ = *chosen + (session_of_lesson_ ? 1 : 0);  // the session is above them
}

const lab::TeachingStep& TeachingPage::step_of(const Item& item) const {
  return item.ask ? notes_.asks[item.index].step : notes_.shows[item.index].step;
}

// As a class meets them: the questions before a step, and what it shows.
void TeachingPage::put_in_order() {
  for (const lab::TeachingStep& step : notes_.steps) {
    for (std::size_t i = 0; i < notes_.asks.size(); ++i)
      if (notes_.asks[i].step.name == step.name) items_.push_back({true, i});
    for (std::size_t i = 0; i < notes_.shows.size(); ++i)
      if (notes_.shows[i].step.name == step.name) items_.push_back({false, i});
  }
}

void TeachingPage::add_text(Fonts& fonts, lab::Language language) {
  if (std::exchange(text_added_, language) == language) return;
  const auto add = [&](const std::string(&both)[2]) {
    fonts.add_text(both[static_cast<std::size_t>(language)]);
  };
  for (const lab::TeachingStep& step : notes_.steps) add(step.heading);
  for (const lab::TeachingShow& show : notes_.shows) add(show.text);
  for (const lab::TeachingAsk& ask : notes_.asks) {
    add(ask.question), add(ask.expected);
    for (const lab::TeachingWrong& wrong : ask.wrong) add(wrong.heard), add(wrong.reply);
  }
  for (const lab::TeachingSession& session : sessions_) {
    add(session.title), add(session.goal);
    for (const lab::SessionPart& part : session.parts) add(part.step.heading), add(part.what);
  }
  for (const auto* problem : {&lesson_problem_, &sessions_problem_})
    if (*problem) fonts.add_text((*problem)->in(language));
}

void TeachingPage::show(Page page) {
  page_ = page;
  choice_ = 0;
  height_ = 0;
  seeking_ = 3;
}

bool TeachingPage::take(const KeyPress& press) {
  if (press.ctrl || press.alt || press.shift) return false;
  switch (press.key) {
    case Key::Tab:
    case Key::Left:
    case Key::Right:
      show(page_ == Page::Lesson ? Page::Sessions : Page::Lesson);
      return true;
    case Key::PageDown:
    case Key::PageUp:
      page_by_ += press.key == Key::PageDown ? 0.85f : -0.85f;
      return true;
    case Key::Enter:
      enter_ = true;
      return true;
    default:
      if (!walk(press.key, choice_, drawn_)) return false;
      seeking_ = 2;
      return true;
  }
}

bool TeachingPage::choice(Frame& frame, std::string_view label, std::string_view second, bool on) {
  const bool lit = drawn_ == choice_;
  choice_top_ = ImGui::GetCursorPosY();
  const bool pressed = popup_choice(frame, fmt::format("teaching {}", drawn_ + 1).c_str(), label, second,
                                    {.on = on, .lit = lit});
  ++drawn_;
  return pressed || (lit && std::exchange(enter_, false));
}

void TeachingPage::end_of_choice(const Frame& frame) {
  if (drawn_ != choice_ + 1 || seeking_ == 0) return;
  const float scroll = ImGui::GetScrollY(), room = ImGui::GetWindowHeight(), end = ImGui::GetCursorPosY();
  const float top = choice_ == 0 ? 0 : choice_top_;
  if (end > scroll + room) ImGui::SetScrollY(std::min(top, end - room));
  if (top < scroll) ImGui::SetScrollY(top);
  frame.animate();
}

void TeachingPage::draw_ask(Frame& frame, const lab::TeachingAsk& ask) {
  paragraph(frame, in(ask.question, frame));
  labelled(frame, Text::TeachExpected, in(ask.expected, frame));
  for (const lab::TeachingWrong& wrong : ask.wrong) {
    labelled(frame, Text::TeachHeard, in(wrong.heard, frame));
    labelled(frame, Text::TeachReply, in(wrong.reply, frame));
  }
}

void TeachingPage::draw_item(Frame& frame, const Item& item) {
  const lab::TeachingStep& step = step_of(item);
  const std::string words =
      frame.text(item.ask ? Text::TeachAsk : Text::TeachShow, {in(step.heading, frame)});
  if (choice(frame, words, {}, frame.bench.step_name() == step.name))
    frame.post(command::GoTo{.lesson = lesson_->slug,
                             .step = step.name,
                             .moment = item.ask ? Moment::BeforeFirstCall : Moment::End});
  if (item.ask)
    draw_ask(frame, notes_.asks[item.index]);
  else
    paragraph(frame, in(notes_.shows[item.index].text, frame));
  end_of_choice(frame);
  ImGui::Dummy({1, frame.px(8)});
}

void TeachingPage::draw_print(Frame& frame) {
  if (notes_.print.empty()) return;
  title(frame, frame.text(Text::TeachPrint));
  for (const std::string& figure : notes_.print)
    popup_sentence(frame, lab::print_file(*lesson_, figure, frame.language), Role::Text);
}

void TeachingPage::draw_lesson(Frame& frame) {
  if (!lesson_) return popup_sentence(frame, frame.text(Text::TeachPageNoLesson), Role::Text);
  const std::string number = lab::lesson_number(lesson_->number);
  title(frame, frame.text(Text::TeachLesson, {number, in(lesson_->title, frame)}));
  if (session_of_lesson_) {
    const lab::TeachingSession& session = sessions_[*session_of_lesson_ - 1];
    const std::string words =
        frame.text(Text::TeachSession, {std::to_string(*session_of_lesson_), in(session.title, frame)});
    const std::string goal = frame.text(Text::TeachGoal, {in(session.goal, frame)});
    const bool pressed = choice(frame, words, goal);
    end_of_choice(frame);
    ImGui::Dummy({1, frame.px(8)});
    if (pressed) session_ = *session_of_lesson_ - 1, show(Page::Sessions);
  }
  if (lesson_problem_) return popup_sentence(frame, lesson_problem_->in(frame.language), Role::Bad);
  if (items_.empty() && notes_.print.empty())
    return popup_sentence(frame,
                          frame.text(Text::TeachPageNothing, {(lesson_->folder / "teaching.toml").string()}),
                          Role::Text);
  for (const Item& item : items_) draw_item(frame, item);
  draw_print(frame);
}

// A part that is about no lesson cannot be chosen.
void TeachingPage::draw_part(Frame& frame, const lab::SessionPart& part) {
  const std::string minutes = frame.text(Text::LessonsMinutes, {std::to_string(part.minutes)});
  const std::vector<lab::Lesson>& lessons = frame.bench.catalogue().lessons;
  const auto lesson = std::find_if(lessons.begin(), lessons.end(),
                                   [&part](const lab::Lesson& each) { return each.number == part.lesson; });
  if (lesson == lessons.end()) {
    popup_choice(frame, "part", minutes, in(part.what, frame), {.enabled = false});
    return;
  }
  const std::string place = lab::place_words(part, frame.language);
  if (choice(frame, minutes + " · " + place, in(part.what, frame)))
    frame.post(command::GoTo{.lesson = lesson->slug, .step = part.step.name, .moment = Moment::FirstCall});
  end_of_choice(frame);
}

void TeachingPage::draw_sessions(Frame& frame) {
  if (sessions_problem_) return popup_sentence(frame, sessions_problem_->in(frame.language), Role::Bad);
  const lab::TeachingSession& shown = sessions_[session_];
  title(frame, frame.text(Text::TeachSession, {std::to_string(session_ + 1), in(shown.title, frame)}));
  popup_sentence(frame, frame.text(Text::TeachGoal, {in(shown.goal, frame)}), Role::Text);
  ImGui::PushID(static_cast<int>(session_));
  for (std::size_t i = 0; i < shown.parts.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    draw_part(frame, shown.parts[i]);
    ImGui::PopID();
  }
  ImGui::PopID();
  title(frame, frame.text(Text::TeachPageAll));
  std::optional<std::size_t> wanted;
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    const lab::TeachingSession& session = sessions_[i];
    const std::string words =
        frame.text(Text::TeachSession, {std::to_string(i + 1), in(session.title, frame)});
    std::string lessons;
    for (const int lesson : session.lessons)
      (lessons += lessons.empty() ? "" : ", ") += lab::lesson_number(lesson);
    const std::string second = frame.text(Text::LessonsMinutes, {std::to_string(lab::minutes_of(session))}) +
                               " · " + frame.text(Text::TeachPageLessons, {lessons});
    if (choice(frame, words, second, i == session_)) wanted = i;
    end_of_choice(frame);
  }
  if (wanted) session_ = *wanted, show(Page::Sessions);
}

void TeachingPage::draw_page(Frame& frame) {
  drawn_ = 0;
  if (page_ == Page::Lesson)
    draw_lesson(frame);
  else
    draw_sessions(frame);
  end_of_choice(frame);  // what follows the last choice belongs to it, too
}

void TeachingPage::draw(Frame& frame, float most_height) {
  const float head = frame.px(44), foot = frame.px(28), between = ImGui::GetStyle().ItemSpacing.y;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string_view pages[] = {frame.text(Text::TeachPageLesson), frame.text(Text::TeachPageSessions)};
  if (segmented(frame, "teaching page", pages, 2, static_cast<int>(page_)) >= 0)
    show(page_ == Page::Lesson ? Page::Sessions : Page::Lesson);
  const std::string_view name = frame.text(Text::TeachPageButton);
  const float name_width = text_size(frame, name, Face::Bold, Size::Small).x;
  draw_text_middle(frame, from.x + width - name_width - frame.px(8), from.y, frame.px(32),
                   frame.theme[Role::Muted], name, Face::Bold, Size::Small);
  ImGui::SetCursorScreenPos(from);
  ImGui::Dummy({width, head});
  const float room = most_height - head - foot - 3 * between - frame.px(24);
  const bool scrolls = height_ > room || height_ == 0;  // at first it is not known
  compat::begin_child("page", {width, std::max(frame.px(60), scrolls ? room : height_)}, false, 0);
  const int seeking = seeking_;
  if (const float by = std::exchange(page_by_, 0.0f); by != 0)
    ImGui::SetScrollY(ImGui::GetScrollY() + by * ImGui::GetWindowHeight());
  draw_page(frame);
  const float whole = ImGui::GetCursorPosY();
  compat::end_child();
  enter_ = false;
  if (seeking_ > 0 && seeking_ == seeking)
    --seeking_;  // a page that was just chosen begins in the next frame
  if (std::exchange(height_, whole) != whole || seeking_ > 0) frame.animate();
  popup_heading(frame, frame.text(Text::TeachPageHint));
}

}  // namespace gui
