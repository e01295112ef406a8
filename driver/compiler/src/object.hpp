// A translated module optimised for the processor that runs this, as an object file.
#pragma once

#include <llvm-c/Types.h>

#include <string>
#include <vector>

namespace compiler {

// Throws std::runtime_error with LLVM's words; a translation that LLVM refuses is a mistake of ours.
// Thoroughly: loops with conditions that do not change in them are worth two loops. Otherwise the first
// launch comes sooner.
std::vector<char> make_object(LLVMModuleRef module, bool thoroughly);
// The processor and what it can do, as LLVM names it.
const std::string& processor();

}  // namespace compiler
