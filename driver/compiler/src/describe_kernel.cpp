// SPDX-License-Identifier: MIT
// Adds a constant that tells the runner what it has to know of a kernel: its memory, the names that it uses,
// and its stops.

// An example:
//   before:
//     .shared .align 4 .b8 room[128];
//     bar.sync 0;
//   after:
//     @description = constant [24 x i64] [i64 23, i64 …, i64 128, i64 0, i64 0, i64 2, …
//
// The words: how many follow, the version of their layout, bytes of shared, local and saved memory, regions.

#include "lowering.hpp"

namespace compiler {

void describe_kernel(Lowering& lowering) {
  Ir& ir = lowering.ir;
  runner::KernelDescription& description = lowering.description;
  description.symbols = lowering.kernel.symbols;
  description.by_warps = lowering.program.by_warps ? 1 : 0;
  std::vector<std::uint64_t> words = runner::encode(description);
  words.insert(words.begin(), words.size());
  std::vector<Value> values;
  values.reserve(words.size());
  for (const std::uint64_t word : words) values.push_back(ir.wide(word));
  Value constant = LLVMConstArray2(ir.i64, values.data(), values.size());
  Value global = LLVMAddGlobal(ir.module, LLVMTypeOf(constant), runner::kDescriptionSymbol);
  LLVMSetInitializer(global, constant);
  LLVMSetGlobalConstant(global, 1);
}

}  // namespace compiler
