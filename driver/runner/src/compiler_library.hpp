// SPDX-License-Identifier: MIT
// The compiler as the runner calls it. It is a library of its own, loaded when a kernel has to be compiled: a
// process whose kernels all come from the cache never loads LLVM.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runner/kernel_cache.hpp"

namespace runner {

// An object, or nothing and why: there is no compiler beside this program, or it does not take the kernel.
std::optional<std::vector<std::byte>> compile(const std::string& text, const std::string& kernel,
                                              const std::array<std::uint32_t, 3>& shape, std::string& why);

// What stands for the compiler and this processor in a key, without loading either.
void add_compiler_identity(CacheKey& key);

}  // namespace runner
