// SPDX-License-Identifier: MIT
// A program of the user's own that is traced: how it is started, and its sources. Its files stay where they
// are and are only read, and there are no limits: the user can stop it.
#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lab/session.hpp"

namespace lab {

// What the user types. `command` and `environment` are words, quoted as in a shell; nothing is expanded.
struct OwnProgram {
  std::string command;      // program and arguments
  std::string folder;       // in which it is started; "~/…" is below the user's home
  std::string environment;  // NAME=VALUE for each variable that is to be another one
  bool operator==(const OwnProgram&) const = default;
};

// All but the driver, and the limit of memory for events is half of what the machine has.
RunRequest request_for(std::vector<std::string> command, const std::filesystem::path& folder);
// The same of what was typed. A program that is named by a relative path with a slash is looked for in its
// folder.
Result<RunRequest> request_for(const OwnProgram& program);

// The files that calls name and that lie in the program's folder.
class NamedSources {
 public:
  explicit NamedSources(std::filesystem::path folder = {}) : folder_(std::move(folder)) {}
  // Looks at the calls that are new in the store; true if there is another file.
  bool read(const trace::Store& store);
  const std::map<std::string, std::string>& texts() const { return texts_; }

 private:
  std::filesystem::path folder_;
  std::size_t seen_ = 0;  // calls
  std::map<std::string, std::string> texts_;
  std::set<std::string> looked_at_;
};

}  // namespace lab
