// SPDX-License-Identifier: MIT
// What the shell does for studying: search, progress for the teacher, notices of success. Part of Shell
// (shell.hpp).
#include <algorithm>

#include "lab/files.hpp"
#include "lab/progress.hpp"
#include "lab/wall_clock.hpp"
#include "popups.hpp"
#include "shell.hpp"
#include "widgets.hpp"

namespace gui {

using lab::Text;

void Shell::read_glossary(const std::filesystem::path& assets) {
  glossary_ = lab::read_glossary(assets / "glossary.toml");
  for (const lab::Problem& problem : glossary_.problems) add_problem(problem);
}

void Shell::say(lab::Problem notice) {
  // What is said again replaces what was said.
  std::erase_if(notices_,
                [&](const lab::Problem& each) { return each.in(language_) == notice.in(language_); });
  notices_.push_back(std::move(notice));
  notices_since_ = -1;
}

void Shell::export_progress() {
  const std::filesystem::path file = lab::data_home().path / lab::local_time("progress-%Y-%m-%d.csv");
  const std::string csv = lab::progress_csv(bench_.progress(), bench_.catalogue(), language_);
  if (const auto written = lab::write_file(file, csv); !written) return add_problem(written.error());
  say({Text::ExerciseExported, {file.string()}});
}

void Shell::set_predicting(bool on) {
  settings_.predict = on;
  bench_.set_predicting(on);
}

// Digits answer a question that is on the screen; in the editor and in a field, where they are text, with
// Alt. The question about the next call comes first, unless the notes have the keyboard.
bool Shell::answer_takes(const KeyPress& press) {
  if (popup_ != Popup::None || press.ctrl || press.shift || press.repeat) return false;
  if (press.key < Key::Digit0 || press.key > Key::Digit9) return false;
  if (press.alt != (selection_.editor_focused || selection_.typing)) return false;
  const auto number = static_cast<std::size_t>(press.key) - static_cast<std::size_t>(Key::Digit0);
  const bool about_call = predict_card_.asking();
  if (number == 0 && selection_.focus == "notes" && !selection_.quiz.in_sight) return return_to_questions();
  if (selection_.quiz.in_sight && (selection_.focus == "notes" || !about_call)) return quiz_takes(number);
  const lab::Question* question = about_call ? bench_.question() : nullptr;
  if (question == nullptr || number == 0 || number > question->choices.size()) return false;
  bench_.answer(number - 1);
  return true;
}

// 1 and up: the answers of the question that is asked; 0: the step that the last answer was about.
bool Shell::quiz_takes(std::size_t number) {
  const std::vector<lab::QuizQuestion>& quiz = bench_.quiz();
  const std::optional<std::size_t> meant = number == 0 ? selection_.quiz_answered : selection_.quiz.asked;
  if (!meant || *meant >= quiz.size()) return false;
  const lab::QuizQuestion& question = quiz[*meant];
  if (number > question.answers.size()) return false;
  if (number == 0) {
    show_step(question.about);
  } else {
    bench_.answer_quiz(*meant, number - 1);
    selection_.quiz_answered = meant;
    selection_.quiz_told = {*meant, number - 1};
  }
  return true;
}

// From wherever the notes are, to the first question that is not solved.
bool Shell::return_to_questions() {
  const std::size_t count = bench_.quiz().size();
  if (count == 0) return false;
  std::size_t first = 0;
  while (first < count && bench_.quiz_solved(first)) ++first;
  side_exercise_ = false;
  go_to_question(first % count);
  return true;
}

// In the notes, and in the run where it has come so far.
void Shell::show_step(const std::string& step) {
  const std::vector<std::size_t> calls = bench_.calls_of_step(step);
  if (!calls.empty()) bench_.jump_to_call(calls.front());
  selection_.go_to_step = step;
}

void Shell::show_question(std::size_t question) {
  maximized_ = Panel::Notes;
  side_exercise_ = false;
  go_to_question(question);
}

bool Shell::go_to_notes(const std::string& lesson, const std::string& step) {
  if (bench_.lesson() == nullptr || bench_.lesson()->slug != lesson) {
    open_lesson(lesson);
    if (popup_ == Popup::Unkept) return false;  // it has to be found again; the text comes first
    follow_run();                               // the place of last time is not the one that was looked for
  }
  tab_ = Tab::Notes;
  side_exercise_ = false;
  maximized_ = maximized_ == Panel::Notes ? maximized_ : Panel::None;
  selection_.go_to_step = step;
  popup_ = Popup::None;
  return true;
}

void Shell::open_hit(const lab::SearchHit& hit) {
  if (!go_to_notes(hit.lesson, hit.step)) return;
  if (!hit.exercise.empty()) open(std::string(lab::kOneExercise) + hit.exercise);
  if (hit.language != language_) act(Action::SwitchLanguage);
}

// What is shown is there after the step, and what is asked is about its first call.
void Shell::go_to_place(const TeachingPage::Place& place) {
  if (!go_to_notes(place.lesson, place.step)) return;
  const std::vector<std::size_t> calls = bench_.calls_of_step(place.step);
  if (calls.empty()) return;
  using At = TeachingPage::Place::At;
  if (place.at == At::End)
    bench_.jump_to_call(calls.back());
  else if (place.at == At::FirstCall)
    bench_.jump_to_call(calls.front());
  else if (calls.front() > 0)
    bench_.jump_to_call(calls.front() - 1);
  else
    bench_.jump(0);
}

bool Shell::search_takes(const KeyPress& press) {
  // Home and End are the field's.
  if (press.key != Key::Home && press.key != Key::End && walk(press.key, hit_choice_, hits_.size()))
    return true;
  if (press.key == Key::Enter) {
    if (hit_choice_ < hits_.size()) open_hit(lab::SearchHit(hits_[hit_choice_]));
    return true;
  }
  return search_field_.take(press);
}

void Shell::draw_search(Frame& frame) {
  if (!search_) search_ = lab::LessonSearch::create(bench_.catalogue());
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  search_field_.draw(frame, {from.x, from.y, width, frame.px(40)}, frame.text(Text::SearchField),
                     Icon::Search);
  ImGui::Dummy({width, frame.px(46)});
  const std::string query = search_field_.text();
  if (query != searched_ || searched_in_ != language_) {
    searched_ = query, searched_in_ = language_;
    hits_ = search_->find(query, language_, 40);
    hit_choice_ = 0;
  }
  if (!query.empty() && hits_.empty()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(frame, {at.x + frame.px(12), at.y + frame.px(6)}, frame.theme[Role::Muted],
              frame.text(Text::SearchNone));
    ImGui::Dummy({width, frame.px(34)});
  }
  std::optional<lab::SearchHit> chosen;
  for (std::size_t i = 0; i < hits_.size(); ++i) {
    const lab::SearchHit& hit = hits_[i];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float tall = frame.px(50), room = ImGui::GetContentRegionAvail().x;
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("hit", {room, tall})) chosen = hit;
    const bool hovered = ImGui::IsItemHovered() && !still_;
    draw_focus(frame, at, {at.x + room, at.y + tall});
    ImGui::PopID();
    if (i == hit_choice_) keep_choice_in_sight(i);
    if (frame.places != nullptr)
      (*frame.places)["hit " + std::to_string(i)] = {at.x + room / 2, at.y + tall / 2};
    if (hovered || i == hit_choice_)
      draw_card(frame, at, {at.x + room, at.y + tall},
                frame.theme[i == hit_choice_ ? Role::AccentSoft : Role::Hover], 0);
    std::string head = (hit.number < 10 ? "0" : "") + std::to_string(hit.number) + "  " + hit.title;
    if (!hit.step.empty()) head += "  ·  " + frame.text(Text::SearchStep, {hit.step});
    if (!hit.exercise.empty()) head += "  ·  " + frame.text(Text::SearchExercise, {hit.exercise_title});
    draw_text(frame, {at.x + frame.px(12), at.y + frame.px(6)}, frame.theme[Role::Text], head, Face::Bold,
              Size::Body, room - frame.px(24), Cut::Meant);
    for (const auto& [begin, length] : hit.found) {
      const std::string_view whole = hit.excerpt;
      const float x = at.x + frame.px(12) + text_size(frame, whole.substr(0, begin), Face::Ui, Size::Small).x;
      const float end = x + text_size(frame, whole.substr(begin, length), Face::Ui, Size::Small).x;
      if (end >= at.x + room - frame.px(24)) continue;
      const float high = frame.fonts.height(Face::Ui, Size::Small), top = at.y + frame.px(27);
      ImGui::GetWindowDrawList()->AddRectFilled({x - 1, top}, {end + 1, top + high},
                                                frame.theme[Role::CautionSoft], frame.px(3));
      if (frame.places != nullptr)
        frame.places->emplace("mark of hit " + std::to_string(i), ImVec2{(x + end) / 2, top + high / 2});
    }
    draw_text(frame, {at.x + frame.px(12), at.y + frame.px(27)}, frame.theme[Role::Muted], hit.excerpt,
              Face::Ui, Size::Small, room - frame.px(24), Cut::Meant);
  }
  if (chosen) open_hit(*chosen);
}

}  // namespace gui
