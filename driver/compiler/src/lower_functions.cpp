// SPDX-License-Identifier: MIT
// Lowers the device functions that a kernel calls: each becomes a function that gets a thread's Given, and
// pointers to its results and arguments.

// An example:
//   before:
//     .func forget(.param .b32 word) {
//       ret;
//     }
//     .visible .entry k() {
//       .param .b32 word;
//       call forget, (word);
//     }
//   after:
//     define internal void @f.forget(…, ptr %word) …

#include <set>

#include "flow.hpp"
#include "lowering.hpp"
#include "ptx/layout.hpp"

namespace compiler {

using ptx::Instruction;
using ptx::Opcode;

namespace {

// Takes a frame from the thread's stack, or gives it back; a stack that is used up is an illegal address.
void change_stack(Body& body, std::uint64_t bytes, bool enters) {
  Value place = body.ir.offset(body.given.block, offsetof(runner::Block, stack_left));
  Value left = body.ir.load(body.ir.i64, place);
  if (enters)
    body.fault_unless(body.ir.compare(LLVMIntUGE, left, body.ir.wide(bytes)), runner::Outcome::IllegalAddress,
                      body.function.line);
  body.ir.store(enters ? body.ir.sub(left, body.ir.wide(bytes)) : body.ir.add(left, body.ir.wide(bytes)),
                place);
}

}  // namespace

void lower_functions(Lowering& lowering) {
  Ir& ir = lowering.ir;
  Kernel& kernel = lowering.kernel;
  const std::set<std::string> recursive = ptx::recursive_functions(*kernel.module);
  for (std::size_t i = 0; i < kernel.to_lower.size(); ++i) {
    const ptx::Function& callee = *kernel.to_lower[i];
    for (const Instruction& in : callee.body) {
      if (is_barrier(in.opcode) || is_warp_stop(in.opcode) || in.opcode == Opcode::Exit ||
          in.callee == "__assertfail")
        unsupported(in, "'" + in.root + "' in a function that is called by its address");
    }
    Value function = kernel.functions.at(callee.name);
    ir.continue_at(ir.block(function));
    Body body(ir, kernel, callee, function, Given::of(function));
    unsigned number = Given::kCount;
    for (const ptx::Parameter& result : callee.results)
      body.variables[result.name] = LLVMGetParam(function, number++);
    for (const ptx::Parameter& parameter : callee.parameters)
      body.variables[parameter.name] = LLVMGetParam(function, number++);
    const bool counts = recursive.count(callee.name) != 0;
    const std::uint64_t frame = ptx::call_bytes(callee);
    body.open();
    if (counts) change_stack(body, frame, true);
    const auto end = [&] {
      if (counts) change_stack(body, frame, false);
      LLVMBuildRetVoid(ir.at);
    };
    emit_flow(body, {.end = end}, 0);
  }
}

}  // namespace compiler
