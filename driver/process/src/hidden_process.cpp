// SPDX-License-Identifier: MIT
// See process/hidden_process.hpp: as vfork and exec, but without a signal at the end and without a child that
// wait() could find.
#include "process/hidden_process.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace process {
namespace {

constexpr int kFirstDescriptor = 3;
// From a third of the address space upwards, instead of from the stack downwards as usual. ThreadSanitizer
// has its own data there.
#ifdef __SANITIZE_THREAD__
constexpr unsigned long kMappingsFromBelow = 0;
#else
constexpr unsigned long kMappingsFromBelow = ADDR_COMPAT_LAYOUT;
#endif

struct Starting {
  const HiddenProcess* wanted = nullptr;
  std::vector<char*> arguments, environment;
  std::vector<int> descriptors;
  int output = -1;
  pid_t process = 0;
  int error = 0;
};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size());
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  return result;
}

std::vector<char*> environment_of(const HiddenProcess& wanted) {
  std::vector<char*> result = pointers(wanted.set_variables);
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto begins = [&](std::string_view start) { return text.starts_with(start); };
    if (std::any_of(wanted.kept_variables.begin(), wanted.kept_variables.end(), begins))
      result.push_back(*entry);
  }
  result.push_back(nullptr);
  return result;
}

// Moves the descriptors above the numbers that they will get.
bool move_up(Starting& starting) {
  const int highest = kFirstDescriptor + static_cast<int>(starting.descriptors.size());
  const auto moved = [highest](int& descriptor) {
    descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, highest);
    return descriptor >= 0;
  };
  if (std::all_of(starting.descriptors.begin(), starting.descriptors.end(), moved) &&
      (starting.output < 0 || moved(starting.output)))
    return true;
  starting.error = errno;
  return false;
}

// Each action takes memory. One that is missing would leave it a descriptor of this process, so none may be.
int describe_descriptors(const Starting& starting, posix_spawn_file_actions_t& actions) {
  int error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
  const int output = starting.output >= 0 ? starting.output : 0;
  for (const int number : {1, 2})
    if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, output, number);
  int number = kFirstDescriptor;
  for (const int descriptor : starting.descriptors)
    if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, descriptor, number++);
  if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(&actions, number);
  if (error == 0 && starting.wanted->begins_at_root)
    error = posix_spawn_file_actions_addchdir_np(&actions, "/");
  return error;
}

// Runs in the helper, which has this process's memory and a table of descriptors of its own.
int help(void* argument) {
  auto& starting = *static_cast<Starting*>(argument);
  const HiddenProcess& wanted = *starting.wanted;
  if (!move_up(starting)) return 1;
  const int persona = wanted.layout_apart ? personality(0xffffffff) : -1;
  if (persona >= 0)
    personality((static_cast<unsigned long>(persona) & ~static_cast<unsigned long>(ADDR_NO_RANDOMIZE)) |
                kMappingsFromBelow);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  starting.error = describe_descriptors(starting, actions);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int flags =
      POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (wanted.own_group ? POSIX_SPAWN_SETPGROUP : 0);
  posix_spawnattr_setflags(&attributes, static_cast<short>(flags));
  if (starting.error == 0)
    starting.error = posix_spawn(&starting.process, wanted.path.c_str(), &actions, &attributes,
                                 starting.arguments.data(), starting.environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return 0;
}

}  // namespace

pid_t start(const HiddenProcess& wanted) {
  constexpr std::size_t kStackSize = 256 << 10;
  Starting starting;
  starting.wanted = &wanted;
  starting.arguments = pointers(wanted.arguments);
  starting.arguments.push_back(nullptr);
  starting.environment = environment_of(wanted);
  starting.descriptors = wanted.descriptors;
  starting.output = wanted.output;
  void* const stack =
      mmap(nullptr, kStackSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return 0;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const int helper =
      clone(help, static_cast<std::byte*>(stack) + kStackSize, CLONE_VM | CLONE_VFORK, &starting);
  if (helper > 0) waitpid(helper, nullptr, __WCLONE);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  munmap(stack, kStackSize);
  return helper > 0 && starting.error == 0 ? starting.process : 0;
}

}  // namespace process
