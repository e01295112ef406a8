// SPDX-License-Identifier: MIT
// Makes a kernel that can be run from a module's text: compiled code, or the reference interpreter if the
// environment asks for it. The code that runs it uses only KernelCode.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "kernel_code.hpp"

namespace runner {

struct ModuleText {
  std::string text;                              // PTX
  std::map<std::string, std::uint64_t> symbols;  // addresses of its variables
};

std::unique_ptr<KernelCode> make_kernel(const ModuleText& module, const std::string& name);

}  // namespace runner
