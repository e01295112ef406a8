// SPDX-License-Identifier: MIT
// Everything that the window shows, and every command that it takes. It needs no display, so tests drive it.
//
// Owned by the thread that draws. Other threads build and run; poll() takes over their results. The cursor is
// a moment of the run (see Model); it follows the run until the user goes back.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lab/builder.hpp"
#include "lab/catalogue.hpp"
#include "lab/exercise.hpp"
#include "lab/ghost.hpp"
#include "lab/installation.hpp"
#include "lab/model.hpp"
#include "lab/own_program.hpp"
#include "lab/predict.hpp"
#include "lab/process_models.hpp"
#include "lab/progress.hpp"
#include "lab/quiz.hpp"
#include "lab/run_pair.hpp"
#include "lab/session.hpp"
#include "lab/share.hpp"
#include "lab/workspace.hpp"

namespace lab {

enum class RunPhase { Idle, Building, BuildFailed, Running, Held, Ended, Replaying };

class Workbench {
 public:
  Workbench(Installation installation, DataHome home);
  ~Workbench();
  void set_wake(std::function<void()> wake);  // called from other threads when poll() has something to do

  // Lessons
  const Catalogue& catalogue() const;
  const Lesson* lesson() const;
  void open_lesson(const std::string& name);  // adds what goes wrong to problems()
  // The language of the sources' comments and claims (lab/source_translation.hpp). A file of the open lesson
  // that is not edited changes with it, line by line; an edited one stays. English at first.
  void set_language(Language language);
  const std::vector<std::string>& files() const;                  // of the lesson, main first
  const std::string& file_text(const std::string& file) const;    // as in the workspace
  void set_file_text(const std::string& file, std::string text);  // saved soon, by poll(), and at run
  // Files whose text could not be saved, although saving was tried again; empty: everything is saved. As long
  // as there are some, nothing is run, and no other lesson, exercise or recording can be opened.
  std::vector<std::string> unkept();
  std::filesystem::path place_for_unkept() const;  // a folder on a disk that has room
  // Writes them into a new folder below `below` and returns that folder; the files then count as saved.
  Result<std::filesystem::path> keep_elsewhere(const std::filesystem::path& below);
  void discard_unkept();  // gives them up: the text on the screen is lost when the lesson is closed
  bool edited(const std::string& file) const;
  void restore(const std::string& file);  // to the original in the language of now
  const std::string& notes(Language language) const;
  // In the language in which the copy was begun; "" if there is none.
  const std::string& original_text(const std::string& file) const;
  // Opens the student's copy in another editor. poll() takes over what is saved there. If both editors
  // changed the file, the other text is kept as FILE.from-outside-N, and a problem says so.
  void open_outside(const std::string& file);

  // The exercises of the open lesson, and the chosen one of them, at first the first. While it is open,
  // files() are its own, and run() runs it.
  const std::vector<Exercise>& exercises() const;  // empty: the lesson has none
  const Exercise* exercise() const;                // the chosen one; nullptr: the lesson has none
  void choose_exercise(std::string_view name);     // if one is open, opens this one in its place
  bool in_exercise() const;
  void enter_exercise(bool on);
  void check();  // runs the chosen one on the embedded driver; verdict() is there when it has ended
  bool checking() const;
  const Verdict* verdict() const;  // of the last check of the chosen one, until the next run
  std::size_t hints_shown() const;
  void show_hint();
  ExerciseProgress progress_of(const Exercise& one) const;  // of the open lesson
  const std::string& solution();  // in the language of the exercise's file; noted in the progress
  const Progress& progress() const;

  // The questions at the end of the open lesson, or of the recording's; empty if it has none. Every answer
  // can be tried until the lesson is opened again; the progress keeps the first answer to each question.
  const std::vector<QuizQuestion>& quiz() const;
  bool quiz_tried(std::size_t question, std::size_t answer) const;
  bool quiz_solved(std::size_t question) const;  // its right answer was tried
  void answer_quiz(std::size_t question, std::size_t answer);
  QuizScore quiz_score() const;  // with the answers of earlier days

  // "What will happen?": the question before the next call at the cursor, for a held run, for earlier moments
  // and for recordings. Pointers are valid until the next poll() or command.
  void set_predicting(bool on);  // off at first
  bool predicting() const;
  const Question* question();            // nullptr: off, no question for this call, or already answered
  void answer(std::size_t choice);       // also lets the call run; the outcome is known when it has returned
  const Prediction* prediction() const;  // for the call before the cursor, if its question was answered
  const Score& score() const;            // of the open lesson on all days; of a recording since it was opened

  // Breakpoints: a running program is held before the calls of these lines, and playing the past stops there.
  // They move with the text when it is edited.
  const std::set<int>& breakpoints(const std::string& file) const;  // 1-based lines
  void toggle_breakpoint(const std::string& file, int line);

  // Driver
  DriverChoice driver_choice() const;
  void choose(DriverChoice choice);
  std::string driver_description() const;
  std::string own_driver_description() const;  // of the next run, whatever recording is shown
  std::string recorded_by() const;             // "driverlab 1.2.3", if the recording says so; else ""
  bool real_driver_present() const;
  // Programs run on another machine, through this launcher ("ssh gpubox", see lab/remote.hpp); "": on this
  // one. Exercises are always checked on this machine. driver_description() names the launcher until that
  // machine has reported its driver.
  void set_launcher(std::string launcher);
  const std::string& launcher() const;

