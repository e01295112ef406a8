// SPDX-License-Identifier: MIT
// The student's progress, and the file that keeps it. A part of the workbench.
//
// Each keep() writes all of it in the background, one writing after the other: saving waits for the disk, and
// a frame must not wait. A failure is told once, and the progress is written again later. Owned by the thread
// that draws.
#pragma once
#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "lab/progress.hpp"
#include "workbench/problem_list.hpp"
#include "workbench/wake.hpp"

namespace lab {

class ProgressFile {
 public:
  ProgressFile(const std::filesystem::path& data_home, ProblemList& problems, std::shared_ptr<Wake> wake);
  const Progress& progress() const { return progress_; }
  LessonProgress& of_lesson(const std::string& slug) { return progress_.lessons[slug]; }
  void keep();    // what was changed
  bool poll();    // true if something changed that is shown
  void finish();  // waits for the writing, and tries once more if it failed

 private:
  std::filesystem::path path_;
  ProblemList& problems_;
  std::shared_ptr<Wake> wake_;
  Progress progress_;
  std::future<std::optional<Problem>> writing_;  // after the one before
  std::optional<std::chrono::steady_clock::time_point> write_again_;
  std::optional<Problem> told_;  // also among the problems, until it is written
};

}  // namespace lab
