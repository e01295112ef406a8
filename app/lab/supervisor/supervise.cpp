// SPDX-License-Identifier: MIT
// Keeps a program: starts it in a process group of its own, watches memory, output and number of processes,
// and afterwards ends everything that the program started, in any session or group.
//
// The supervisor is a subreaper: an orphan of the program, also one that changed its session, becomes the
// supervisor's child. So killing children until there are none reaches everything. When the lab ends, the
// kernel sends SIGTERM to the supervisor, unless the program is to outlive the lab. When the supervisor is
// killed, the kernel sends SIGKILL to its program.
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "supervisor.hpp"

namespace supervisor {
namespace {

constexpr long kLookEvery = 10'000'000;       // nanoseconds between two looks at the output
constexpr int kLooksPerMemory = 10;           // memory and processes: every tenth look
constexpr std::size_t kMostProcesses = 1024;  // far above any lesson, far below what would harm the machine

void report(const Supervision& request, const char* word, long long number) {
  char line[64];
  const int n = std::snprintf(line, sizeof line, "%s %lld\n", word, number);
  if (n > 0 && ::write(request.report, line, static_cast<std::size_t>(n)) < 0) return;  // there is no reader
}

[[noreturn]] void become_program(const Supervision& request, pid_t supervisor, int failure) {
  ::setsid();  // a group that can be killed at once, with a processor share of its own if that is by session
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor) ::_exit(127);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  sigset_t no_signals;
  sigemptyset(&no_signals);
  ::signal(SIGPIPE, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &no_signals, nullptr);
  ::execv(request.command[0], request.command);
  const int error = errno;
  if (::write(failure, &error, sizeof error) < 0) ::_exit(126);
  ::_exit(127);
}

// Returns once the program runs: the pipe closes with a successful exec.
pid_t start(const Supervision& request) {
  int failure[2];
  if (::pipe2(failure, O_CLOEXEC) != 0) {
    report(request, "failed", errno);
    return -1;
  }
  const pid_t self = ::getpid();
  const pid_t program = ::fork();
  int error = program < 0 ? errno : 0;
  if (program == 0) become_program(request, self, failure[1]);
  if (program > 0) report(request, "started", program);  // said first: it may run, and kill us, before we do
  ::close(failure[1]);
  if (program > 0 && ::read(failure[0], &error, sizeof error) != sizeof error) error = 0;
  ::close(failure[0]);
  report(request, error == 0 ? "running" : "failed", error);
  return error == 0 ? program : -1;
}

// The supervisor looks at the size; the kernel's limit is not used, because RLIMIT_FSIZE would also keep a
// driver from setting the size of its memory, which is a file without a name.
std::uint64_t output_size() {
  std::uint64_t bytes = 0;
  for (const int fd : {1, 2}) {
    struct stat about{};
    if (::fstat(fd, &about) == 0 && S_ISREG(about.st_mode))
      bytes += static_cast<std::uint64_t>(about.st_size);
  }
  return bytes;
}

using Numbers = std::vector<pid_t>;

// The entries of a folder of /proc whose names are numbers.
Numbers numbers_in(const char* folder) {
  Numbers found;
  DIR* entries = ::opendir(folder);
  if (entries == nullptr) return found;
  while (const dirent* entry = ::readdir(entries))
    if (const int number = std::atoi(entry->d_name); number > 0) found.push_back(number);
  ::closedir(entries);
  return found;
}

pid_t parent_of(pid_t pid) {
  char path[64], line[512];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  std::FILE* file = std::fopen(path, "re");
  if (file == nullptr) return 0;
  const std::size_t n = std::fread(line, 1, sizeof line - 1, file);
  std::fclose(file);
  line[n] = '\0';
  const char* after_name = std::strrchr(line, ')');  // the name itself may hold blanks and brackets
  int parent = 0;
  return after_name != nullptr && std::sscanf(after_name, ") %*c %d", &parent) == 1 ? parent : 0;
}

// Kernels list the children of each thread. If a kernel is built without that list, every process is looked
// at.
void children_of(pid_t pid, Numbers& into) {
  char path[96];
  std::snprintf(path, sizeof path, "/proc/%d/task", pid);
  for (const pid_t thread : numbers_in(path)) {
    std::snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, thread);
    std::FILE* file = std::fopen(path, "re");
    if (file == nullptr) continue;
    for (int child = 0; std::fscanf(file, "%d", &child) == 1;) into.push_back(child);
    std::fclose(file);
  }
  static const bool kernel_lists_children = ::access("/proc/thread-self/children", R_OK) == 0;
  if (kernel_lists_children) return;
  for (const pid_t candidate : numbers_in("/proc"))
    if (parent_of(candidate) == pid) into.push_back(candidate);
}

