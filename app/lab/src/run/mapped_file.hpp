// SPDX-License-Identifier: MIT
// A file that is mapped into a traced program: the addresses of its code, and the lines that driverlab-lines
// finds.
//
// The file is not trusted. Only its headers are read here. A separate process reads the rest, and may crash,
// hang or send anything; then no more is known of the file than before.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/file_descriptor.hpp"
#include "lab/source_lines.hpp"

namespace lab {

class MappedFile {
 public:
  explicit MappedFile(std::string path) : path_(std::move(path)) {}
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() { stop_reader(); }

  bool holds(std::uint64_t inside);  // an address in the file, in its code
  // Innermost first; empty if nothing is known. Results are kept.
  const std::vector<StackFrame>& frames(std::uint64_t inside, const LineReading& reading);
  bool known(std::uint64_t inside) const { return frames_.contains(inside); }
  void stop_reader();  // until the next address that is not known yet
  bool unread() const { return given_up_; }
  const std::string& path() const { return path_; }

 private:
  struct Range {
    std::uint64_t from = 0, to = 0;
  };

  void open_once();
  bool start_reader(const LineReading& reading);
  bool ask(std::uint64_t inside, const LineReading& reading, std::string& answer);

  std::string path_;
  bool opened_ = false, given_up_ = false;
  FileDescriptor file_;
  std::vector<Range> ranges_;  // executable segments
  std::unordered_map<std::uint64_t, std::vector<StackFrame>> frames_;
  pid_t reader_ = -1;
  FileDescriptor socket_;  // to it
  double taken_ = 0;       // seconds
};

}  // namespace lab
