// SPDX-License-Identifier: MIT
// The runner's interface to the compiler. The compiler is a separate library, loaded when a kernel has to be
// compiled: a process whose kernels all come from the cache never loads LLVM.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cache/kernel_cache.hpp"

namespace runner {

// An object, or nothing and why: there is no compiler next to this program, or it does not support the
// kernel.
std::optional<std::vector<std::byte>> compile(const std::string& text, const std::string& kernel,
                                              const std::array<std::uint32_t, 3>& shape, std::string& why);

// Adds the identity of the compiler and of this processor to a key, without loading the compiler.
void add_compiler_identity(CacheKey& key);

}  // namespace runner
