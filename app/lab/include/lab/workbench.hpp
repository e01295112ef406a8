// SPDX-License-Identifier: MIT
// Everything that the window shows, and every command that it takes. It needs no display, so tests drive it.
//
// Owned by the thread that draws. Building and running happen in threads of their own; poll() takes in what
// they did. The cursor is a moment of the run (see Model); it follows the run until the user goes back.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lab/builder.hpp"
#include "lab/catalogue.hpp"
#include "lab/exercise.hpp"
#include "lab/installation.hpp"
#include "lab/model.hpp"
#include "lab/predict.hpp"
#include "lab/process_models.hpp"
#include "lab/progress.hpp"
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
  void open_lesson(const std::string& name);                      // problems go to problems()
  const std::vector<std::string>& files() const;                  // of the lesson, main first
  const std::string& file_text(const std::string& file) const;    // as in the workspace
  void set_file_text(const std::string& file, std::string text);  // saved soon, by poll(), and at run
  // Files whose text is nowhere but here although saving was tried again; empty: all is kept. While there are
  // some nothing is run, and no other lesson, exercise or recording takes the place of this one.
  std::vector<std::string> unkept();
  std::filesystem::path place_for_unkept() const;  // a folder on a disk that has room
  // Writes them into a new folder below this one and returns it; they no longer count as unkept then.
  Result<std::filesystem::path> keep_elsewhere(const std::filesystem::path& below);
  void discard_unkept();  // lets them go: what is on the screen is lost with the lesson
  bool edited(const std::string& file) const;
  void restore(const std::string& file);
  const std::string& notes(Language language) const;
  const std::string& original_text(const std::string& file) const;  // "" where there is none
  // Opens the student's copy in another editor. What is saved there is taken in by poll(); where both changed
  // it, the other text is kept beside as FILE.from-outside-N, and said.
  void open_outside(const std::string& file);

  // The exercise of the open lesson: while it is open, files() are its own, and run() runs it.
  const Exercise* exercise() const;  // nullptr: the lesson has none
  bool in_exercise() const;
  void enter_exercise(bool on);
  void check();  // runs it on the embedded driver; verdict() follows when it has ended
  bool checking() const;
  const Verdict* verdict() const;  // of the last check, until the next run
  std::size_t hints_shown() const;
  void show_hint();
  const std::string& solution();  // its text; noted in the progress
  const Progress& progress() const;

  // "What will happen?": the question before the next call at the cursor, of a run that is held as of the
  // past and of recordings. Pointers live until the next poll() or command.
  void set_predicting(bool on);  // off at first
  bool predicting() const;
  const Question* question();            // nullptr: off, nothing to learn, or answered before
  void answer(std::size_t choice);       // and lets the call run: the outcome follows when it has returned
  const Prediction* prediction() const;  // of the call before the cursor, when it was answered
  const Score& score() const;  // of the open lesson, with that of earlier days; of a recording since opened

  // Breakpoints: lines before whose calls a run that goes on is held, and where going on in the past stops.
  // They move with the text that they stand in.
  const std::set<int>& breakpoints(const std::string& file) const;  // 1-based lines
  void toggle_breakpoint(const std::string& file, int line);

  // Driver
  DriverChoice driver_choice() const;
  void choose(DriverChoice choice);
  std::string driver_description() const;
  std::string recorded_by() const;  // "driverlab 1.2.3", of a recording that says so; else ""
  bool real_driver_present() const;
  // Runs go to another machine, through this launcher ("ssh gpubox", see lab/remote.hpp); "" for this one.
  // Exercises are checked here all the same. The description is the launcher's until one has answered.
  void set_launcher(std::string launcher);
  const std::string& launcher() const;

  // Running
  void run(bool hold_at_first_call);  // save, build, start (restart when running)
  void stop();
  // The run that was shown when the workbench was last closed, if it is of what is open now: it is read in
  // the background and shown as a run that has ended, at the moment after so many calls; nothing: at its end.
  // Does nothing where there is a run already.
  void bring_back_run(std::optional<std::size_t> calls);
  void open_recording(const std::filesystem::path& path);
  RunPhase phase() const;
  bool loading() const;              // a recording is still being read
  const BuildResult* build() const;  // of the last run, when finished
  std::optional<RunEnd> end() const;
  std::vector<trace::Pending> pending() const;

  // A second run, to be compared with the shown one: the run of this lesson before it, or a recording.
  struct Other {
    bool recording = false;    // otherwise the run before
    std::string file, driver;  // file: the recording's name
    bool loading = false;
    const trace::Store* store = nullptr;  // until the next poll() or call of what changes it
    const Model* model = nullptr;
  };
  bool has_run_before() const;
  // The recording from hardware that the lab brings along for the open lesson; empty where it has none.
  std::filesystem::path hardware_recording() const;
  void compare_with_run_before();
  void compare_with(const std::filesystem::path& recording);
  std::optional<Other> other() const;
  // How the two belong together; nullptr while it is looked for, or while one of them still grows.
  const RunPair* pair() const;

  // Time. Calls are numbered from 1 on screen; moments count events.
  bool poll();  // true when anything changed
  const trace::Store& store() const;
  const Model& model() const;                         // of the process that is shown
  const Model& model_of(std::size_t event) const;     // of the one whose event it is
  const std::vector<ProcessSeen>& processes() const;  // of the run, at least the program itself
  // Which one is shown: the program itself, then that whose call the cursor was moved to, or that was chosen.
  // A run that goes on by itself does not change it.
  std::uint32_t shown_process() const;
  void show_process(std::uint32_t process);  // one of processes(); others are ignored
  std::size_t cursor() const;                // a moment, 0 … model().moments()
  bool at_end() const;                       // the cursor is at the newest moment
  void jump(std::size_t moment);             // clamped
  void jump_to_call(std::size_t call);       // 0-based: to just after it
  std::size_t call_at_cursor() const;        // calls before the cursor; 0: none yet
  // To just after the last call of the next, or the one before, line of the source that calls were made from;
  // false where there is none.
  bool jump_line(Direction direction);
  void back();                 // to just after the call before
  void step();                 // forward in the past, or lets the held call run at the end;
                               // starts a held run when idle
  void go_on();                // continue: to the end of the past and on; starts a run when idle
  const State& state() const;  // model().at(cursor())
  // Place in the source of the call at the cursor (or of the next one when `next`); line 0: unknown.
  struct Place {
    std::string file;
    int line = 0;
  };
  Place place(bool next) const;
  std::optional<std::string> step_name() const;                           // step mark at the cursor's call
  std::vector<std::size_t> calls_of_step(const std::string& step) const;  // call numbers, for notes -> run
  // Where a step of the source begins: its name, and the number of its first call. Ascending; a step that is
  // come back to begins again. Looks at some thousand calls each time it is asked, so that a frame may ask.
  struct StepStart {
    std::string step;
    std::size_t call = 0;
  };
  const std::vector<StepStart>& step_starts() const;

  // The text that the shown run was built from, beside what the editor holds by now.
  int line_now(const std::string& file, int line) const;  // where that line stands; 0: changed or gone
  bool changed_since_run(const std::string& file) const;
  // Whether the program itself asks for the failure of this call: it stands in expect(ERROR, …), and ERROR is
  // what it returned.
  bool expected_failure(std::size_t event) const;
  bool expected_failure_beside(std::size_t event) const;  // the same of the run in other()
  // What the program has written for an argument of this call, without its &: "count"; "" where that cannot
  // be told or is no short name.
  std::string variable(const trace::Event& call, std::size_t argument) const;
  std::string variable_beside(const trace::Event& call, std::size_t argument) const;  // of the run in other()
  // Which of files() an event names: "main.cpp" for "/home/…/main.cpp" as well as for itself; or "".
  std::string file_of(std::string_view recorded) const;

  // Long work: a build, a recording that is read, a run that is shared. It never blocks poll().
  struct Work {
    Problem words;
    double part = -1;  // 0 to 1 done; below 0: nobody knows
  };
  std::optional<Work> work() const;  // nothing while it is too short to be worth a word
  void cancel_work();
  bool can_share() const;  // there is a run with calls
  // Writes the shown run for others; see lab/share.hpp. One at a time.
  void share(ShareKind kind, const std::filesystem::path& output, std::size_t from, std::size_t to,
             std::vector<std::string> look, bool whole = false);
  std::optional<Problem> take_shared();  // good news, once; failures are among problems()

  // What the user should read, newest last, until dismissed.
  const std::vector<Problem>& problems() const;
  void dismiss_problems();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lab
