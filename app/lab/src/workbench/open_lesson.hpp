// SPDX-License-Identifier: MIT
// The lesson, or the exercise as a lesson, that is open: its notes, its files with their breakpoints, and its
// questions. A part of the workbench.
//
// All of it is of the same lesson: open() replaces it as a whole. Breakpoints are lines of the texts as they
// are now. Owned by the thread that draws.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "workbench/breakpoints.hpp"
#include "workbench/open_files.hpp"
#include "workbench/open_quiz.hpp"
#include "workbench/problem_list.hpp"
#include "workbench/progress_file.hpp"
#include "workbench/wake.hpp"

namespace lab {

class OpenLesson {
 public:
  // Called after a text has changed.
  using Changed = std::function<void(const std::string& file, bool breakpoints_moved)>;
  OpenLesson(const DataHome& home, ProblemList& problems, ProgressFile& progress, std::shared_ptr<Wake> wake,
             Changed changed);
  void open(const Lesson& lesson);  // saves the files of the one before: what cannot be saved is lost
  void close();                     // the same; no lesson is open then
  const Lesson* get() const { return lesson_ ? &*lesson_ : nullptr; }
  const std::string& notes(Language language) const { return notes_[static_cast<std::size_t>(language)]; }
  OpenFiles& files() { return files_; }
  const OpenFiles& files() const { return files_; }
  Breakpoints& breakpoints() { return breakpoints_; }
  OpenQuiz& quiz() { return quiz_; }

 private:
  ProblemList& problems_;
  Changed changed_;
  std::optional<Lesson> lesson_;
  std::string notes_[2];  // by Language
  Breakpoints breakpoints_;
  OpenFiles files_;
  OpenQuiz quiz_;
};

}  // namespace lab
