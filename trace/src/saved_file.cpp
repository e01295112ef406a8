// SPDX-License-Identifier: MIT
// See saved_file.hpp. The temporary name cannot be guessed and is made with O_EXCL, so that it is never a
// link or a file of somebody else; the rename replaces only a regular file, or nothing.
#include "trace/saved_file.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

namespace trace {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;                 // as many as the kernel follows
constexpr std::size_t kLongestNameKept = 200;  // of 255 bytes that a name may have

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// What lies in /proc are no links to names but files that are open: /dev/stdout, /dev/fd/5.
bool in_proc(const fs::path& folder) {
  struct statfs about = {};
  return ::statfs(folder.c_str(), &about) == 0 && about.f_type == PROC_SUPER_MAGIC;
}

// The name after following symbolic links, whether there is such a file or not. False: it has none, or errno.
bool follow_links(fs::path& path) {
  errno = ELOOP;
  for (int i = 0; i < kMostLinks; ++i) {
    struct stat about = {};
    if (::lstat(path.c_str(), &about) != 0) return errno == ENOENT;
    if (!S_ISLNK(about.st_mode)) return true;
    if (in_proc(folder_of(path))) return false;
    std::error_code error;
    const fs::path to = fs::read_symlink(path, error);
    if (error) return errno = error.value(), false;
    path = to.is_absolute() ? to : folder_of(path) / to;
    errno = ELOOP;
  }
  return false;
}

// The mode the file has, or what open() would have given a new one.
mode_t mode_for(const fs::path& path) {
  struct stat old = {};
  if (::stat(path.c_str(), &old) == 0) return old.st_mode & 07777;
  const mode_t mask = ::umask(022);  // the only way to ask; put back at once
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

std::unique_ptr<SavedFile> SavedFile::create(const fs::path& path) {
  std::unique_ptr<SavedFile> file(new SavedFile);
  file->target_ = path;
  struct stat about = {};
  const bool there = ::stat(path.c_str(), &about) == 0;
  if (!there && errno != ENOENT) return nullptr;
  const bool beside = !there || S_ISREG(about.st_mode);
  if (beside && follow_links(file->target_)) return file->open_beside() ? std::move(file) : nullptr;
  if (!there) return nullptr;
  file->target_ = path;
  return file->open_in_place() ? std::move(file) : nullptr;
}

SavedFile::~SavedFile() {
  discard();
  if (file_ >= 0) ::close(file_);
}

bool SavedFile::open_beside() {
  const std::string name = target_.filename().string();
  if (name.empty()) return errno = EISDIR, false;
  std::string beside = (folder_of(target_) / name.substr(0, kLongestNameKept)).string() + ".XXXXXX.part";
  file_ = ::mkostemps(beside.data(), 5, O_CLOEXEC);
  if (file_ < 0) return false;
  try {
    temporary_ = beside;
  } catch (const std::bad_alloc&) {
    ::unlink(beside.c_str());
    throw;
  }
  if (::fchmod(file_, mode_for(target_)) == 0) return true;
  const int error = errno;
  discard();
  return errno = error, false;
}

bool SavedFile::open_in_place() {
  struct stat about = {};
  if (::stat(target_.c_str(), &about) != 0) return false;
  if (S_ISDIR(about.st_mode)) return errno = EISDIR, false;
  if (S_ISBLK(about.st_mode)) return errno = ENOTSUP, false;  // a whole disk, which is surely a mistake
  // Not blocking: a pipe without a reader would wait for ever.
  const int truncate = S_ISREG(about.st_mode) ? O_TRUNC : 0;
  file_ = ::open(target_.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | truncate);
  if (file_ < 0) return false;
  const int flags = ::fcntl(file_, F_GETFL);
  return flags >= 0 && ::fcntl(file_, F_SETFL, flags & ~O_NONBLOCK) == 0;
}

bool SavedFile::fail(int error) {
  if (error_ == 0) error_ = error;
  errno = error_;
  return false;
}

bool SavedFile::write(std::string_view bytes) {
  if (error_ != 0 || done_) return fail(EBADF);
  while (!bytes.empty()) {
    const ssize_t n = ::write(file_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail(n < 0 ? errno : EIO);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

bool SavedFile::commit() {
  if (error_ != 0 || done_) return fail(EBADF);
  const bool synced = ::fsync(file_) == 0 || errno == EINVAL || errno == EROFS;  // pipes and devices cannot
  if (!synced) return fail(errno);
  if (!temporary_.empty() && ::rename(temporary_.c_str(), target_.c_str()) != 0) return fail(errno);
  done_ = true;
  const int folder =
      temporary_.empty() ? -1 : ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    ::fsync(folder);
    ::close(folder);
  }
  return true;
}

fs::path SavedFile::keep_cut(std::uint64_t bytes) {
  constexpr int kMostTries = 1000;
  if (done_ || temporary_.empty()) return discard(), fs::path();
  if (::ftruncate(file_, static_cast<off_t>(bytes)) != 0) return discard(), fs::path();
  const std::string stem = target_.stem().string().substr(0, kLongestNameKept) + ".cut";
  const std::string extension = target_.extension().string();
  for (int number = 1; number <= kMostTries; ++number) {
    std::string with_number = stem;
    if (number > 1) with_number.append("-").append(std::to_string(number));
    const fs::path name = folder_of(target_) / with_number.append(extension);
    int result = ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE);
    if (result != 0 && errno == EINVAL) {  // a file system that has only plain renaming
      struct stat there = {};
      if (::lstat(name.c_str(), &there) == 0) continue;
      result = ::rename(temporary_.c_str(), name.c_str());
    }
    if (result != 0 && errno == EEXIST) continue;
    if (result != 0) break;
    done_ = true;
    ::fsync(file_);
    return name;
  }
  return discard(), fs::path();
}

void SavedFile::discard() {
  if (done_) return;
  done_ = true;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

}  // namespace trace
