// SPDX-License-Identifier: MIT
// Starts programs with an argument vector, an environment and open files; never through a shell.
//
// run_to_end() is for helpers that are waited for (a compiler, a probe): their output and their time are
// limited, and they can be cancelled. Nothing here depends on what the programs do.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_descriptor.hpp"

namespace lab {

struct SpawnRequest {
  std::vector<std::string> arguments;       // the first one is the program: a path
  std::vector<std::string> environment{};   // NAME=value
  std::filesystem::path folder{};           // to start in; "" for the current one
  int output = -1, error_output = -1;       // stdout and stderr; -1 for /dev/null
  std::vector<std::pair<int, int>> pass{};  // further descriptors: ours, and the number it gets there
};
// Process id, or -1 with errno. The new process leads a session and group; its stdin is /dev/null.
pid_t spawn(const SpawnRequest& request);

struct Finished {
  int start_error = 0;  // errno: it did not start
  int status = 0;       // as waitpid gives it
  bool timed_out = false, cancelled = false;
  std::string output;  // stdout and stderr, in order, at most `most_output`
  bool good() const { return start_error == 0 && status == 0 && !timed_out && !cancelled; }
};
struct RunOptions {
  double seconds = 60;
  std::size_t most_output = 1 << 20;
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(std::string_view)> heard = {};  // all output so far, after more of it came
};
Finished run_to_end(SpawnRequest request, const RunOptions& options);
// Starts one more program after what has `finished` so far; its end becomes the end, and its output is
// appended. False: do not go on.
bool run_after(Finished& finished, SpawnRequest request, const RunOptions& options);

// This process's environment with `changes` (NAME=value; "NAME" alone removes) applied.
std::vector<std::string> environment_with(const std::vector<std::string>& changes);
// A name without a slash is looked for on `search_path` ($PATH when null).
std::optional<std::filesystem::path> find_program(const std::string& name, const char* search_path = nullptr);

}  // namespace lab
