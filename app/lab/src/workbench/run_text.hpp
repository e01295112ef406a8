// SPDX-License-Identifier: MIT
// The sources from which the shown run was built, compared with the texts of now: which line is which, and
// what the program's own text says about its calls. A part of the workbench.
//
// What was found out about a file is forgotten when its text changes (text_changed) and with another run
// (set): so it always belongs to sources() and to the texts of now.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "course/source_calls.hpp"
#include "lab/session.hpp"
#include "workbench/open_files.hpp"

namespace lab {

class RunText {
 public:
  explicit RunText(const OpenFiles& now) : now_(now) {}
  void set(Sources sources);  // of another run; empty: no run, or not known yet
  const Sources& sources() const { return sources_; }
  std::vector<std::string> files() const;  // of sources(): first those of the open lesson, in its order
  void text_changed(const std::string& file) { lines_now_.erase(file); }

  bool changed(const std::string& file) const;      // since the run was built
  int line_now(const std::string& file, int line);  // 0: changed or gone
  // Breakpoints of now, in the lines of the run; without those on lines that the run does not have.
  std::set<Breakpoint> lines_of_run(const std::set<Breakpoint>& now);
  bool expected_failure(const trace::Event& call) { return expected_.asks_for(call, sources_); }

 private:
  const std::vector<int>& lines_now(const std::string& file);

  const OpenFiles& now_;
  Sources sources_;
  std::map<std::string, std::vector<int>> lines_now_;  // by file; 0-based index: a line of the run's text
  ExpectedFailures expected_;
};

}  // namespace lab
