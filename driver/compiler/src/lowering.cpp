// SPDX-License-Identifier: MIT
// See lowering.hpp: the places of variables, and the parameters that the functions of a kernel have.
#include "lowering.hpp"

#include <algorithm>

#include "ptx/layout.hpp"

namespace compiler {

using ptx::Space;

Lowering::Lowering(const Program& of, const std::array<std::uint32_t, 3>& shape, Common values,
                   bool shared_is_apart)
    : program(of), common(std::move(values)) {
  kernel.module = program.module;
  kernel.shape = shape;
  const ptx::Layout shared = ptx::shared_layout(*program.module, program.kernel);
  for (const auto& [name, offset] : shared.offsets) kernel.shared_offsets[name] = offset;
  kernel.shared_bytes = description.static_shared = shared.bytes;
  kernel.shared_is_apart = shared_is_apart;
  kernel.address_taken = ptx::functions_with_addresses(*program.module);
}

// Variables in the thread's part of Block::local: those that outlive a stop, and arrays that an address leads
// to. The others are variables of the function.
void Lowering::lay_out_locals(const std::function<bool(const ptx::Variable&)>& lies_there) {
  bool has_local = false;
  const auto& locals = program.kernel.locals;
  std::vector<const ptx::Variable*> there;
  for (const ptx::Variable& variable : locals) {
    if (variable.space == Space::Shared || !lies_there(variable)) continue;
    there.push_back(&variable);
    has_local = has_local || variable.space == Space::Local;
  }
  std::uint64_t bytes = has_local ? runner::kLocalGap : 0;
  for (const ptx::Variable* const variable : there) {
    const std::uint64_t at = ptx::align_up(bytes, std::max<std::uint32_t>(variable->align, 8));
    variable_offsets_[variable->name] = at;
    bytes = at + variable->size;
  }
  description.local_bytes = ptx::align_up(bytes, 16);
  if (has_local) kernel.local_reach = description.local_bytes + runner::kLocalGap;
}

std::vector<IrType> Lowering::thread_types() const {
  std::vector<IrType> types = Given::types(ir);
  for (const auto& [offset, bytes] : common.parameters) types.push_back(ir.integer(bytes * 8));
  types.resize(types.size() + common.symbols.size(), ir.i64);
  return types;
}

Value Lowering::make_function(const char* name, IrType result, const std::vector<IrType>& more) {
  std::vector<IrType> types = thread_types();
  types.insert(types.end(), more.begin(), more.end());
  Value function = LLVMAddFunction(
      ir.module, name, LLVMFunctionType(result, types.data(), static_cast<unsigned>(types.size()), 0));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  ir.mark(function, "nounwind");
  // Nothing but compiled code reaches these two; `local` may be reached by generic addresses.
  if (kernel.shared_is_apart) ir.mark_parameter(function, Given::kPlaceOfShared, "noalias");
  ir.mark_parameter(function, Given::kPlaceOfSaved, "noalias");
  return function;
}

std::unique_ptr<Body> Lowering::open_body(Value function) {
  auto body = std::make_unique<Body>(ir, kernel, program.kernel, function, Given::of(function));
  unsigned number = Given::kCount;
  for (const auto& parameter : common.parameters)
    body->parameters[parameter] = LLVMGetParam(function, number++);
  for (const std::string& symbol : common.symbols)
    body->symbol_values[symbol] = LLVMGetParam(function, number++);
  for (const auto& [name, offset] : variable_offsets_)
    body->variables[name] = ir.offset(body->given.local, offset);
  return body;
}

Arguments Lowering::load_common(Value block) {
  const auto field = [&](std::size_t offset, IrType type) { return ir.field(block, offset, type); };
  using runner::Block;
  Arguments arguments;
  Given& given = arguments.given;
  given.block = block;
  given.null = field(offsetof(Block, null), ir.pointer);
  given.shared = field(offsetof(Block, shared), ir.pointer);
  given.saved = field(offsetof(Block, saved), ir.pointer);
  given.local = field(offsetof(Block, local), ir.pointer);
  for (unsigned i = 0; i < 3; ++i) {
    given.thread[i] = ir.word(0);
    // Changes from block to block.
    given.index[i] = ir.load(ir.i32, ir.offset(block, offsetof(Block, index) + std::size_t{4} * i));
    given.grid[i] = field(offsetof(Block, grid) + std::size_t{4} * i, ir.i32);
  }
  given.linear = ir.word(0);
  Value parameters = field(offsetof(Block, parameters), ir.pointer);
  for (const auto& [offset, bytes] : common.parameters)
    arguments.more.push_back(ir.field(parameters, offset, ir.integer(bytes * 8)));
  Value symbols = field(offsetof(Block, symbols), ir.pointer);
  for (const std::string& symbol : common.symbols)
    arguments.more.push_back(ir.field(symbols, std::uint64_t{8} * kernel.symbol_index(symbol), ir.i64));
  return arguments;
}

}  // namespace compiler
