// SPDX-License-Identifier: MIT
// Precompiled headers: the block of #include lines at the beginning of a lesson, which takes most of the time
// of compiling it. The first build of a block compiles it, and each later one reads the result.
#pragma once
#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "build/toolchain.hpp"

namespace lab {

// The leading #include lines of a source, as written; only <…> and "check.hpp", because these mean the same
// in every folder. "" if there is none.
std::string leading_includes(std::string_view source);

struct Precompiled {
  std::filesystem::path folder;        // of this header's own
  std::vector<std::string> arguments;  // to compile with; empty where it cannot be made
};
struct PrecompileRequest {
  Toolchain toolchain;
  std::string includes;
  std::vector<std::string> flags;              // language_flags() and -I…
  std::vector<std::filesystem::path> headers;  // whose change makes it stale
};
// Finds the header in the folder `cache`, or makes it there, which takes a second at most, about as long as a
// build without it. `cancel` may be null.
Precompiled precompile(const PrecompileRequest& request, const std::filesystem::path& cache,
                       const std::atomic<bool>* cancel);

}  // namespace lab
