// SPDX-License-Identifier: MIT
// A presenter's way through a lesson with two keys: the calls, before some of them the question what they
// will do and then its answer, and at the end the questions of the lesson.
//
// The cursor is the workbench's. The walk keeps what is shown at it; if the cursor is moved by anything else,
// the call there is shown. Answers given here are those of a class and count for nobody's progress. Depends
// neither on ImGui nor on the panels.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "input.hpp"
#include "lab/workbench.hpp"

namespace gui {

class PresenterWalk {
 public:
  enum class Stop : std::uint8_t {
    Call,          // the call before the cursor
    Question,      // what the next call will do
    Answer,        // what the call before the cursor did
    QuizQuestion,  // of the end of the lesson
    QuizAnswer
  };

  void begin() { *this = PresenterWalk(); }  // another run
  // Before each key and each frame: the cursor may have moved, and a call may have returned.
  void follow(lab::Workbench& bench);
  // Page Down and →, Page Up and ←, Home, End, and the number of an answer; false for other keys.
  bool take(const KeyPress& press, lab::Workbench& bench);
  void forward(lab::Workbench& bench);
  void back(lab::Workbench& bench);
  bool choose(std::size_t answer,
              lab::Workbench& bench);  // false: nothing is asked, or it has no such answer

  Stop stop() const { return stop_; }
  // At Question and Answer.
  const lab::Question* question() const { return asked_ ? &asked_->question : nullptr; }
  const std::string& call() const { return call_; }  // the name of the call that it is about
  // At Answer; nothing if the driver's answer cannot be seen (lab::outcome_of).
  const lab::Outcome* outcome() const { return outcome_ ? &*outcome_ : nullptr; }
  std::optional<std::size_t> chosen() const { return chosen_; }  // by the class
  std::size_t quiz() const { return quiz_; }                     // which one, at the last two

 private:
  struct Asked {
    lab::Question question;
    std::size_t moment = 0;  // before the call
    std::optional<std::size_t> event;
  };
  void show_call(lab::Workbench& bench);
  bool show_question(lab::Workbench& bench);  // false: none about the next call
  bool show_answer(lab::Workbench& bench);    // false: there was none about the last call
  void go_on(lab::Workbench& bench);
  static bool over(const lab::Workbench& bench);

  Stop stop_ = Stop::Call;
  std::size_t calls_ = 0;  // before the cursor, when it was last looked at
  bool waits_ = false;     // the call that was asked about runs
  std::optional<Asked> asked_;
  std::string call_;
  std::optional<lab::Outcome> outcome_;
  std::optional<std::size_t> chosen_;
  std::size_t quiz_ = 0;
};

}  // namespace gui
