// SPDX-License-Identifier: MIT
// From an LLVM module to an object file, optimised for the processor that runs this.
//
// The last step of the compiler. It does not depend on PTX or kernels; the caller chooses how much to
// optimise.
#pragma once

#include <llvm-c/Types.h>

#include <string>
#include <vector>

namespace compiler {

enum class Effort {
  // No loop but the one over threads, which becomes vectors: to unroll it as well takes a quarter of the time
  // and makes nothing faster. The first launch comes sooner.
  Straight,
  Normal,
  Thorough  // loops with conditions that do not change in them are worth two loops
};
// Throws std::runtime_error with LLVM's words; a module that LLVM refuses is a mistake of ours.
std::vector<char> make_object(LLVMModuleRef module, Effort effort);
// The processor and what it can do, as LLVM names it.
const std::string& processor();

}  // namespace compiler
