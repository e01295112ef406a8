// SPDX-License-Identifier: MIT
// A run as lines in a terminal: each call with its arguments, result, source line and the stack after it,
// with the program's own output between the calls. Prints only what the model has.
#pragma once
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lab/catalogue.hpp"
#include "lab/model.hpp"
#include "lab/nesting.hpp"
#include "lab/process_models.hpp"
#include "lab/session.hpp"
#include "shell.hpp"

namespace cli {

class Walk {
 public:
  Walk(const Shell& shell, const lab::ProcessModels& models, const trace::Store& store, bool colour);
  void set_steps(std::vector<lab::StepMark> marks) { marks_ = std::move(marks); }
  void header() const;
  void remark(const std::string& sentence) const { note(sentence); }  // between the calls
  void print(std::size_t event);                                      // in order, each once
  void finish();  // at the end: prints what waits for a call that never completes, or for the end of its line

 private:
  void print_call(std::size_t index, const trace::Event& event);
  std::string lines_of(std::size_t index, const trace::Event& event);
  void print_output(const trace::Event& event);
  void print_line(bool error, std::string_view line) const;
  void print_begun_lines();
  void print_step(const trace::Event& event);
  void note(const std::string& sentence) const;
  std::string note_line(const std::string& sentence) const;
  std::string stack_of(std::size_t index, std::uint32_t thread) const;
  std::string paint(const char* sequence, const std::string& text) const;

  const Shell& shell_;
  const lab::ProcessModels& models_;
  const trace::Store& store_;
  bool colour_;
  std::vector<lab::StepMark> marks_;
  lab::StepsOfRun steps_;
  std::string step_;
  // By thread: the lines of calls inside one that has not completed, to be printed below it.
  std::map<std::uint32_t, lab::CallsBegun<std::string>> waiting_;
  std::string begun_[2];  // of stdout and stderr: a line that has no end yet, as programs write in pieces
  std::size_t explained_ = 0;
};

// The exit status of the lab for a run with this end.
int status_of(const lab::RunEnd& end);
// "exited with status 0", "crashed: SIGSEGV in cuCtxPushCurrent, main.cpp:31"
std::string sentence_of(const lab::RunEnd& end, const trace::Store& store, lab::Language language);

}  // namespace cli
