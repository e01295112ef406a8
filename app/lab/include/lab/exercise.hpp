// SPDX-License-Identifier: MIT
// The exercises of a lesson: their tasks, their hints, and what the recorded calls of a solution must show.
//
// A solution is judged by its calls, never by its text: any program that does the right thing passes. The
// exercises are read strictly, with file and line in each message, like the rest of lesson.toml. Nothing here
// depends on a window.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/catalogue.hpp"
#include "lab/model.hpp"
#include "lab/run_end.hpp"

namespace lab {

// The table [exercise.expect]; an absent key is not checked.
struct Expectations {
  struct Count {  // "cuMemAlloc = 3"
    std::string call;
    int times = 0;
  };
  struct Order {  // "cuEventRecord < cuStreamWaitEvent"
    std::string first, then;
  };
  std::optional<int> exit_status = {};
  std::vector<std::string> calls = {};  // each succeeded at least once
  std::vector<std::string> every_device =
      {};                                 // each succeeded for every device that cuDeviceGetCount counted
  std::vector<std::string> never = {};    // not called at all
  std::vector<Count> at_least = {};       // each succeeded so many times or more
  std::vector<Count> at_most = {};        // each was called so many times or fewer, failures included
  std::vector<Order> order = {};          // the first success of one came before that of the other
  std::vector<std::string> results = {};  // "CALL = RESULT": the call returned this at least once
  std::vector<std::string> objects = {};  // made at some time, by the model's names: "M1.vecAdd", "S2"
  bool no_errors = false;
  std::optional<std::vector<std::string>> allowed_errors = {};  // no errors but these
  // After the last call, nothing is left that the program has to end: allocations of every kind, created
  // contexts, retained primary contexts, modules, libraries, streams, events, graphs, pools and the like.
  bool no_leaks = false;
  // Nothing of that ended only because its context did: each was freed, unloaded or destroyed by a call of
  // its own.
  bool each_ended = false;
  std::optional<std::vector<std::string>> final_stack = {};  // of the main thread, bottom first
};

// What a student does: mend a program, write one from a nearly blank file, write down what calls will return
// before they are made, or build the small project at the end of a part.
enum class Grade { Repair, Write, Predict, Project };
Text words_of(Grade grade);

// With the name of an exercise behind it, one exercise of the open lesson where panels are named.
constexpr std::string_view kOneExercise = "exercise:";

struct Exercise {
  struct Hint {
    std::string text[2];  // by Language
  };
  // A typical wrong solution, and words of the English finding that rejects it; tested.
  struct WrongAnswer {
    std::string file;  // relative to the lesson's folder
    std::string fails_with;
  };
  std::string name;  // unique in its lesson: lower case letters, digits and _
  Grade grade = Grade::Repair;
  std::string title[2], task[2];  // by Language
  std::vector<Hint> hints;
  std::string start, solution;   // relative to the lesson's folder
  std::string start_fails_with;  // words of the English finding that rejects the start; tested
  std::vector<WrongAnswer> wrong;
  Expectations expect;
};

// The tables [[exercise]] in their order; empty if the lesson has none. A single table [exercise], as written
// for earlier versions, is one exercise with the name kFirstExercise and the grade Repair.
Result<std::vector<Exercise>> read_exercises(const Lesson& lesson);
// nullptr if there is none of this name.
const Exercise* exercise_named(const std::vector<Exercise>& exercises, std::string_view name);
// The lesson with the exercise's starting file instead of its own program, to be opened, built and run.
Lesson exercise_as_lesson(const Lesson& lesson, const Exercise& exercise);

struct Finding {
  bool held = false;
  Problem sentence;                  // the result of this check, good or bad
  std::optional<std::size_t> event;  // the call that shows it
};
struct Verdict {
  std::vector<Finding> findings;
  bool passed() const;
};
// The model must have followed the store to its end.
Verdict judge(const Expectations& expect, const Model& model, const trace::Store& store, const RunEnd& end);

}  // namespace lab
