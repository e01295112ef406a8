// SPDX-License-Identifier: MIT
// See presenter_walk.hpp.
#include "presenter_walk.hpp"

#include <algorithm>
#include <memory>

#include "lab/nesting.hpp"

namespace gui {
namespace {

using lab::RunPhase;

constexpr std::size_t kMostInside = 256;  // calls inside one call

std::size_t moment_before(const trace::Store& store, std::size_t call) {
  return call == 0 ? 0 : store.event_of_call(call - 1) + 1;
}

// The first of the calls inside this one, which come before it in the store; itself if there are none.
std::size_t first_inside(const trace::Store& store, std::size_t call) {
  const std::uint32_t thread = store.thread_at(store.event_of_call(call));
  std::size_t first = call;
  while (first > 0 && call - first < kMostInside) {
    const std::size_t event = store.event_of_call(first - 1);
    if (store.depth_at(event) == 0 || store.thread_at(event) != thread) break;
    --first;
  }
  return first;
}

// The call that will run first of those that are held.
const trace::Pending* held_call(const std::vector<trace::Pending>& pending) {
  const trace::Pending* held = nullptr;
  for (const trace::Pending& call : pending)
    if (call.held && (held == nullptr || call.call.t_ns < held->call.t_ns)) held = &call;
  return held;
}

}  // namespace

bool PresenterWalk::over(const lab::Workbench& bench) {
  const RunPhase phase = bench.phase();
  // What a program does after its last call changes nothing here.
  return bench.call_at_cursor() == bench.store().calls() && !bench.loading() &&
         (phase == RunPhase::Ended || phase == RunPhase::Replaying);
}

void PresenterWalk::show_call(lab::Workbench& bench) {
  stop_ = Stop::Call;
  calls_ = bench.call_at_cursor();
  waits_ = false;
  asked_.reset(), outcome_.reset(), chosen_.reset();
}

bool PresenterWalk::show_question(lab::Workbench& bench) {
  const trace::Store& store = bench.store();
  const std::size_t calls = bench.call_at_cursor(), known = store.calls_before(bench.model().moments());
  std::optional<Asked> asked;
  trace::Event call;
  if (calls < known) {
    const auto event = lab::outermost(store, store.event_of_call(calls));
    if (!event || *event >= bench.model_of(*event).moments()) return false;
    call = store.at(*event);
    const std::size_t moment = moment_before(store, calls);
    if (auto question = lab::question_before(bench.model_of(*event).aside(moment), call))
      asked = Asked{std::move(*question), moment, event};
  } else {
    const std::vector<trace::Pending> pending = bench.pending();
    const trace::Pending* held = held_call(pending);
    if (held == nullptr) return false;
    call = held->call;
    if (auto question = lab::question_before(bench.model().aside(bench.model().moments()), call))
      asked = Asked{std::move(*question), bench.model().moments(), std::nullopt};
  }
  if (!asked) return false;
  show_call(bench);
  stop_ = Stop::Question;
  asked_ = std::move(asked);
  call_ = call.name;
  return true;
}

bool PresenterWalk::show_answer(lab::Workbench& bench) {
  const trace::Store& store = bench.store();
  const std::size_t calls = bench.call_at_cursor();
  if (calls == 0) return false;
  const std::size_t event = store.event_of_call(calls - 1);
  if (store.depth_at(event) > 0 || event >= bench.model_of(event).moments()) return false;
  const std::size_t first = first_inside(store, calls - 1);
  if (lab::outermost(store, store.event_of_call(first)) != event) return false;
  const lab::Model& model = bench.model_of(event);
  const trace::Event call = store.at(event);
  const std::size_t asked = moment_before(store, first);
  auto question = lab::question_before(model.aside(asked), call);
  if (!question) return false;
  const auto chosen = chosen_;
  show_call(bench);
  stop_ = Stop::Answer;
  chosen_ = chosen;
  call_ = call.name;
  // Other threads go on meanwhile, so a call that makes none itself is compared with the moment at its end.
  const std::size_t from = first == calls - 1 ? event : asked;
  const auto before = std::make_unique<const lab::State>(model.aside(from));  // the next aside() ends it
  outcome_ = lab::outcome_of(*question, *before, model.aside(event + 1), call);
  asked_ = Asked{std::move(*question), asked, event};
  return true;
}

void PresenterWalk::follow(lab::Workbench& bench) {
  const std::size_t calls = bench.call_at_cursor();
  if (calls == calls_) {
    if (waits_ && over(bench)) show_call(bench);  // it never returned
    return;
  }
  if (!waits_) return show_call(bench);
  calls_ = calls;
  // The calls inside it return first.
  if (calls > 0 && bench.store().depth_at(bench.store().event_of_call(calls - 1)) > 0) return;
  if (!show_answer(bench)) show_call(bench);
}

// To the next call, or what comes after the last one.
void PresenterWalk::go_on(lab::Workbench& bench) {
  if (show_question(bench)) return;
  if (over(bench)) {
    if (bench.quiz().empty()) return;
    stop_ = Stop::QuizQuestion;
    quiz_ = 0;
    chosen_.reset();
    return;
  }
  bench.step();
  show_call(bench);
}

void PresenterWalk::forward(lab::Workbench& bench) {
  follow(bench);
  switch (stop_) {
    case Stop::Call:
      return go_on(bench);
    case Stop::Question:
      if (asked_ && asked_->event) {
        bench.jump(*asked_->event + 1);
        if (!show_answer(bench)) show_call(bench);
      } else if (!waits_ || bench.phase() == RunPhase::Held) {
        waits_ = true;
        bench.step();
      }
      return;
    case Stop::Answer:
      return show_call(bench);
    case Stop::QuizQuestion:
      stop_ = Stop::QuizAnswer;
      return;
    case Stop::QuizAnswer:
      if (quiz_ + 1 >= bench.quiz().size()) return;
      ++quiz_;
      stop_ = Stop::QuizQuestion;
      chosen_.reset();
      return;
  }
}

void PresenterWalk::back(lab::Workbench& bench) {
  follow(bench);
  switch (stop_) {
    case Stop::Call:
      if (show_answer(bench)) return;
      bench.back();
      return show_call(bench);
    case Stop::Question:
      return show_call(bench);
    case Stop::Answer:
      bench.jump(asked_->moment);
      if (!show_question(bench)) show_call(bench);
      return;
    case Stop::QuizQuestion:
      chosen_.reset();
      if (quiz_ == 0) return show_call(bench);
      --quiz_;
      stop_ = Stop::QuizAnswer;
      return;
    case Stop::QuizAnswer:
      stop_ = Stop::QuizQuestion;
      chosen_.reset();
      return;
  }
}

bool PresenterWalk::choose(std::size_t answer, lab::Workbench& bench) {
  follow(bench);
  const bool quiz = stop_ == Stop::QuizQuestion;
  if (!quiz && (stop_ != Stop::Question || waits_)) return false;
  const std::size_t answers = quiz ? bench.quiz().at(quiz_).answers.size() : asked_->question.choices.size();
  if (answer >= answers) return false;
  chosen_ = answer;
  forward(bench);
  return true;
}

bool PresenterWalk::take(const KeyPress& press, lab::Workbench& bench) {
  if (press.ctrl || press.shift || press.alt) return false;
  switch (press.key) {
    case Key::PageDown:
    case Key::Right:
      forward(bench);
      return true;
    case Key::PageUp:
    case Key::Left:
      back(bench);
      return true;
    case Key::Home:
      bench.jump(0);
      show_call(bench);
      return true;
    case Key::End:
      bench.jump(bench.model().moments());
      show_call(bench);
      return true;
    default:
      if (press.key < Key::Digit1 || press.key > Key::Digit9 || press.repeat) return false;
      choose(static_cast<std::size_t>(press.key) - static_cast<std::size_t>(Key::Digit1), bench);
      return true;
  }
}

}  // namespace gui
