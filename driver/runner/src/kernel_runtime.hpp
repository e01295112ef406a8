// SPDX-License-Identifier: MIT
// The functions of the runner that compiled kernels call, through the table in Block: printing, assertions,
// the heap, and instructions that have no code of their own.
#pragma once

#include "kernel_abi/kernel_abi.hpp"

namespace runner {

extern const Runtime kernel_runtime;

// Functions of the C library that compiled code may name; null for everything else.
const void* library_function(std::string_view name);

}  // namespace runner
