// SPDX-License-Identifier: MIT
// A kernel run by the reference interpreter (driver/ptx), slowly. Used where the compiler cannot translate a
// kernel, and where DRIVERLAB_KERNELS asks for it.
#pragma once

#include "make_kernel.hpp"

namespace runner {

std::unique_ptr<KernelCode> interpret_kernel(const ModuleText& module, const std::string& name);

}  // namespace runner
