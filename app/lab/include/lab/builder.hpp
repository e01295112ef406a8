// SPDX-License-Identifier: MIT
// Compiles a lesson, or a student's copy of one, into a program: clang or g++, check.hpp precompiled, mold or
// lld where there is one.
//
// A build that fails is a result like any other, with the compiler's words in it. Kernels and a lesson's own
// libraries are built on the way (src/kernels.hpp, src/own_libraries.hpp). The program is not run here.
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
  std::string file;  // relative to the source folder where it lies in it
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
  bool cached = false;             // nothing had to be compiled
  std::optional<Problem> problem;  // no compiler, no headers, compiler crashed, …
};

// Blocking; call from a thread of its own. Results are cached by content under the user's cache folder.
// `cancel` may be set from another thread at any time.
BuildResult build_lesson(const Lesson& lesson, const std::filesystem::path& source_folder,
                         const Driver& driver, const Installation& installation,
                         const std::atomic<bool>* cancel = nullptr);
// The compilers found, in the order in which they are tried; DRIVERLAB_CXX comes first.
std::vector<std::filesystem::path> compilers();
std::vector<Diagnostic> parse_diagnostics(std::string_view compiler_output,
                                          const std::filesystem::path& source_folder);

}  // namespace lab
