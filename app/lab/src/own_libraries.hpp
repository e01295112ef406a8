// SPDX-License-Identifier: MIT
// The libraries of a lesson's own: C files that are made into libNAME.so beside its program, as somebody
// else's library would come: compiled on its own, by a C compiler, with nothing of the lesson's but its
// header.
//
// Nothing of the program is known here, nor which lessons have such libraries, or why.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "lab/catalogue.hpp"
#include "lab/installation.hpp"
#include "spawn.hpp"

namespace lab {

struct LibraryCompiler {
  std::filesystem::path program;         // the C compiler beside the C++ compiler of programs, or that one
  std::vector<std::string> flags, link;  // before and after the sources
  std::string identity;                  // changes when the compiler does
};
// `include`: the folder with cuda.h that the program is compiled with; `link`: what finds the driver.
Result<LibraryCompiler> choose_library_compiler(const std::filesystem::path& include,
                                                const std::vector<std::string>& link);

// "libNAME.so"
std::string file_name_of(const OwnLibrary& library);
std::vector<std::string> library_arguments(const LibraryCompiler& compiler, const OwnLibrary& library,
                                           const std::string& output);
// Makes all of them in `into`; the first that fails ends it, and what it said is in the result.
Finished make_libraries(const LibraryCompiler& compiler, const std::vector<OwnLibrary>& libraries,
                        const std::filesystem::path& sources, const std::filesystem::path& into,
                        const RunOptions& options);

}  // namespace lab
