// SPDX-License-Identifier: MIT
// A program under driverlab-supervisor: its start, its stop, and how it ended.
//
// The thread that starts a program must live as long as the program: when that thread ends, the kernel sends
// the supervisor a signal, and the supervisor ends the program.
#pragma once
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/file_descriptor.hpp"
#include "lab/session.hpp"

namespace lab {

struct SupervisionRequest {
  std::filesystem::path supervisor;
  std::vector<std::string> command;  // the first one is a path
  std::vector<std::string> environment;
  std::filesystem::path folder;
  int output = -1, error_output = -1;
  Limits limits;
  bool outlives = false;  // the program goes on when the lab is killed
};

class SupervisedProgram {
 public:
  static Result<SupervisedProgram> start(const SupervisionRequest& request);
  SupervisedProgram(SupervisedProgram&&) = default;
  int report() const { return report_.get(); }  // to wait on; readable when look() has something to do
  // Reads the supervisor's reports. True if the program and everything that it started have ended.
  bool look();
  // Kind and number of the end; only after look() has returned true.
  RunEnd end() const;
  void stop();
  // For a supervisor that does not end by itself.
  void abandon();

 private:
  SupervisedProgram() = default;
  void take_line(const std::string& line);
  Result<bool> wait_for_start(const std::string& name);
  pid_t supervisor_ = -1, program_ = -1;
  FileDescriptor report_;
  std::string unread_;
  int start_error_ = 0;
  bool runs_ = false, asked_to_stop_ = false;
  Limits limits_;
  std::optional<RunEnd> end_;
  int left_running_ = 0;
};

}  // namespace lab
