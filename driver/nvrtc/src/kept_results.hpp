// SPDX-License-Identifier: MIT
// Compiled programs on disk: what they were made of, what came out, and whether it still holds.
//
// The file format and the folder are the kernel cache's. A result knows the files that it included and is not
// taken when one of them has changed. Knows nothing of compiling.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compile.hpp"
#include "runner/kernel_cache.hpp"

namespace nvrtc {

// Stands for the source, the options and the compiler itself.
runner::CacheKey key_of(const Source& source, const Options& options, const std::string& ptxcc);

std::optional<Compiled> find_result(const runner::CacheKey& key);
void keep_result(const runner::CacheKey& key, const Compiled& result, const std::vector<std::string>& files);

}  // namespace nvrtc
