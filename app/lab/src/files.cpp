// SPDX-License-Identifier: MIT
// Reading and saving whole files: reads are bounded, saves are atomic. Everything that the lab writes goes
// through write_file(), so that a full disk or a power cut leaves the old file or the new one, never half.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "file_descriptor.hpp"
#include "lab/workspace.hpp"

namespace lab {
namespace {

tl::unexpected<Problem> cannot_write(const std::filesystem::path& path, int error) {
  return problem(Text::FileCannotWrite, {path.string(), std::strerror(error)});
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

void sync_folder(const std::filesystem::path& folder) {
  const FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd) ::fsync(fd.get());
}

// The mode the file has, or what open() would have given a new one.
mode_t mode_for(const std::filesystem::path& path) {
  struct stat old{};
  if (::stat(path.c_str(), &old) == 0) return old.st_mode & 07777;
  const mode_t mask = ::umask(022);  // the only way to ask; put back at once
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

Result<bool> write_file(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::string temporary = (folder / ("." + path.filename().string() + ".XXXXXX")).string();
  const FileDescriptor fd(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!fd) return cannot_write(path, errno);
  const bool written = ::fchmod(fd.get(), mode_for(path)) == 0 && write_all(fd.get(), text) &&
                       ::fsync(fd.get()) == 0 && ::rename(temporary.c_str(), path.c_str()) == 0;
  if (!written) {
    const int error = errno;
    ::unlink(temporary.c_str());
    return cannot_write(path, error);
  }
  sync_folder(folder);
  return true;
}

Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t most_bytes) {
  // Not blocking: a named pipe in a lesson's folder must not hang the lab.
  const FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!fd) return problem(Text::FileCannotRead, {path.string(), std::strerror(errno)});
  struct stat about{};
  if (::fstat(fd.get(), &about) != 0)
    return problem(Text::FileCannotRead, {path.string(), std::strerror(errno)});
  if (!S_ISREG(about.st_mode)) return problem(Text::FileNotRegular, {path.string()});
  std::string text;
  char block[65536];
  for (;;) {
    const ssize_t n = ::read(fd.get(), block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return problem(Text::FileCannotRead, {path.string(), std::strerror(errno)});
    if (n == 0) return text;
    text.append(block, static_cast<std::size_t>(n));
    if (text.size() > most_bytes)
      return problem(Text::FileTooLarge, {path.string(), std::to_string(most_bytes >> 20)});
  }
}

}  // namespace lab
