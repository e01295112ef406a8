// SPDX-License-Identifier: MIT
// A lesson's own libraries: C files that are built as libNAME.so next to its program, in the same way as
// another person's library: separately, by a C compiler, with no file of the lesson except its header.
//
// Nothing here depends on the program, or on which lessons have such libraries.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/spawn.hpp"
#include "lab/catalogue.hpp"
#include "lab/installation.hpp"

namespace lab {

struct LibraryCompiler {
  std::filesystem::path program;         // the C compiler beside the C++ compiler of programs, or that one
  std::vector<std::string> flags, link;  // before and after the sources
  std::string identity;                  // changes when the compiler does
};
// `include`: the folder with the cuda.h of the program; `link`: the flags that find the driver.
Result<LibraryCompiler> choose_library_compiler(const std::filesystem::path& include,
                                                const std::vector<std::string>& link);

// "libNAME.so"
std::string file_name_of(const OwnLibrary& library);
std::vector<std::string> library_arguments(const LibraryCompiler& compiler, const OwnLibrary& library,
                                           const std::string& output);
// Makes all of them in `into`. Stops at the first failure; the compiler's words are in the result.
Finished make_libraries(const LibraryCompiler& compiler, const std::vector<OwnLibrary>& libraries,
                        const std::filesystem::path& sources, const std::filesystem::path& into,
                        const RunOptions& options);

}  // namespace lab
