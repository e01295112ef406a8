// SPDX-License-Identifier: MIT
// How the tracer gets between a program and its driver: by LD_LIBRARY_PATH, by LD_PRELOAD if the program does
// not use that path, or not at all. Decided by reading the file that is to be started; nothing is run.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lab/result.hpp"

namespace lab {

struct Interception {
  enum class Kind {
    LibraryPath,  // LD_LIBRARY_PATH alone, as for most programs
    Preload,      // LD_PRELOAD too, for DT_RPATH, a full path, or a script that sets LD_LIBRARY_PATH
    Static,       // has no loader: only programs that it starts can be traced
    Secure,       // the loader ignores both: set-user-ID, set-group-ID, file capabilities
  } kind = Kind::LibraryPath;
  std::optional<Problem> why;  // for every kind but the first
  std::vector<std::string>
      names;  // Preload: libraries besides libcuda.so.1 that are not found through LD_LIBRARY_PATH
};

// `program` is the file that is executed. Never fails: a file that cannot be read counts as an ordinary
// program.
Interception find_interception(const std::filesystem::path& program);

}  // namespace lab
