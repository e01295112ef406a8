// SPDX-License-Identifier: MIT
// The inside of the workbench: what is open, what is being built, what runs, and where the cursor is.
//
// Everything here belongs to the thread that draws. Each part has a header of its own, which says what holds
// of it; what is here connects them.
#pragma once
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lab/workbench.hpp"
#include "run/last_run.hpp"
#include "workbench/builds.hpp"
#include "workbench/driver_selection.hpp"
#include "workbench/open_lesson.hpp"
#include "workbench/problem_list.hpp"
#include "workbench/progress_file.hpp"
#include "workbench/second_run.hpp"
#include "workbench/sharing.hpp"
#include "workbench/shown_run.hpp"
#include "workbench/study.hpp"
#include "workbench/wake.hpp"

namespace lab {

struct Workbench::Impl {
  Impl(Installation installation, DataHome home);
  ~Impl();

  // Lessons and files
  void open(const Lesson& opened);
  bool in_exercise() const { return lesson.get() != nullptr && study.is_exercise(*lesson.get()); }
  void open_exercise(const Lesson& other);  // in place of what is open; no run is shown then
  void take_end();                          // of a run: progress, and the verdict of a check
  void take_answers();                      // questions whose calls have returned
  void report(Problem problem) { problems.report(std::move(problem)); }

  // Runs
  void start_build(bool hold);
  void start_program(bool hold);  // in place of a build (workbench_program.cpp)
  bool take_program_sources();
  bool read_only() const { return shown.recording() != nullptr || program; }
  bool take_build();
  bool take_recording();
  bool take_last_run();    // (workbench_last_run.cpp)
  void forget_last_run();  // the last run is not shown any more
  void keep_last_run();
  void stop_and_keep_last_run();              // before the window closes
  std::set<Breakpoint> breakpoints_of_run();  // in the text that runs
  void tell_breakpoints();

  // Two runs (workbench_comparison.cpp)
  void keep_run();  // the shown one becomes the run before
  bool take_second_run();

  Installation installation;
  DataHome home;
  std::shared_ptr<Wake> wake = std::make_shared<Wake>();
  Catalogue catalogue;
  ProblemList problems;

  ProgressFile progress_file;
  OpenLesson lesson{home, problems, progress_file, wake, [this](const std::string& file, bool moved) {
                      shown.text().text_changed(file);
                      if (moved) tell_breakpoints();
                    }};
  Study study{problems, progress_file};
  bool checking = false;
  std::optional<OwnProgram> program;  // that is open; then no lesson is
  NamedSources program_sources;
  std::optional<Cursor::Spot> spot;  // of the last run, for the next one
  bool predicting = false;

  DriverSelection drivers{installation, wake};
  Builds builds{problems, wake};
  ShownRun shown{lesson.files(), wake};
  bool end_taken = true;  // of the shown session
  Sharing sharing{problems};
  SecondRun second_run{problems, wake};
  LastRun last_run;
  std::optional<std::size_t> last_run_calls;  // before the cursor, of a run that is brought back
  std::size_t last_pending = 0;
  RunPhase last_phase = RunPhase::Idle;
};

}  // namespace lab
