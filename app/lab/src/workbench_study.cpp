// SPDX-License-Identifier: MIT
// The part of the workbench for studying: the exercises and their verdict, and the progress. Part of
// Workbench (workbench.hpp).
#include <algorithm>

#include "workbench_impl.hpp"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

LessonProgress* Workbench::Impl::progress_of_lesson() {
  return base ? &progress.lessons[base->slug] : nullptr;
}

ExerciseProgress& Workbench::Impl::progress_of_exercise() {
  return progress_of_lesson()->exercises[exercise()->name];
}

bool Workbench::Impl::in_exercise() const {
  return exercise() != nullptr && lesson && lesson->sources.front() == exercise()->start;
}

// In the background, one after the other: saving waits for the disk, and a frame must not wait.
void Workbench::Impl::keep_progress() {
  const std::shared_future<std::optional<Problem>> before = writing.share();
  const auto write = [before, path = progress_path(home.path), now = progress,
                      wake = wake]() -> std::optional<Problem> {
    if (before.valid()) before.wait();
    Progress both = read_progress(path);
    merge(both, now);
    const auto written = write_progress(path, both);
    (*wake)();
    if (written) return std::nullopt;
    return written.error();
  };
  writing = std::async(std::launch::async, write);
  write_again.reset();
}

// A failure is reported once; the progress is written again with the next change or some time later.
bool Workbench::Impl::take_written_progress() {
  if (write_again && Clock::now() >= *write_again) keep_progress();
  if (!writing.valid() || writing.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return false;
  const std::optional<Problem> failed = writing.get();
  const bool said = progress_problem.has_value();
  if (said) problems.withdraw(*std::exchange(progress_problem, std::nullopt));
  if (!failed) return said;
  write_again = Clock::now() + kTryAgain;
  progress_problem =
      failed->key == Text::FileCannotWrite ? Problem{Text::ProgressNotSaved, failed->values} : failed;
  report(*progress_problem);
  return true;
}

// Before the window closes there is one more try.
void Workbench::Impl::finish_progress() {
  if (!writing.valid() && !write_again) return;
  if (writing.valid() && !writing.get()) return;
  keep_progress();
  writing.wait();
}

// A check is judged once the model has seen the run's last event.
void Workbench::Impl::take_end() {
  if (end_taken || !session || replay || session->running() || !base) return;
  if (model->moments() != session->store().size()) return;
  end_taken = true;
  keep_last_run();
  if (const auto trouble = session->trouble()) report(*trouble);
  const std::optional<RunEnd> end = session->end();
  LessonProgress& mine = *progress_of_lesson();
  const LessonProgress before = mine;
  if (!in_exercise() && end && end->kind == trace::EndKind::Exit) mine.ran = true;
  if (checking && exercise() != nullptr && end) {
    verdict = judge(exercise()->expect, *model, session->store(), *end);
    count_check(progress_of_exercise(), verdict->passed());
  }
  checking = false;
  if (!(mine == before)) keep_progress();
}

void Workbench::Impl::begin_score() {
  score = {};
  if (const LessonProgress* mine = progress_of_lesson()) {
    score.asked = static_cast<std::size_t>(mine->predicted);
    score.right = static_cast<std::size_t>(mine->predicted_right);
  }
}

void Workbench::Impl::take_answers() {
  const bool over =
      !session || replay || (!session->running() && model->moments() == session->store().size());
  const std::vector<bool> news = predictions.follow(*model, store(), over);
  if (news.empty()) return;
  for (const bool right : news) score.add(right);
  // A recording already contains the answers: only the student's own runs count for the course.
  if (replay || !base) return;
  LessonProgress& mine = *progress_of_lesson();
  mine.predicted += static_cast<int>(news.size());
  mine.predicted_right += static_cast<int>(std::count(news.begin(), news.end(), true));
  keep_progress();
}

void Workbench::set_predicting(bool on) {
  impl_->predicting = on;
}
bool Workbench::predicting() const {
  return impl_->predicting;
}

const Question* Workbench::question() {
  if (!impl_->predicting) return nullptr;
  return impl_->predictions.before(*impl_->model, impl_->store(), impl_->cursor, pending());
}

void Workbench::answer(std::size_t choice) {
  if (question() == nullptr) return;
  if (const auto held = impl_->predictions.answer(choice, *impl_->model, impl_->store())) {
    impl_->go_to(impl_->model->moments());
    impl_->session->step(held->thread);
    return;
  }
  const auto event = impl_->predictions.event_asked();
  impl_->take_answers();
  if (event)
    impl_->go_to(*event + 1);
  else
    jump_to_call(call_at_cursor());
}

const Prediction* Workbench::prediction() const {
  if (!impl_->predicting) return nullptr;
  return impl_->predictions.at(impl_->store(), impl_->cursor, impl_->model->moments());
}

const Score& Workbench::score() const {
  return impl_->score;
}

const std::vector<Exercise>& Workbench::exercises() const {
  return impl_->exercises;
}
const Exercise* Workbench::exercise() const {
  return impl_->exercise();
}
bool Workbench::in_exercise() const {
  return impl_->in_exercise();
}

void Workbench::Impl::leave_run() {
  show(empty);
  forget_last_run();
  session.reset();
  build.reset();
  build_failed = false;
  run_sources.clear();
}

void Workbench::enter_exercise(bool on) {
  if (!exercise() || !impl_->base || on == in_exercise() || impl_->replay) return;
  if (!impl_->open_files.save()) return;
  stop();
  impl_->leave_run();
  impl_->open(on ? exercise_as_lesson(*impl_->base, *exercise()) : *impl_->base);
}

void Workbench::choose_exercise(std::string_view name) {
  const Exercise* other = exercise_named(impl_->exercises, name);
  if (other == nullptr || other == exercise()) return;
  const bool open = in_exercise();
  if (open) {
    if (impl_->replay || !impl_->open_files.save()) return;
    stop();
    impl_->leave_run();
  }
  impl_->chosen = static_cast<std::size_t>(other - impl_->exercises.data());
  impl_->solution.clear();
  impl_->verdict.reset();
  if (open) impl_->open(exercise_as_lesson(*impl_->base, *other));
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
  return impl_->verdict ? &*impl_->verdict : nullptr;
}
std::size_t Workbench::hints_shown() const {
  if (exercise() == nullptr) return 0;
  const auto shown = impl_->hints.find(exercise()->name);
  return shown == impl_->hints.end() ? 0 : shown->second;
}

void Workbench::show_hint() {
  if (exercise() == nullptr || hints_shown() >= exercise()->hints.size()) return;
  const int shown = static_cast<int>(++impl_->hints[exercise()->name]);
  ExerciseProgress& mine = impl_->progress_of_exercise();
  if (shown <= mine.hints) return;
  mine.hints = shown;
  impl_->keep_progress();
}

ExerciseProgress Workbench::progress_of(const Exercise& one) const {
  return impl_->base ? lab::progress_of(impl_->progress, *impl_->base, one.name) : ExerciseProgress();
}

const std::string& Workbench::solution() {
  if (exercise() == nullptr || !impl_->base || !impl_->open_files.is_open()) return impl_->solution;
  const Language language = impl_->open_files.language_of(exercise()->start);
  if (auto text = impl_->open_files.original(exercise()->solution, language))
    impl_->solution = std::move(*text);
  else
    impl_->report(text.error());
  ExerciseProgress& mine = impl_->progress_of_exercise();
  if (mine.passed_at.empty() && !mine.solution_seen) mine.solution_seen = true, impl_->keep_progress();
  return impl_->solution;
}

const Progress& Workbench::progress() const {
  return impl_->progress;
}

// The exercise of a lesson is a lesson in the same folder: what was answered stays answered.
void Workbench::Impl::take_quiz(const Lesson& opened) {
  if (quiz_of == opened.folder) return;
  quiz_of = opened.folder;
  quiz.clear();
  if (auto questions = read_quiz(opened))
    quiz = std::move(*questions);
  else
    report(questions.error());
  quiz_tried.clear();
  for (const QuizQuestion& question : quiz) quiz_tried.emplace_back(question.answers.size(), false);
}

const std::vector<QuizQuestion>& Workbench::quiz() const {
  return impl_->quiz;
}

bool Workbench::quiz_tried(std::size_t question, std::size_t answer) const {
  return impl_->quiz_tried.at(question).at(answer);
}

bool Workbench::quiz_solved(std::size_t question) const {
  const auto& answers = impl_->quiz.at(question).answers;
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (answers[i].right) return quiz_tried(question, i);
  return false;
}

void Workbench::answer_quiz(std::size_t question, std::size_t answer) {
  if (!impl_->lesson || question >= impl_->quiz.size()) return;
  const auto& answers = impl_->quiz[question].answers;
  if (answer >= answers.size()) return;
  impl_->quiz_tried[question][answer] = true;
  LessonProgress& mine = impl_->progress.lessons[impl_->lesson->slug];
  const LessonProgress before = mine;
  count_quiz_answer(mine, question, answers[answer].right);
  if (!(mine == before)) impl_->keep_progress();
}

QuizScore Workbench::quiz_score() const {
  if (!impl_->lesson) return {};
  const auto found = impl_->progress.lessons.find(impl_->lesson->slug);
  return found == impl_->progress.lessons.end() ? QuizScore{} : lab::quiz_score(found->second);
}

}  // namespace lab
