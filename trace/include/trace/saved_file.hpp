// SPDX-License-Identifier: MIT
// A file that is being written to take the place of another: whole at its end, or not there at all.
//
// Everything that the lab writes in one go passes through here. A regular file is replaced by a new one that
// was written beside it. What is no regular file (a terminal, a pipe, /dev/null) is written as it stands and
// never replaced; behind a symbolic link it is the file that the link names. It knows nothing of contents.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace trace {

class SavedFile {
 public:
  // Nothing where it cannot be written, errno says why: a folder, a disk, a pipe that nobody reads.
  static std::unique_ptr<SavedFile> create(const std::filesystem::path& path);
  ~SavedFile();  // without commit(): discards. Only of a process that is killed does the temporary file stay

  bool write(std::string_view bytes);  // false: errno, and everything after it fails too
  bool commit();                       // takes the place of the old file; false: errno
  void discard();                      // instead of commit(): removes what was written
  // Instead of commit(), also after a failure: the first so many bytes stay beside the target, under a name
  // that no other file has: NAME.cut.EXTENSION, NAME.cut-2.EXTENSION. Empty: that cannot be, and all is
  // removed.
  std::filesystem::path keep_cut(std::uint64_t bytes);
  // Where it is written until commit(); empty for what is written as it stands.
  const std::filesystem::path& temporary() const { return temporary_; }
  int error() const { return error_; }  // errno of the first failure, else 0

 private:
  SavedFile() = default;
  bool fail(int error);
  bool open_beside();
  bool open_in_place();

  std::filesystem::path target_, temporary_;
  int file_ = -1, error_ = 0;
  bool done_ = false;
};

}  // namespace trace
