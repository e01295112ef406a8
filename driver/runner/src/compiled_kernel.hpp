// SPDX-License-Identifier: MIT
// A kernel run as machine code, translated once for each shape of block that it is launched with.
//
// Used only by make_kernel.cpp; all other code uses KernelCode.
#pragma once

#include "make_kernel.hpp"

namespace runner {

// A kernel that the compiler does not support is interpreted.
std::unique_ptr<KernelCode> compiled_kernel(const ModuleText& module, const std::string& name);

}  // namespace runner
