// SPDX-License-Identifier: MIT
// The folder in which `driverlab serve` keeps what it was sent, for as long as it runs and no longer: a
// guardian process removes it when serve is gone, however it went. Both gone at once leave it locked by
// nobody, and the next serve of the same user removes it.
#pragma once
#include <filesystem>

#include "file_descriptor.hpp"
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
