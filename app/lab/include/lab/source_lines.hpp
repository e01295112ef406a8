// SPDX-License-Identifier: MIT
// From the return address of a call to the line of the program that made it, through the debug information of
// the program's own files.
//
// The traced program may be gone, stripped or damaged: a place that cannot be found is left out and
// never an error. So each file is read by a process of its own, driverlab-lines. One thread uses it. It knows
// nothing of drivers or of runs.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct SourcePlace {
  std::string file;  // relative to the source folder where it lies in it, else as the compiler was told it
  std::uint32_t line = 0;
};
constexpr std::uint32_t kMostLines = 10'000'000;  // beyond that a line number is damage

// The text of an event of the kind Stack, taken apart. What is no frame is left out.
struct StackFrame {
  std::string function, file;  // "" where not known
  std::uint32_t line = 0;      // 0 where not known
};
std::vector<StackFrame> stack_frames(std::string_view text);
void add_frame(std::string& text, const StackFrame& frame);

// How the files are read.
struct LineReading {
  std::filesystem::path reader;                         // the program driverlab-lines
  double seconds = 20;                                  // that it may take for one file, all in all
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // of addresses, for one file
};

class SourceLines {
 public:
  SourceLines(const std::filesystem::path& source_folder, LineReading reading);
  ~SourceLines();
  // A file that is mapped into the program, and what is added to its addresses. The debug information is read
  // at the first address asked for inside it.
  void map(const std::string& path, std::uint64_t bias);
  std::optional<SourcePlace> find(std::uint64_t return_address);
  // A call stack, innermost first, with the frames that were inlined; places as find() names them, and
  // functions as the compiler or the file's symbols do. `place` receives the innermost that lies in the
  // source folder, and is left alone where none does. `python` has a line for each frame of an interpreter:
  // function, file, line.
  std::string frames(const std::vector<std::uint64_t>& return_addresses, std::string_view python,
                     std::optional<SourcePlace>& place);
  // Names of the files whose reader ended, or took too long, before it had said all: the places in them that
  // were not found yet stay unknown.
  std::vector<std::string> unread() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lab
