// SPDX-License-Identifier: MIT
// Makes a kernel that can be run out of a module's text: compiled code, or the reference interpreter where
// the environment asks for it. Who runs it sees KernelCode only.
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
