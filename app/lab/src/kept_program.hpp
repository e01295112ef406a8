// SPDX-License-Identifier: MIT
// A program under driverlab-keeper: started, told to stop, and what became of it.
//
// The thread that starts one has to live as long as it does: the kernel tells the keeper when that thread is
// gone, and the program goes too.
#pragma once
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "file_descriptor.hpp"
#include "lab/session.hpp"

namespace lab {

struct KeepRequest {
  std::filesystem::path keeper;
  std::vector<std::string> command;  // the first one is a path
  std::vector<std::string> environment;
  std::filesystem::path folder;
  int output = -1, error_output = -1;
  Limits limits;
  bool outlives = false;  // the program goes on when the lab is killed
};

class KeptProgram {
 public:
  static Result<KeptProgram> start(const KeepRequest& request);
  KeptProgram(KeptProgram&&) = default;
  int report() const { return report_.get(); }  // to wait on; readable when look() has something to do
  // Takes in what the keeper said. True when the program and everything it started are gone.
  bool look();
  // Kind and number of the end; only after look() said so.
  RunEnd end() const;
  void stop();
  // For a keeper that does not come to an end itself.
  void abandon();

 private:
  KeptProgram() = default;
  void take_line(const std::string& line);
  Result<bool> wait_for_start(const std::string& name);
  pid_t keeper_ = -1, program_ = -1;
  FileDescriptor report_;
  std::string unread_;
  int start_error_ = 0;
  bool runs_ = false, asked_to_stop_ = false;
  Limits limits_;
  std::optional<RunEnd> end_;
  int left_running_ = 0;
};

}  // namespace lab