  // Running
  void run(bool hold_at_first_call);  // save, build, start (restart when running)
  void stop();
  // Shows the run that was shown when the workbench was last closed, if it belongs to the open lesson. It is
  // read in the background and shown as a run that has ended, at the moment after `calls` calls, or at its
  // end. Does nothing if there is a run already.
  void bring_back_run(std::optional<std::size_t> calls);
  // Closes the lesson if the recording is of another one or of none. It is shown at the first moment with
  // something to be seen. False: what is shown stays, because the file is no recording or something could not
  // be saved.
  bool open_recording(const std::filesystem::path& path);
  // Closes the lesson, and starts a program of the user's own, which is held before its first call. run() and
  // step() then start this program, until a lesson or a recording is opened.
  void open_program(const OwnProgram& program);
  bool program_open() const;
  bool read_only() const;        // files() are those of a recording or of the user's program
  bool can_run() const;          // there is a lesson or a program to be run
  std::string run_name() const;  // the name of the recording's file, or the command of the program; else ""
  RunPhase phase() const;
  bool loading() const;              // a recording is still being read
  const BuildResult* build() const;  // of the last run, when the build has finished
  std::optional<RunEnd> end() const;
  std::vector<trace::Pending> pending() const;

  // A second run, to be compared with the shown one: the previous run of this lesson, or a recording.
  struct Other {
    bool recording = false;    // false: the previous run, or a recording of it
    std::string file, driver;  // file: the recording's name
    bool loading = false;
    const trace::Store* store = nullptr;  // valid until the next poll() or call of a function that changes it
    const Model* model = nullptr;
  };
  bool has_run_before() const;
  // The recording from real hardware that comes with the lab for the open lesson; empty if there is none.
  std::filesystem::path hardware_recording() const;
  std::filesystem::path recordings() const;  // the folder of all that come with the lab
  void compare_with_run_before();
  // RunBefore: the recording is of the run before, on the same machine.
  enum class Beside : std::uint8_t { AnotherRun, RunBefore };
  bool compare_with(const std::filesystem::path& recording,
                    Beside as = Beside::AnotherRun);  // false: it is none
  std::optional<Other> other() const;
  // The comparison of the two runs; nullptr while it is being made, or while one of the runs still grows.
  const RunPair* pair() const;
  // The run before as a ghost; nullptr if other() is none, or if both are the same.
  const Ghost* ghost() const;

  // Time. Calls are numbered from 1 on screen; moments count events.
  bool poll();  // true when anything changed
  const trace::Store& store() const;
  const Model& model() const;                         // of the process that is shown
  const Model& model_of(std::size_t event) const;     // of the process of this event
  const std::vector<ProcessSeen>& processes() const;  // of the run, at least the program itself
  // The process that is shown: first the program itself; later the process of the call to which the cursor
  // was moved, or the one that was chosen. A run that goes on by itself does not change it.
  std::uint32_t shown_process() const;
  void show_process(std::uint32_t process);  // one of processes(); others are ignored
  std::size_t cursor() const;                // a moment, 0 … model().moments()
  bool at_end() const;                       // the cursor is at the newest moment
  void jump(std::size_t moment);             // clamped
  void jump_to_call(std::size_t call);       // 0-based: to just after it
  std::size_t call_at_cursor() const;        // calls before the cursor; 0: none yet
  // Moves to just after the last call of the next, or the previous, source line that made calls; false if
  // there is none.
  bool jump_line(Direction direction);
  void back();                 // to just after the previous call
  void step();                 // to the next call of the past; at the end it lets the held call run;
                               // starts a held run when idle
  void go_on();                // continue: to the end of the past and on; starts a run when idle
  const State& state() const;  // model().at(cursor())
  // The place in the source of the call at the cursor, or of the next call if `next`; line 0: not known.
  struct Place {
    std::string file;
    int line = 0;
  };
  Place place(bool next) const;
  std::optional<std::string> step_name() const;                           // step mark at the cursor's call
  std::vector<std::size_t> calls_of_step(const std::string& step) const;  // call numbers, for links in notes
  // Where a step of the source begins: its name, and the number of its first call. Ascending; if the run
  // returns to a step, the step begins again. Each call of step_starts() looks at some thousand calls of the
  // run, so it may be called in every frame.
  struct StepStart {
    std::string step;
    std::size_t call = 0;
  };
  const std::vector<StepStart>& step_starts() const;

  // The text from which the shown run was built, compared with the text that is in the editor now.
  int line_now(const std::string& file, int line) const;  // the number of that line now; 0: changed or gone
  bool changed_since_run(const std::string& file) const;
  // Whether the program itself expects the failure of this call: the call is inside expect(ERROR, …), and it
  // returned ERROR.
  bool expected_failure(std::size_t event) const;
  bool expected_failure_beside(std::size_t event) const;  // the same of the run in other()
  // The source text of an argument of this call, without its &: "count"; "" if it is not known or is no short
  // name.
  std::string variable(const trace::Event& call, std::size_t argument) const;
  std::string variable_beside(const trace::Event& call, std::size_t argument) const;  // of the run in other()
  // The one of files() that an event names: "main.cpp" for "/home/…/main.cpp" and for "main.cpp"; or "".
  std::string file_of(std::string_view recorded) const;

  // Long work: a build, reading a recording, sharing a run. It never blocks poll().
  struct Work {
    Problem words;
    double part = -1;  // the part that is done, 0 to 1; below 0: not known
  };
  std::optional<Work> work() const;  // nothing as long as it has taken only a short time
  void cancel_work();
  bool can_share() const;  // there is a run with calls
  // Writes the shown run for others; see lab/share.hpp. One at a time.
  void share(ShareKind kind, const std::filesystem::path& output, std::size_t from, std::size_t to,
             std::vector<std::string> look, bool whole = false);
  std::optional<Problem> take_shared();  // once after each success; failures are in problems()

  // Messages for the user, newest last, until they are dismissed.
  const std::vector<Problem>& problems() const;
  void dismiss_problems();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lab
