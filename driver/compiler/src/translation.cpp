// SPDX-License-Identifier: MIT
// What both kinds of kernels, whole ones and those that are cut into regions, have in common: the order of
// the steps, the places of variables, the functions that a kernel calls, and its description.
#include "translation.hpp"

#include <algorithm>

#include "ptx/layout.hpp"

namespace compiler {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;

Translation::Translation(const ptx::Module& module, const ptx::Function& kernel,
                         const std::array<std::uint32_t, 3>& shape)
    : program_(make_program(module, kernel)) {
  kernel_.module = &module;
  kernel_.shape = shape;
  const ptx::Layout shared = ptx::shared_layout(module, kernel);
  for (const auto& [name, offset] : shared.offsets) kernel_.shared_offsets[name] = offset;
  kernel_.shared_bytes = description_.static_shared = shared.bytes;
  kernel_.shared_is_apart = shared_is_apart();
  kernel_.address_taken = ptx::functions_with_addresses(module);
  collect_extra();
  if (program_.has_stops)
    translate_regions();
  else
    translate_whole();
  translate_functions();
  describe();
}

// Variables in the thread's part of Block::local: those that outlive a stop, and arrays that an address leads
// to. The others are variables of the translated function.
void Translation::lay_out_locals(const std::function<bool(const ptx::Variable&)>& lies_there) {
  bool has_local = false;
  const auto& locals = program_.kernel.locals;
  std::vector<const ptx::Variable*> there;
  for (const ptx::Variable& variable : locals) {
    if (variable.space == Space::Shared || !lies_there(variable)) continue;
    there.push_back(&variable);
    has_local = has_local || variable.space == Space::Local;
  }
  std::uint64_t bytes = has_local ? runner::local_gap : 0;
  for (const ptx::Variable* const variable : there) {
    const std::uint64_t at = ptx::align_up(bytes, std::max<std::uint32_t>(variable->align, 8));
    variable_offsets_[variable->name] = at;
    bytes = at + variable->size;
  }
  description_.local_bytes = ptx::align_up(bytes, 16);
  if (has_local) kernel_.local_reach = description_.local_bytes + runner::local_gap;
}

void Translation::place_variables(Body& body) {
  for (const auto& [name, offset] : variable_offsets_)
    body.variables[name] = ir_.offset(body.given.local, offset);
}

bool Translation::takes_address_of(const std::string& variable) const {
  for (const Instruction& in : program_.kernel.body) {
    const std::vector<std::string> taken = effects_of(in).addresses_taken;
    if (std::find(taken.begin(), taken.end(), variable) != taken.end()) return true;
  }
  return false;
}

bool Translation::is_straight() const {
  const std::vector<Instruction>& body = program_.kernel.body;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const Instruction& in = body[i];
    if (in.opcode == Opcode::Call || in.opcode == Opcode::Brx) return false;
    if (in.opcode == Opcode::Bra && in.target <= i) return false;
  }
  return true;
}

namespace {

template <class Use>
void for_each_operand(const Operand& operand, const Use& use) {
  use(operand);
  for (const Operand& part : operand.parts) for_each_operand(part, use);
}

}  // namespace

bool Translation::shared_is_apart() const {
  const auto mixes = [&](const Instruction& in) {
    if (in.opcode == Opcode::Cvta) return in.space == Space::Shared && !in.to_space;
    if (in.space != Space::Generic) return false;
    return std::any_of(in.operands.begin(), in.operands.end(), [&](const Operand& operand) {
      return operand.kind == Operand::Kind::Address && kernel_.shared_offsets.count(operand.name) != 0;
    });
  };
  const auto has_none = [&](const ptx::Function& function) {
    return std::none_of(function.body.begin(), function.body.end(), mixes);
  };
  return has_none(program_.kernel) &&
         std::all_of(kernel_.module->functions.begin(), kernel_.module->functions.end(), has_none);
}

// Parameters that are read whole at a known place, and names of variables.
void Translation::collect_extra() {
  const ptx::Function& kernel = program_.kernel;
  std::set<std::string> own;
  for (const ptx::Variable& variable : kernel.locals) own.insert(variable.name);
  std::set<std::pair<std::uint64_t, unsigned>> parameters;
  std::set<std::string> symbols;
  for (const Instruction& in : kernel.body) {
    for (std::size_t i = 0; i < in.operands.size(); ++i) {
      const Operand& operand = in.operands[i];
      for_each_operand(operand, [&](const Operand& each) {
        const bool named =
            each.kind == Operand::Kind::Symbol || (each.kind == Operand::Kind::Address && !each.has_reg);
        if (named && own.count(each.name) == 0 && kernel_.module->find_variable(each.name) != nullptr &&
            kernel_.shared_offsets.count(each.name) == 0)
          symbols.insert(each.name);
      });
      if (in.opcode != Opcode::Ld || in.space != Space::Param || i != 1 || operand.has_reg) continue;
      for (const ptx::Parameter& parameter : kernel.parameters) {
        if (parameter.name != operand.name || own.count(operand.name) != 0) continue;
        const unsigned each = ptx::size_of(in.types[0]);
        for (unsigned lane = 0; lane < in.lanes; ++lane)
          parameters.insert(
              {parameter.offset + static_cast<std::uint64_t>(operand.offset) + std::uint64_t{lane} * each,
               each});
      }
    }
  }
  // Values that a thread is given in registers; more than these are loaded where they are used.
  constexpr std::size_t kMost = 24;
  for (const auto& parameter : parameters)
    if (extra_.parameters.size() < kMost) extra_.parameters.push_back(parameter);
  for (const std::string& symbol : symbols)
    if (extra_.symbols.size() < kMost) extra_.symbols.push_back(symbol);
}

