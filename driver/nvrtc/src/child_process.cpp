// run_child(): a helper without exit signal starts the process and ends, so that the process is nobody's
// child here; the end of its output is the end of it.
#include "child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <string_view>

namespace nvrtc {
namespace {

constexpr std::size_t most_output = 4 << 20;

struct Starting {
  std::vector<char*> arguments;
  std::vector<char*> environment;
  int output = -1;
  pid_t process = 0;
  int error = 0;
};

// What a compiler needs to be found and to work; not what was put in front of the program (a tracer).
std::vector<char*> child_environment() {
  static char language[] = "LC_ALL=C";
  std::vector<char*> kept = {language};
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    for (const char* const start : {"PATH=", "HOME=", "TMPDIR=", "PTXCC_CLANG=", "LD_LIBRARY_PATH="})
      if (text.starts_with(start)) kept.push_back(*entry);
  }
  kept.push_back(nullptr);
  return kept;
}

// Runs in the helper, which has this process's memory and a table of descriptors of its own.
int start(void* argument) {
  auto& starting = *static_cast<Starting*>(argument);
  const int output = fcntl(starting.output, F_DUPFD_CLOEXEC, 3);  // never one of those that it becomes
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, output, 2);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  starting.error = posix_spawn(&starting.process, starting.arguments[0], &actions, &attributes,
                               starting.arguments.data(), starting.environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return 0;
}

bool run_helper(Starting& starting) {
  constexpr std::size_t stack_size = 256 << 10;
  void* const stack =
      mmap(nullptr, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return false;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const int helper =
      clone(start, static_cast<std::byte*>(stack) + stack_size, CLONE_VM | CLONE_VFORK, &starting);
  if (helper > 0) waitpid(helper, nullptr, __WCLONE);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  munmap(stack, stack_size);
  return helper > 0 && starting.error == 0 && starting.process > 0;
}

// Reads until everybody who could write is gone.
Ended read_output(int from, const ChildLimits& limits, const std::function<bool()>& cancelled,
                  std::string& output) {
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
    if (output.size() < most_output) output.append(piece.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& command, const ChildLimits& limits,
                      const std::function<bool()>& cancelled) {
  ChildResult result;
  std::array<int, 2> ends = {-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return result;
  // The shell sets the limits, so that nothing of this process changes.
  std::vector<std::string> words = {"/bin/sh", "-c",
                                    "ulimit -v " + std::to_string(limits.memory_bytes >> 10) +
                                        "; ulimit -t " + std::to_string(limits.time.count()) +
                                        "; ulimit -c 0; exec \"$0\" \"$@\""};
  words.insert(words.end(), command.begin(), command.end());
  Starting starting;
  for (std::string& word : words) starting.arguments.push_back(word.data());
  starting.arguments.push_back(nullptr);
  starting.environment = child_environment();
  starting.output = ends[1];
  const bool started = run_helper(starting);
  close(ends[1]);
  if (started) {
    result.ended = read_output(ends[0], limits, cancelled, result.output);
    // Its group is only there while one of it holds the other end.
    if (result.ended != Ended::ByItself) kill(-starting.process, SIGKILL);
  }
  close(ends[0]);
  return result;
}

}  // namespace nvrtc
