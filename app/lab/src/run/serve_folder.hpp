// SPDX-License-Identifier: MIT
// The folder in which `driverlab serve` keeps the files that it was sent, as long as it runs: a guardian
// process removes the folder when serve ends, however it ends. If both end at once, the folder is no longer
// locked, and the next serve of the same user removes it.
#pragma once
#include <filesystem>

#include "base/file_descriptor.hpp"
#include "lab/result.hpp"

namespace lab {

class ServeFolder {
 public:
  // Call before the process has threads: the guardian is a copy of it.
  static Result<ServeFolder> create();
  ServeFolder(ServeFolder&& other) noexcept = default;
  ServeFolder& operator=(ServeFolder&&) = delete;
  ~ServeFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  ServeFolder() = default;
  std::filesystem::path path_;
  FileDescriptor lock_, alive_;
};

}  // namespace lab
