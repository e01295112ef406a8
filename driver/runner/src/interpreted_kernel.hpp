// SPDX-License-Identifier: MIT
// A kernel run by the reference interpreter.
#pragma once

#include "make_kernel.hpp"

namespace runner {

std::unique_ptr<KernelCode> interpret_kernel(const ModuleText& module, const std::string& name);

}  // namespace runner
