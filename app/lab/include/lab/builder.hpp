// Compiles a lesson: clang or g++, precompiled check.hpp, mold or lld where present.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "lab/catalogue.hpp"
#include "lab/installation.hpp"

namespace lab {

struct Diagnostic {
  enum class Severity { Note, Warning, Error } severity = Severity::Error;
  std::string file;   // relative to the source folder where it lies in it
  int line = 0, column = 0;
  std::string message;
};

struct BuildResult {
  bool ok = false;
  std::filesystem::path program;
  std::string command;                   // as a person would type it
  std::string output;                    // the compiler's own words
  std::vector<Diagnostic> diagnostics;
  double seconds = 0;
  std::optional<Problem> problem;        // no compiler, no headers, compiler crashed, …
};

// Blocking; call from a thread of its own. Results are cached by content under the user's cache folder.
BuildResult build_lesson(const Lesson& lesson, const std::filesystem::path& source_folder,
                         const Driver& driver, const Installation& installation);
std::vector<Diagnostic> parse_diagnostics(std::string_view compiler_output,
                                          const std::filesystem::path& source_folder);

}  // namespace lab
