// SPDX-License-Identifier: MIT
// PTX from strangers: whatever the text, reading ends, stays in bounds, and either gives a tree or says why
// not; what is still missing in a tree can be asked, and so can its shared memory.
#include <cstdint>
#include <string_view>

#include "ptx/interpret.hpp"
#include "ptx/parse.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ptx::ParseResult result = ptx::parse({reinterpret_cast<const char*>(data), size});
  if (result.module.has_value() == result.error.has_value()) __builtin_trap();
  if (!result.module) return 0;
  (void)ptx::unresolved(*result.module);
  for (const ptx::Function& function : result.module->functions) {
    (void)ptx::shared_bytes(*result.module, function);
    for (const ptx::Instruction& instruction : function.body) {
      if (instruction.target > function.body.size()) __builtin_trap();
    }
  }
  return 0;
}
