// SPDX-License-Identifier: MIT
// See lab/files.hpp. The system's words are kept in the problem, so that a reader sees why a file failed.
#include "lab/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/file_descriptor.hpp"
#include "trace/saved_file.hpp"

namespace lab {
namespace {

tl::unexpected<Problem> cannot_write(const std::filesystem::path& path, int error) {
  return problem(Text::FileCannotWrite, {path.string(), std::strerror(error)});
}

}  // namespace

Result<bool> write_file(const std::filesystem::path& path, std::string_view text) {
  const auto file = trace::SavedFile::create(path);
  if (!file) return cannot_write(path, errno);
  if (file->write(text) && file->commit()) return true;
  return cannot_write(path, file->error());
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
    if (text.size() <= most_bytes) continue;
    const std::uint64_t bytes =
        std::max<std::uint64_t>(text.size(), static_cast<std::uint64_t>(about.st_size));
    return problem(Text::FileTooLarge,
                   {path.string(), std::to_string(bytes), std::to_string(most_bytes >> 20)});
  }
}

}  // namespace lab
