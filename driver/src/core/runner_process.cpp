// RunnerProcess: shared memory, a process started without leaving a trace, and its end.
//
// A child started in the plain way would be seen: SIGCHLD, wait() that returns it or never returns. So a
// helper that shares this address space and has no exit signal starts the runner and ends at once; the runner
// belongs to init then, and watches its host by a descriptor of the process.
#include "core/runner_process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "core/arena.hpp"
#include "core/driver.hpp"

namespace driver {
namespace {

constexpr int highest_wanted_descriptor = runner::first_source_descriptor + int{runner::most_sources};

// driverlab-runner lies beside the library: lib/libcuda.so.1, libexec/driverlab-runner.
std::string runner_path() {
  if (const char* const given = secure_getenv("DRIVERLAB_RUNNER")) return given;
  Dl_info info = {};
  static const int here = 0;
  if (dladdr(&here, &info) == 0 || info.dli_fname == nullptr) return "";
  char* const real = realpath(info.dli_fname, nullptr);
  if (real == nullptr) return "";
  std::string path = real;
  std::free(real);
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash) + "/../libexec/driverlab-runner";
}

struct Starting {
  std::string path;
  std::vector<int> descriptors;    // the runner's 3, 4, ...
  std::vector<char*> environment;  // what says how kernels are run and where they are kept, nothing else
  int process = 0;
  int error = 0;
};

std::vector<char*> runner_environment() {
  std::vector<char*> kept;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    for (const char* const start : {"HOME=", "XDG_CACHE_HOME=", "CUDA_CACHE_",
                                    "DRIVERLAB_KERNELS=", "DRIVERLAB_DUMP", "ASAN_OPTIONS=", "TSAN_OPTIONS="})
      if (text.starts_with(start)) kept.push_back(*entry);
  }
  kept.push_back(nullptr);
  return kept;
}

// Runs in the helper, which has this process's memory and a table of descriptors of its own.
int start_runner(void* argument) {
  auto& starting = *static_cast<Starting*>(argument);
  // The runner's layout must not be this process's: with the same one a host address could be valid there.
  const int persona = personality(0xffffffff);
  if (persona >= 0)
    personality(static_cast<unsigned long>(persona) & ~static_cast<unsigned long>(ADDR_NO_RANDOMIZE));
  // Out of the way first, so that none is overwritten while they are put in place.
  for (int& descriptor : starting.descriptors) {
    descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, highest_wanted_descriptor);
    if (descriptor < 0) {
      starting.error = errno;
      return 1;
    }
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, 0, 1);
  posix_spawn_file_actions_adddup2(&actions, 0, 2);
  int wanted = runner::control_descriptor;
  for (const int descriptor : starting.descriptors)
    posix_spawn_file_actions_adddup2(&actions, descriptor, wanted++);
  posix_spawn_file_actions_addclosefrom_np(&actions, wanted);
  posix_spawn_file_actions_addchdir_np(&actions, "/");
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  char name[] = "driverlab-runner";
  char* const arguments[] = {name, nullptr};
  pid_t process = 0;
  starting.error = posix_spawn(&process, starting.path.c_str(), &actions, &attributes, arguments,
                               starting.environment.data());
  starting.process = process;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return 0;
}

// Like vfork, but without a signal at the end and out of sight of wait().
bool run_helper(Starting& starting) {
  constexpr std::size_t stack_size = 256 << 10;
  void* const stack =
      mmap(nullptr, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return false;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const int helper =
      clone(start_runner, static_cast<std::byte*>(stack) + stack_size, CLONE_VM | CLONE_VFORK, &starting);
  if (helper > 0) waitpid(helper, nullptr, __WCLONE);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  munmap(stack, stack_size);
  return helper > 0 && starting.error == 0 && starting.process > 0;
}

}  // namespace

std::unique_ptr<RunnerProcess> RunnerProcess::start(Context& context) {
  std::unique_ptr<RunnerProcess> process(new RunnerProcess);
  if (!process->share_memory(context) || !process->spawn() || !process->wait_until_running()) return nullptr;
  return process;
}

RunnerProcess::~RunnerProcess() {
  if (process_ > 0) {
    // Its number cannot have been given to somebody else while the line holds.
    if (alive()) kill(process_, SIGKILL);
  }
  if (control_ != nullptr) munmap(control_, bytes_);
  if (descriptor_ >= 0) close(descriptor_);
}

bool RunnerProcess::share_memory(Context& context) {
  output_size_ = context.limit(CU_LIMIT_PRINTF_FIFO_SIZE);
  bytes_ = (runner::output_offset + output_size_ + 4095) / 4096 * 4096;
  descriptor_ = create_memory_file("embedded-gpu-runner", bytes_);
  if (descriptor_ < 0) return false;
  void* const memory =
      mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor_, 0);
  if (memory == MAP_FAILED) return false;
  madvise(memory, bytes_, MADV_DONTFORK);
  madvise(memory, bytes_, MADV_DONTDUMP);
  control_ = static_cast<runner::Control*>(memory);  // zeros are what everything begins as
  control_->magic = runner::magic;
  control_->bytes = bytes_;
  control_->host = static_cast<std::uint64_t>(getpid());
  control_->heap_bytes = context.limit(CU_LIMIT_MALLOC_HEAP_SIZE);
  control_->output.size = output_size_;
  for (const Arena* const arena : Driver::get().memory().arenas())
    control_->sources[control_->source_count++] = {arena->base(), arena->size()};
  return true;
}

bool RunnerProcess::spawn() {
  Starting starting;
  starting.path = runner_path();
  starting.environment = runner_environment();
  starting.descriptors.push_back(descriptor_);
  for (const Arena* const arena : Driver::get().memory().arenas()) {
    // A program may have closed every descriptor it did not know, and opened files of its own since.
    if (!arena->descriptor_intact()) return false;
    starting.descriptors.push_back(arena->descriptor());
  }
  if (!run_helper(starting)) return false;
  process_ = starting.process;
  // Both have what they need: nothing more goes this way.
  close(descriptor_);
  descriptor_ = -1;
  return true;
}

bool RunnerProcess::wait_until_running() {
  while (control_->state.load(std::memory_order_acquire) == runner::State::Starting) {
    const timespec moment{0, 20'000'000};
    runner::futex_wait(control_->state, runner::State::Starting, &moment);
    if (kill(process_, 0) != 0 && errno == ESRCH) break;
  }
  return control_->state.load(std::memory_order_acquire) == runner::State::Running;
}

bool RunnerProcess::alive() {
  const int result = pthread_mutex_trylock(&control_->alive);
  if (result == EBUSY) return true;
  if (result == EOWNERDEAD || result == 0) pthread_mutex_unlock(&control_->alive);
  return false;
}

}  // namespace driver
