// SPDX-License-Identifier: MIT
// The part of the workbench for studying: exercises and their progress (study.hpp), questions at the end
// (open_quiz.hpp) and before calls (predictions.hpp). Part of Workbench (workbench.hpp).
#include "workbench/workbench_impl.hpp"

namespace lab {
namespace {

// A longer run is compared with the run before only when the user asks for it.
constexpr std::size_t kMostCallsOfGhost = 100'000;

}  // namespace

// A check is judged once the model has seen the run's last event.
void Workbench::Impl::take_end() {
  if (!end_taken && shown.ended() && !second_run.other() && shown.store().calls() <= kMostCallsOfGhost)
    second_run.choose_run_before();
  if (end_taken || !shown.ended() || (study.lesson() == nullptr && !program)) return;
  if (program) {
    end_taken = true;
    if (const auto trouble = shown.session()->trouble()) report(*trouble);
    if (shown.store().calls() == 0) report({Text::CliNoCalls, {program->command}});
    return;
  }
  end_taken = true;
  keep_last_run();
  const Session& session = *shown.session();
  if (const auto trouble = session.trouble()) report(*trouble);
  const Study::Ran ran = checking        ? Study::Ran::Check
                         : in_exercise() ? Study::Ran::Exercise
                                         : Study::Ran::Lesson;
  if (const auto end = session.end()) study.take_end(ran, shown.cursor().model(), session.store(), *end);
  checking = false;
}

void Workbench::Impl::take_answers() {
  const bool over = !shown.session() || shown.ended();
  // A recording already contains the answers.
  study.take_answers(shown.predictions().follow(shown.cursor().model(), shown.store(), over),
                     shown.recording() ? Study::Counting::ForScore : Study::Counting::ForProgress);
}

void Workbench::set_predicting(bool on) {
  impl_->predicting = on;
}
bool Workbench::predicting() const {
  return impl_->predicting;
}

const Question* Workbench::question() {
  if (!impl_->predicting) return nullptr;
  return impl_->shown.predictions().before(impl_->shown.cursor().model(), impl_->shown.store(), cursor(),
                                           pending());
}

void Workbench::answer(std::size_t choice) {
  if (question() == nullptr) return;
  ShownRun& shown = impl_->shown;
  if (const auto held = shown.predictions().answer(choice, shown.cursor().model(), shown.store())) {
    shown.cursor().go_to_end();
    return shown.session()->step(held->thread);
  }
  const auto event = shown.predictions().event_asked();
  impl_->take_answers();
  if (event)
    jump(*event + 1);
  else
    jump_to_call(call_at_cursor());
}

const Prediction* Workbench::prediction() const {
  if (!impl_->predicting) return nullptr;
  return impl_->shown.predictions().at(impl_->shown.store(), cursor(), impl_->shown.cursor().moments());
}

const Score& Workbench::score() const {
  return impl_->study.score();
}
const Progress& Workbench::progress() const {
  return impl_->progress_file.progress();
}

const std::vector<Exercise>& Workbench::exercises() const {
  return impl_->study.exercises();
}
const Exercise* Workbench::exercise() const {
  return impl_->study.exercise();
}
bool Workbench::in_exercise() const {
  return impl_->in_exercise();
}

void Workbench::Impl::open_exercise(const Lesson& other) {
  forget_last_run();
  shown.show_nothing();
  builds.forget();
  open(other);
}

void Workbench::enter_exercise(bool on) {
  const Lesson* const lesson = impl_->study.lesson();
  if (!exercise() || !lesson || on == in_exercise() || impl_->shown.recording()) return;
  if (!impl_->lesson.files().save()) return;
  stop();
  impl_->open_exercise(on ? exercise_as_lesson(*lesson, *exercise()) : *lesson);
}

void Workbench::choose_exercise(std::string_view name) {
  const Exercise* other = exercise_named(exercises(), name);
  if (other == nullptr || other == exercise()) return;
  const bool open = in_exercise();
  if (open) {
    if (impl_->shown.recording() || !impl_->lesson.files().save()) return;
    stop();
  }
  impl_->study.choose(*other);
  if (open) impl_->open_exercise(exercise_as_lesson(*impl_->study.lesson(), *other));
}

void Workbench::check() {
  enter_exercise(true);
  if (!in_exercise()) return;
  impl_->checking = true;
  impl_->start_build(false);
}

bool Workbench::checking() const {
  return impl_->checking;
}
const Verdict* Workbench::verdict() const {
  return impl_->study.verdict();
}
std::size_t Workbench::hints_shown() const {
  return impl_->study.hints_shown();
}
void Workbench::show_hint() {
  impl_->study.show_hint();
}
ExerciseProgress Workbench::progress_of(const Exercise& one) const {
  return impl_->study.progress_of(one);
}

const std::string& Workbench::solution() {
  const OpenFiles& files = impl_->lesson.files();
  if (exercise() != nullptr && files.is_open())
    impl_->study.show_solution(files.original(exercise()->solution, files.language_of(exercise()->start)));
  return impl_->study.solution();
}

const std::vector<QuizQuestion>& Workbench::quiz() const {
  return impl_->lesson.quiz().questions();
}
bool Workbench::quiz_tried(std::size_t question, std::size_t answer) const {
  return impl_->lesson.quiz().tried(question, answer);
}
bool Workbench::quiz_solved(std::size_t question) const {
  return impl_->lesson.quiz().solved(question);
}
void Workbench::answer_quiz(std::size_t question, std::size_t answer) {
  impl_->lesson.quiz().answer(question, answer);
}
QuizScore Workbench::quiz_score() const {
  return impl_->lesson.quiz().score();
}

}  // namespace lab
