// SPDX-License-Identifier: MIT
// Finds the source line of a call by its return address, in the debug information of the program's own files.
//
// The traced program may be gone, stripped or damaged: a place that cannot be found is left out, and is never
// an error. A damaged file could crash its reader, so each file is read by a separate process,
// driverlab-lines. Used by one thread. Nothing here depends on drivers or runs.
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
  std::string file;  // relative to the source folder if it is in it, else as it was given to the compiler
  std::uint32_t line = 0;
};
constexpr std::uint32_t kMostLines = 10'000'000;  // a larger line number is damaged data

// The frames in the text of a Stack event. Lines that are no frames are left out.
struct StackFrame {
  std::string function, file;  // "" if not known
  std::uint32_t line = 0;      // 0 if not known
};
std::vector<StackFrame> stack_frames(std::string_view text);
void add_frame(std::string& text, const StackFrame& frame);

// How the files are read.
struct LineReading {
  std::filesystem::path reader;                         // the program driverlab-lines
  double seconds = 20;                                  // its time limit for one file, all in all
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // its limit of address space for one file
};

class SourceLines {
 public:
  SourceLines(const std::filesystem::path& source_folder, LineReading reading);
  ~SourceLines();
  // A file that is mapped into the program, and the bias that is added to its addresses. Its debug
  // information is read when the first address inside it is asked for.
  void map(const std::string& path, std::uint64_t bias);
  std::optional<SourcePlace> find(std::uint64_t return_address);
  // A call stack, innermost first, with inlined frames. Places are those of find(), and functions have the
  // names that the compiler or the file's symbols give them. `place` receives the innermost place in the
  // source folder and is not changed if there is none. `python` has a line for each frame of an interpreter:
  // function, file, line.
  std::string frames(const std::vector<std::uint64_t>& return_addresses, std::string_view python,
                     std::optional<SourcePlace>& place);
  // Names of the files whose reader crashed or took too long: places in them that were not found before stay
  // unknown.
  std::vector<std::string> unread() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lab
