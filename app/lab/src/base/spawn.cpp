// SPDX-License-Identifier: MIT
// See spawn.hpp. posix_spawn with default signals, a separate session and process group for the child (no
// terminal can stop it), and none of our descriptors.
#include "base/spawn.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string_view>

extern char** environ;

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  out.reserve(strings.size() + 1);
  for (const std::string& s : strings) out.push_back(const_cast<char*>(s.c_str()));
  out.push_back(nullptr);
  return out;
}

void set_signals(posix_spawnattr_t& attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

void set_files(posix_spawn_file_actions_t& actions, const SpawnRequest& request) {
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  const int outputs[2] = {request.output, request.error_output};
  for (int i = 0; i < 2; ++i) {
    if (outputs[i] >= 0)
      posix_spawn_file_actions_adddup2(&actions, outputs[i], i + 1);
    else
      posix_spawn_file_actions_addopen(&actions, i + 1, "/dev/null", O_WRONLY, 0);
  }
  for (const auto& [ours, theirs] : request.pass) posix_spawn_file_actions_adddup2(&actions, ours, theirs);
  if (!request.folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, request.folder.c_str());
}

// Takes what there is to read; false at the end of the stream.
bool drain(int fd, std::string& into, std::size_t most) {
  char block[16384];
  for (;;) {
    const ssize_t n = ::read(fd, block, sizeof block);
    if (n == 0) return false;
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    const std::size_t room = most - std::min(most, into.size());
    into.append(block, std::min(room, static_cast<std::size_t>(n)));
  }
}

// Until the process has ended. A grandchild that keeps the pipe open does not keep us waiting.
void wait_for(pid_t pid, int pipe, const RunOptions& options, Finished& finished) {
  const auto until = Clock::now() + std::chrono::duration<double>(options.seconds);
  bool open = true;
  for (;;) {
    const pid_t ended = ::waitpid(pid, &finished.status, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) break;
    finished.timed_out = finished.timed_out || Clock::now() >= until;
    finished.cancelled = finished.cancelled || (options.cancel != nullptr && options.cancel->load());
    if (finished.timed_out || finished.cancelled) ::kill(-pid, SIGKILL);
    pollfd wait{pipe, POLLIN, 0};
    ::poll(&wait, open ? 1 : 0, open ? 10 : 1);
    const std::size_t before = finished.output.size();
    if (open) open = drain(pipe, finished.output, options.most_output);
    if (options.heard && finished.output.size() != before) options.heard(finished.output);
  }
  if (open) drain(pipe, finished.output, options.most_output);
  ::kill(-pid, SIGKILL);  // what it may have left behind
}

}  // namespace

pid_t spawn(const SpawnRequest& request) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  set_files(actions, request);
  set_signals(attributes);
  std::vector<char*> arguments = pointers(request.arguments), environment = pointers(request.environment);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, request.arguments.at(0).c_str(), &actions, &attributes,
                                  arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error == 0) return pid;
  errno = error;
  return -1;
}

Finished run_to_end(SpawnRequest request, const RunOptions& options) {
  Finished finished;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    finished.start_error = errno;
    return finished;
  }
  const FileDescriptor reading(ends[0]);
  FileDescriptor writing(ends[1]);
  ::fcntl(reading.get(), F_SETFL, O_NONBLOCK);
  request.output = request.error_output = writing.get();
  const pid_t pid = spawn(request);
  finished.start_error = pid < 0 ? errno : 0;
  writing.reset();
  if (pid >= 0) wait_for(pid, reading.get(), options, finished);
  return finished;
}

bool run_after(Finished& finished, SpawnRequest request, const RunOptions& options) {
  Finished one = run_to_end(std::move(request), options);
  one.output.insert(0, finished.output);
  finished = std::move(one);
  return finished.good();
}

std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
  const auto name_of = [](std::string_view entry) { return entry.substr(0, entry.find('=')); };
  std::vector<std::string> out;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    bool changed = false;
    for (const std::string& change : changes) changed = changed || name_of(change) == name_of(*entry);
    if (!changed) out.emplace_back(*entry);
  }
  for (const std::string& change : changes)
    if (change.find('=') != std::string::npos) out.push_back(change);
  return out;
}

std::optional<std::filesystem::path> find_program(const std::string& name, const char* search_path) {
  const auto runnable = [](const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos)
    return runnable(name) ? std::optional<std::filesystem::path>(name) : std::nullopt;
  if (search_path == nullptr) search_path = std::getenv("PATH");
  std::string_view rest = search_path != nullptr ? search_path : "";
  while (!rest.empty()) {
    const auto colon = rest.find(':');
    const std::filesystem::path folder(rest.substr(0, colon));
    rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
    if (folder.is_absolute() && runnable(folder / name)) return folder / name;
  }
  return std::nullopt;
}

}  // namespace lab