std::vector<IrType> Translation::thread_types() const {
  std::vector<IrType> types = Given::types(ir_);
  for (const auto& [offset, bytes] : extra_.parameters) types.push_back(ir_.integer(bytes * 8));
  types.resize(types.size() + extra_.symbols.size(), ir_.i64);
  return types;
}

Value Translation::make_function(const char* name, IrType result, const std::vector<IrType>& more) {
  std::vector<IrType> types = thread_types();
  types.insert(types.end(), more.begin(), more.end());
  Value function = LLVMAddFunction(
      ir_.module, name, LLVMFunctionType(result, types.data(), static_cast<unsigned>(types.size()), 0));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  ir_.mark(function, "nounwind");
  // Nothing but compiled code reaches these two; `local` may be reached by generic addresses.
  if (kernel_.shared_is_apart) ir_.mark_parameter(function, Given::place_of_shared, "noalias");
  ir_.mark_parameter(function, Given::place_of_saved, "noalias");
  return function;
}

std::unique_ptr<Body> Translation::open_body(Value function) {
  auto body = std::make_unique<Body>(ir_, kernel_, program_.kernel, function, Given::of(function));
  unsigned number = Given::count;
  for (const auto& parameter : extra_.parameters)
    body->parameters[parameter] = LLVMGetParam(function, number++);
  for (const std::string& symbol : extra_.symbols)
    body->symbol_values[symbol] = LLVMGetParam(function, number++);
  return body;
}

Arguments Translation::load_common(Value block) {
  const auto field = [&](std::size_t offset, IrType type) { return ir_.field(block, offset, type); };
  using runner::Block;
  Arguments common;
  Given& given = common.given;
  given.block = block;
  given.null = field(offsetof(Block, null), ir_.pointer);
  given.shared = field(offsetof(Block, shared), ir_.pointer);
  given.saved = field(offsetof(Block, saved), ir_.pointer);
  given.local = field(offsetof(Block, local), ir_.pointer);
  for (unsigned i = 0; i < 3; ++i) {
    given.thread[i] = ir_.word(0);
    // Changes from block to block.
    given.index[i] = ir_.load(ir_.i32, ir_.offset(block, offsetof(Block, index) + std::size_t{4} * i));
    given.grid[i] = field(offsetof(Block, grid) + std::size_t{4} * i, ir_.i32);
  }
  given.linear = ir_.word(0);
  Value parameters = field(offsetof(Block, parameters), ir_.pointer);
  for (const auto& [offset, bytes] : extra_.parameters)
    common.more.push_back(ir_.field(parameters, offset, ir_.integer(bytes * 8)));
  Value symbols = field(offsetof(Block, symbols), ir_.pointer);
  for (const std::string& symbol : extra_.symbols)
    common.more.push_back(ir_.field(symbols, std::uint64_t{8} * kernel_.symbol_index(symbol), ir_.i64));
  return common;
}

// Takes a frame from the thread's stack, or gives it back; a stack that is used up is an illegal address.
void Translation::change_stack(Body& body, std::uint64_t bytes, bool enters) {
  Value place = ir_.offset(body.given.block, offsetof(runner::Block, stack_left));
  Value left = ir_.load(ir_.i64, place);
  if (enters)
    body.fault_unless(ir_.compare(LLVMIntUGE, left, ir_.wide(bytes)), runner::Outcome::IllegalAddress,
                      body.function.line);
  ir_.store(enters ? ir_.sub(left, ir_.wide(bytes)) : ir_.add(left, ir_.wide(bytes)), place);
}

void Translation::translate_functions() {
  const std::set<std::string> recursive = ptx::recursive_functions(*kernel_.module);
  for (std::size_t i = 0; i < kernel_.to_translate.size(); ++i) {
    const ptx::Function& callee = *kernel_.to_translate[i];
    for (const Instruction& in : callee.body) {
      if (is_barrier(in.opcode) || is_warp_stop(in.opcode) || in.opcode == Opcode::Exit ||
          in.callee == "__assertfail")
        unsupported(in, "'" + in.root + "' in a function that is called by its address");
    }
    Value function = kernel_.functions.at(callee.name);
    ir_.continue_at(ir_.block(function));
    Body body(ir_, kernel_, callee, function, Given::of(function));
    unsigned number = Given::count;
    for (const ptx::Parameter& result : callee.results)
      body.variables[result.name] = LLVMGetParam(function, number++);
    for (const ptx::Parameter& parameter : callee.parameters)
      body.variables[parameter.name] = LLVMGetParam(function, number++);
    const bool counts = recursive.count(callee.name) != 0;
    const std::uint64_t frame = ptx::call_bytes(callee);
    body.end = [&] {
      if (counts) change_stack(body, frame, false);
      LLVMBuildRetVoid(ir_.at);
    };
    body.open();
    if (counts) change_stack(body, frame, true);
    body.emit(0);
  }
}

void Translation::describe() {
  description_.symbols = kernel_.symbols;
  description_.by_warps = program_.by_warps ? 1 : 0;
  std::vector<std::uint64_t> words = runner::encode(description_);
  words.insert(words.begin(), words.size());
  std::vector<Value> values;
  values.reserve(words.size());
  for (const std::uint64_t word : words) values.push_back(ir_.wide(word));
  Value constant = LLVMConstArray2(ir_.i64, values.data(), values.size());
  Value global = LLVMAddGlobal(ir_.module, LLVMTypeOf(constant), runner::description_symbol);
  LLVMSetInitializer(global, constant);
  LLVMSetGlobalConstant(global, 1);
}

}  // namespace compiler
