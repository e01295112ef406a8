// SPDX-License-Identifier: MIT
// A file that is written under a temporary name and then replaces another: complete, or not at all.
//
// The lab saves every whole file in this way. A regular file is replaced by a new one that was written next
// to it. A terminal, a pipe or /dev/null is written directly and never replaced. For a symbolic link, the
// file that the link names is replaced. Nothing here depends on the contents.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace trace {

class SavedFile {
 public:
  // Null if the file cannot be written; errno says why: it is a folder, a disk, or a pipe without a reader.
  static std::unique_ptr<SavedFile> create(const std::filesystem::path& path);
  ~SavedFile();  // without commit(): discards. The temporary file stays only if the process is killed

  bool write(std::string_view bytes);  // false: see errno; all later calls fail too
  bool commit();                       // replaces the old file; false: see errno
  void discard();                      // instead of commit(): removes what was written
  // Instead of commit(), also after a failure: keeps the first `bytes` bytes next to the target, under a name
  // that no other file has: NAME.cut.EXTENSION, NAME.cut-2.EXTENSION. If that fails, everything is removed
  // and the result is empty.
  std::filesystem::path keep_cut(std::uint64_t bytes);
  // The file that is written until commit(); empty if the target is written directly.
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