Numbers everything_below() {
  Numbers found;
  children_of(::getpid(), found);
  for (std::size_t i = 0; i < found.size() && found.size() <= kMostProcesses; ++i)
    children_of(found[i], found);
  return found;
}

std::uint64_t resident(const Numbers& processes) {
  std::uint64_t pages = 0;
  for (const pid_t pid : processes) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/statm", pid);
    std::FILE* file = std::fopen(path, "re");
    if (file == nullptr) continue;
    unsigned long long total = 0, here = 0;
    if (std::fscanf(file, "%llu %llu", &total, &here) == 2) pages += here;
    std::fclose(file);
  }
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

// Ends everything below the supervisor. Each round kills the direct children; their own children become
// direct children in the next round.
void end_everything(pid_t group) {
  for (;;) {
    ::kill(-group, SIGKILL);
    Numbers children;
    children_of(::getpid(), children);
    for (const pid_t child : children) ::kill(child, SIGKILL);
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (ended < 0 && errno == ECHILD) return;
    const timespec moment{0, 500'000};
    ::nanosleep(&moment, nullptr);
  }
}

// Neither dead nor the driver's own process for kernels, which ends by itself.
bool goes_on(pid_t pid) {
  char path[64], text[512];
  std::snprintf(path, sizeof path, "/proc/%d/exe", pid);
  const ssize_t n = ::readlink(path, text, sizeof text - 1);
  if (n <= 0) return false;  // a dead one has none
  text[n] = '\0';
  const char* name = std::strrchr(text, '/');
  return name == nullptr || std::strcmp(name + 1, "driverlab-runner") != 0;
}

// How many processes the program left. Those that are about to end have a moment to do so.
long long left_running() {
  constexpr int kLooks = 30;
  for (int look = 0;; ++look) {
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    const Numbers below = everything_below();
    const auto left = std::count_if(below.begin(), below.end(), goes_on);
    if (left == 0 || look == kLooks) return left;
    const timespec moment{0, kLookEvery};
    ::nanosleep(&moment, nullptr);
  }
}

// Reaps; true with the status when the program itself is among them.
bool reap(pid_t program, int& status) {
  for (;;) {
    int one = 0;
    const pid_t ended = ::waitpid(-1, &one, WNOHANG);
    if (ended <= 0) return false;
    if (ended == program) {
      status = one;
      return true;
    }
  }
}

// All processes and threads of the machine: one system call, so it can be asked often.
unsigned processes_of_machine() {
  struct sysinfo about{};
  return ::sysinfo(&about) == 0 ? about.procs : 0;
}

// Reports the limit that is exceeded; true if there is one. A fork bomb takes the processor away from the
// supervisor, so it looks sooner when the number of processes grows.
bool beyond_a_limit(const Supervision& request, int look) {
  static const unsigned processes_at_start = processes_of_machine();
  const std::uint64_t output = output_size();
  if (request.output_bytes != 0 && output > request.output_bytes) {
    report(request, "output", static_cast<long long>(request.output_bytes));
    return true;
  }
  const bool filling_up = processes_of_machine() > processes_at_start + kMostProcesses / 2;
  if (look % kLooksPerMemory != 0 && !filling_up) return false;
  const Numbers processes = everything_below();
  if (processes.size() > kMostProcesses) {
    report(request, "processes", static_cast<long long>(kMostProcesses));
    return true;
  }
  if (request.memory_bytes != 0 && resident(processes) > request.memory_bytes) {
    report(request, "memory", static_cast<long long>(request.memory_bytes));
    return true;
  }
  return false;
}

void watch(const Supervision& request, pid_t program, const sigset_t& signals) {
  for (int look = 1;; ++look) {
    const timespec patience{0, kLookEvery};
    const int signal = ::sigtimedwait(&signals, nullptr, &patience);
    int status = 0;
    if (reap(program, status)) {
      if (const long long left = left_running(); left > 0) report(request, "left", left);
      return report(request, "ended", status);
    }
    if (signal == SIGTERM || signal == SIGINT || signal == SIGHUP) return report(request, "stopped", 0);
    if (beyond_a_limit(request, look)) return;
  }
}

}  // namespace

int supervise(const Supervision& request) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  ::fcntl(request.report, F_SETFD, FD_CLOEXEC);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (request.parent != 0) ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (request.parent != 0 && ::getppid() != request.parent)
    return 1;  // the lab ended before the supervisor could ask for the signal

  const pid_t program = start(request);
  if (program < 0) return 1;
  watch(request, program, signals);
  end_everything(program);
  return 0;
}

}  // namespace supervisor
