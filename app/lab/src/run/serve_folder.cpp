// SPDX-License-Identifier: MIT
// See serve_folder.hpp.
#include "run/serve_folder.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/folders.hpp"

namespace lab {
namespace {

constexpr int kMostRemovals = 400;  // 50 ms apart: a program that is being ended may still write

std::string name_of_all() {
  return "driverlab-serve-" + std::to_string(::getuid()) + "-";
}

void remove_folder(const std::filesystem::path& folder) {
  std::error_code error;
  for (int i = 0; i < kMostRemovals; ++i) {
    std::filesystem::remove_all(folder, error);
    struct stat about{};
    if (::lstat(folder.c_str(), &about) != 0) return;
    ::usleep(50'000);
  }
}

// Closes all descriptors of the process that it was forked from: a launcher waits until its pipes close.
[[noreturn]] void guard(const std::filesystem::path& folder, int lock, int alive) {
  ::setsid();
  ::prctl(PR_SET_NAME, "driverlab-tidy");  // so that it does not look like a forgotten process
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) ::signal(signal, SIG_IGN);
  for (int fd = 0; fd < 1024; ++fd)
    if (fd != lock && fd != alive) ::close(fd);
  if (::chdir("/") != 0) errno = 0;
  char byte = 0;
  while (::read(alive, &byte, 1) != 0 && errno == EINTR) {
  }
  remove_folder(folder);
  ::_exit(0);
}

// Removes the folder of a serve that was killed together with its guardian, as a batch system does.
void remove_forsaken(const std::filesystem::path& in) {
  std::error_code error;
  const std::string beginning = name_of_all();
  for (std::filesystem::directory_iterator i(in, error), end; !error && i != end; i.increment(error)) {
    struct stat about{};
    if (!i->path().filename().string().starts_with(beginning)) continue;
    if (::lstat(i->path().c_str(), &about) != 0 || !S_ISDIR(about.st_mode) || about.st_uid != ::getuid())
      continue;
    const FileDescriptor lock(::open((i->path() / ".lock").c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    if (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) std::filesystem::remove_all(i->path(), error);
  }
}

}  // namespace

Result<ServeFolder> ServeFolder::create() {
  const std::filesystem::path in = temporary_folder();
  remove_forsaken(in);
  std::string name = (in / (name_of_all() + "XXXXXX")).string();
  const auto failed = [&in] { return problem(Text::RemoteNoFolder, {in.string(), std::strerror(errno)}); };
  if (::mkdtemp(name.data()) == nullptr) return failed();
  ServeFolder folder;
  folder.path_ = name;
  folder.lock_ = FileDescriptor(
      ::open((folder.path_ / ".lock").c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  int ends[2];
  if (!folder.lock_ || ::flock(folder.lock_.get(), LOCK_EX | LOCK_NB) != 0 || ::pipe2(ends, O_CLOEXEC) != 0)
    return failed();
  folder.alive_ = FileDescriptor(ends[1]);
  const FileDescriptor watched(ends[0]);
  // Forks twice, so that the guardian is not a child of this process: a program's wait() must not find it.
  const pid_t child = ::fork();
  if (child < 0) return failed();
  if (child == 0) {
    folder.alive_.reset();
    if (::fork() == 0) guard(folder.path_, folder.lock_.get(), watched.get());
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  return folder;
}

ServeFolder::~ServeFolder() {
  if (alive_) remove_folder(path_);
}

}  // namespace lab
