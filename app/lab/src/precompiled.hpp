// SPDX-License-Identifier: MIT
// Headers compiled ahead: the block of #include lines that a lesson begins with, which is what compiling a
// lesson spends its time on. Made in the background, used from the next build on.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain.hpp"

namespace lab {

// The leading #include lines of a source, as written; only <…> and "check.hpp", since these mean the same
// wherever the source lies. "" when there is none.
std::string leading_includes(std::string_view source);

struct Precompiled {
  std::filesystem::path folder;        // of this header's own
  std::vector<std::string> arguments;  // to compile with; empty when it is not there yet
};
struct PrecompileRequest {
  Toolchain toolchain;
  std::string includes;
  std::vector<std::string> flags;              // language_flags() and -I…
  std::vector<std::filesystem::path> headers;  // whose change makes it stale
};
Precompiled find_precompiled(const PrecompileRequest& request, const std::filesystem::path& cache);
// Returns at once. The process waits for it at its end, a second at most.
void make_precompiled(const PrecompileRequest& request, const Precompiled& into);
// Until nothing is being made; for tests and measurements.
void wait_for_precompiled();

}  // namespace lab
