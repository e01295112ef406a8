// SPDX-License-Identifier: MIT
// What compiled kernels call: printing, assertions, the heap, instructions without code of their own.
#pragma once

#include "runner/kernel_abi.hpp"

namespace runner {

extern const Runtime kernel_runtime;

// Functions of the C library that compiled code may name; null for everything else.
const void* library_function(std::string_view name);

}  // namespace runner
