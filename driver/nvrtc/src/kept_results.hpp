// SPDX-License-Identifier: MIT
// Compiled programs on disk: what they were made from, the result, and whether it is still valid.
//
// The file format and the folder are those of the kernel cache. A result contains the list of its included
// files and is not used if one of them has changed. Does not depend on how programs are compiled.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cache/kernel_cache.hpp"
#include "compile.hpp"

namespace nvrtc {

// The key of a source, the options and the compiler itself.
runner::CacheKey key_of(const Source& source, const Options& options, const std::string& ptxcc);

std::optional<Compiled> find_result(const runner::CacheKey& key);
void keep_result(const runner::CacheKey& key, const Compiled& result, const std::vector<std::string>& files);

}  // namespace nvrtc
