// SPDX-License-Identifier: MIT
// Compiles a lesson, or a student's copy of one, into a program: clang or g++, check.hpp precompiled, mold or
// lld where there is one.
//
// A failed build is a result like any other, and contains the compiler's words. Kernels and a lesson's own
// libraries are built too (src/build/kernels.hpp, own_libraries.hpp). The program is not run here.
#pragma once
#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/catalogue.hpp"
#include "lab/installation.hpp"

namespace lab {

struct Diagnostic {
  enum class Severity { Note, Warning, Error } severity = Severity::Error;
  std::string file;  // relative to the source folder if it is in it
  int line = 0, column = 0;
  std::string message;
};

struct BuildResult {
  bool ok = false;
  std::filesystem::path program;
  std::string command;  // as a person would type it
  std::string output;   // the compiler's own words
  std::vector<Diagnostic> diagnostics;
  double seconds = 0;
  bool cached = false;             // an earlier build is used again
  std::optional<Problem> problem;  // no compiler, no headers, compiler crashed, …
};

// Blocks until the build has ended, so call it from a separate thread. Results are cached by content in the
// user's cache folder. Another thread may set `cancel` at any time.
BuildResult build_lesson(const Lesson& lesson, const std::filesystem::path& source_folder,
                         const Driver& driver, const Installation& installation,
                         const std::atomic<bool>* cancel = nullptr);
// The compilers that were found, in the order in which they are tried; DRIVERLAB_CXX comes first.
std::vector<std::filesystem::path> compilers();
std::vector<Diagnostic> parse_diagnostics(std::string_view compiler_output,
                                          const std::filesystem::path& source_folder);

}  // namespace lab
