// SPDX-License-Identifier: MIT
// The compiler, linker and toolkit that lessons are built with: which are taken, the flags that all of them
// get, and how a run of one is shown to a student. What is compiled is builder.cpp's.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lab/installation.hpp"

namespace lab {

struct Toolchain {
  std::filesystem::path compiler;
  bool clang = false;
  std::string linker;    // "mold", "lld", or "" for the compiler's own
  std::string identity;  // changes when the compiler does
};
// The first compiler that can compile a small C++20 program. `first_words`: what the first broken one said.
std::optional<Toolchain> choose_toolchain(std::string* first_words);

// What lessons with kernels or with the runtime or NVRTC are built with: NVIDIA's toolkit for a real driver
// where one is installed, else the embedded one, whose libraries know nothing but the public driver API.
struct Toolkit {
  std::filesystem::path include, library_folder;
  std::filesystem::path compiler;  // for .cu files: nvcc, cuda++
  bool nvidia = false;
};
Toolkit choose_toolkit(const Driver& driver, const Installation& installation);
// The compiler of .cu files as a toolchain; its linker is its own.
Toolchain toolchain_of(const Toolkit& toolkit);
// Changes when the program at this path does.
std::string identity_of(const std::filesystem::path& program);
// The flags that decide what code comes out: the same with and without a precompiled header.
std::vector<std::string> language_flags();
// What keeps a compiler from headers in /usr/local/include, where toolkits put theirs: the folders of the
// standard library by name, as the compiler itself says. None where nothing lies there. They are not in the
// command that is shown.
std::vector<std::string> flags_without_other_toolkits(const Toolchain& toolchain);
// For compilers: English messages, no colours. Their temporary files go into `temporary` ("": where they
// always go), whose owner removes it: a compiler that is ended in the middle leaves them behind.
std::vector<std::string> compiler_environment(const std::filesystem::path& temporary = {});
// The name of a file as an argument that no compiler takes for an option, or for a file of arguments.
std::string plain_argument(const std::string& file);
// As a person would type it.
std::string command_line(const std::vector<std::string>& arguments);

}  // namespace lab
