// SPDX-License-Identifier: MIT
// Makes a kernel that can be run of a module's text: from the cache, by the compiler, or by the interpreter.
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
