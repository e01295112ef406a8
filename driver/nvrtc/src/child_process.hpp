// SPDX-License-Identifier: MIT
// Runs a compiler in a process that the program does not notice: it causes no SIGCHLD, and wait() does not
// see it.
//
// It has a time limit and a memory limit, and its whole group is ended when one is exceeded. Does not depend
// on the compiler.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace nvrtc {

enum class Ended { ByItself, TooLong, Cancelled, NotStarted };

struct ChildResult {
  Ended ended = Ended::NotStarted;
  std::string output;  // of its standard output and error together, up to a limit
};

struct ChildLimits {
  std::chrono::seconds time{60};
  unsigned long long memory_bytes = 8ULL << 30;
};

// `cancelled` is called from time to time; if it returns true, the process is ended. Its temporary files go
// into `temporary`, which the caller removes: a process that is killed leaves them behind.
ChildResult run_child(const std::vector<std::string>& command, const std::string& temporary,
                      const ChildLimits& limits, const std::function<bool()>& cancelled);

}  // namespace nvrtc
