// SPDX-License-Identifier: MIT
// Builds of the open lesson, each in a separate thread, here or on another machine: the one that is being
// made, those that were stopped, and the result of the last one. A part of the workbench.
//
// At most one is being made; those that were stopped end by themselves. A build does not start the program:
// the thread that draws does, because it lives longest, and a child may be ended when the thread that started
// it ends. Owned by the thread that draws.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/builder.hpp"
#include "lab/session.hpp"
#include "workbench/problem_list.hpp"
#include "workbench/wake.hpp"

namespace lab {

class Builds {
 public:
  struct Order {
    Lesson lesson;
    DriverChoice driver = DriverChoice::Auto;
    std::string launcher;  // of another machine; "": on this one
    bool hold = false;     // the program, before its first call
    // For the run; its source folder is what is built. If it has a command, the program is there already, and
    // only its driver is chosen.
    RunRequest request;
  };
  Builds(ProblemList& problems, std::shared_ptr<Wake> wake);
  ~Builds();  // ends the compilers and waits for them

  void start(Order order, const Installation& installation);  // stops the one before
  void stop();
  bool building() const { return job_ != nullptr; }
  bool building_since(std::chrono::steady_clock::duration time) const;  // for so long or longer

  struct Finished {
    bool ok = false;      // there is a program, and `request` is complete
    bool failed = false;  // the compiler found mistakes; neither: there was no driver, and a problem says so
    bool hold = false;
    RunRequest request;
  };
  std::optional<Finished> take();  // once after each build that was not stopped
  const BuildResult* result() const { return result_ ? &*result_ : nullptr; }  // of the last one
  bool failed() const { return failed_; }
  void forget();  // the result belongs to something that is not shown any more

 private:
  struct Job;

  ProblemList& problems_;
  std::shared_ptr<Wake> wake_;
  std::unique_ptr<Job> job_;
  std::vector<std::unique_ptr<Job>> stopped_;
  std::optional<BuildResult> result_;
  bool failed_ = false;
  std::optional<Problem> told_;  // also among the problems, until the next build
};

}  // namespace lab
