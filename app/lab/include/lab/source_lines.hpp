// SPDX-License-Identifier: MIT
// From the return address of a call to the line of the program that made it, through the debug information of
// the program's own files (libdw).
//
// The traced program may be gone, stripped or damaged: a place that cannot be told is no place, never an
// error. One thread uses it. It knows nothing of drivers or of runs.
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

// The text of an event of the kind Stack, taken apart. What is no frame is left out.
struct StackFrame {
  std::string function, file;  // "" where not known
  std::uint32_t line = 0;      // 0 where not known
};
std::vector<StackFrame> stack_frames(std::string_view text);

class SourceLines {
 public:
  explicit SourceLines(const std::filesystem::path& source_folder);
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

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lab
