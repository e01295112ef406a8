// SPDX-License-Identifier: MIT
// The compiler, linker and toolkit that lessons are built with: how they are chosen, the flags that all of
// them get, and how their command is shown to a student. builder.cpp decides what is compiled.
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
// The first compiler that can compile a small C++20 program. `first_words`: the messages of the first broken
// one.
std::optional<Toolchain> choose_toolchain(std::string* first_words);

// The toolkit for lessons with kernels, the runtime or NVRTC: for a real driver NVIDIA's toolkit if it is
// installed, else the embedded one, whose libraries use only the public driver API.
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
// The flags that determine the generated code: the same with and without a precompiled header.
std::vector<std::string> language_flags();
// The flags that keep a compiler from headers in /usr/local/include, where toolkits put theirs: the folders
// of the standard library, as the compiler itself reports them. None if that folder is empty. They are not in
// the command that is shown.
std::vector<std::string> flags_without_other_toolkits(const Toolchain& toolchain);
// For compilers: English messages, no colours. Their temporary files go into `temporary` ("": the usual
// place), whose owner removes it, because a compiler that is killed leaves them behind.
std::vector<std::string> compiler_environment(const std::filesystem::path& temporary = {});
// The name of a file as an argument that no compiler mistakes for an option or for a file of arguments.
std::string plain_argument(const std::string& file);
// As a person would type it.
std::string command_line(const std::vector<std::string>& arguments);

}  // namespace lab
