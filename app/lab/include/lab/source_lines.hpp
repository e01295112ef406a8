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

namespace lab {

struct SourcePlace {
  std::string file;  // relative to the source folder where it lies in it, else as the compiler was told it
  std::uint32_t line = 0;
};

class SourceLines {
 public:
  explicit SourceLines(const std::filesystem::path& source_folder);
  ~SourceLines();
  // A file that is mapped into the program, and what is added to its addresses. The debug information is read
  // at the first address asked for inside it.
  void map(const std::string& path, std::uint64_t bias);
  std::optional<SourcePlace> find(std::uint64_t return_address);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lab
