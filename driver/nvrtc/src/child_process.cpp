// SPDX-License-Identifier: MIT
// See child_process.hpp. The process is not a child of this one, so its end is noticed by the end of its
// output.
#include "child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "process/hidden_process.hpp"

namespace nvrtc {
namespace {

constexpr std::size_t kMostOutput = 4 << 20;
constexpr std::chrono::seconds kToVanish{2};  // for processes that were killed

// Of the program's messages, by the variables that say so, the strongest first.
std::string language() {
  for (const char* const name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char* const value = std::getenv(name); value != nullptr && *value != '\0') return value;
  return "C";
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close_now(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  void close_now() {
    if (number_ >= 0) close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

// Reads until all writers have ended. Without `output` nothing is kept.
Ended read_output(int from, const ChildLimits& limits, const std::function<bool()>& cancelled,
                  std::string* output) {
  const auto last = std::chrono::steady_clock::now() + limits.time;
  std::array<char, 16384> piece = {};
  while (true) {
    if (cancelled()) return Ended::Cancelled;
    if (std::chrono::steady_clock::now() > last) return Ended::TooLong;
    pollfd waiting = {from, POLLIN, 0};
    const int ready = poll(&waiting, 1, 50);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t got = read(from, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Ended::ByItself;
    if (output != nullptr && output->size() < kMostOutput)
      output->append(piece.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& command, const std::string& temporary,
                      const ChildLimits& limits, const std::function<bool()>& cancelled) {
  ChildResult result;
  process::HiddenProcess compiler;
  // The shell sets the limits, so that nothing of this process changes.
  compiler.path = "/bin/sh";
  compiler.arguments = {"/bin/sh", "-c",
                        "ulimit -v " + std::to_string(limits.memory_bytes >> 10) + "; ulimit -t " +
                            std::to_string(limits.time.count()) + "; ulimit -c 0; exec \"$0\" \"$@\""};
  compiler.arguments.insert(compiler.arguments.end(), command.begin(), command.end());
  // What a compiler needs to be found and to work; not what was put in front of the program (a tracer).
  compiler.kept_variables = {"PATH=", "HOME=", "PTXCC_CLANG=", "LD_LIBRARY_PATH="};
  // ptxcc's own words are in the user's language; what its tools read and write is bytes.
  compiler.set_variables = {"LC_CTYPE=C", "LC_COLLATE=C", "LC_MESSAGES=" + language(), "TMPDIR=" + temporary};
  std::array<int, 2> ends = {-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return result;
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  compiler.output = to.number();
  compiler.own_group = true;
  const pid_t started = process::start(compiler);
  to.close_now();
  if (started <= 0) return result;
  // Its group is only there while one of it holds the other end.
  const auto end_all = [&] {
    kill(-started, SIGKILL);
    read_output(from.number(), {.time = kToVanish}, [] { return false; }, nullptr);
  };
  try {
    result.ended = read_output(from.number(), limits, cancelled, &result.output);
  } catch (...) {  // no memory for what it says, or an exception of the program's callback
    end_all();
    throw;
  }
  if (result.ended != Ended::ByItself) end_all();
  return result;
}

}  // namespace nvrtc
