// SPDX-License-Identifier: MIT
// Kernels whose threads wait for each other: one function for each part between two stops.
//
// A thread that stops saves what it still needs in arrays, which have an element for each thread of the
// block. Another region goes on from there. Values that are cheap to compute are computed again instead of
// being saved.

// An example:
//   before:
//     mov.u32 %r1, %clock;
//     bar.sync 0;
//     st.shared.u32 [%r1], %r1;
//   after:
//     define internal i16 @body0(…
//     …
//     %element = getelementptr i8, ptr %array, i64 %number
//     store i32 %kept, ptr %element, align 4
//     ret i16 0
//     …
//     define i32 @region0(…
//     …
//     define internal i16 @body1(…
//     …
//     ret i16 -1
//     …
//     define i32 @region1(…

#include <algorithm>

#include "flow.hpp"
#include "instructions.hpp"
#include "kernel_abi/packed_instruction.hpp"
#include "ptx/layout.hpp"
#include "regions.hpp"

namespace compiler {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

std::uint32_t Regions::continuation(std::uint32_t stop) const {
  const Instruction& in = program_.kernel.body[stop];
  return in.opcode == Opcode::Bra ? in.target : stop + 1;
}

std::uint64_t Regions::new_array(std::uint64_t element_bytes) {
  const std::uint64_t at = description_.saved_bytes;
  description_.saved_bytes = ptx::align_up(at + element_bytes * kernel_.threads(), 64);
  return at;
}

Value Regions::element(Body& body, std::uint64_t array, unsigned bytes) {
  Value number = ir_.fit(body.given.linear, ir_.i64, false);
  return ir_.offset(ir_.offset(body.given.saved, array), ir_.mul(number, ir_.wide(bytes)));
}

std::uint64_t Regions::array_of_register(std::uint32_t reg) {
  const auto found = register_arrays_.find(reg);
  if (found != register_arrays_.end()) return found->second;
  const auto& types = program_.kernel.register_types;
  return register_arrays_[reg] = new_array(reg < types.size() ? ptx::size_of(types[reg]) : 1);
}

bool Regions::is_kept(std::uint32_t reg) const {
  return known_.recomputable.count(reg) == 0;
}

void Regions::recompute(Body& body, std::uint32_t reg, std::set<std::uint32_t>& done) {
  if (!done.insert(reg).second) return;
  const Instruction& in = program_.kernel.body[known_.recomputable.at(reg)];
  for (const std::uint32_t needed : effects_of(in).reads) recompute(body, needed, done);
  emit_instruction(body, in);
}

std::uint32_t Regions::start_of(std::uint32_t region) const {
  return region == 0 ? 0 : continuation(stops_[region - 1]);
}

// Registers that the stop before a region has set.
std::vector<std::uint32_t> Regions::brought_to(std::uint32_t region) const {
  if (region == 0) return {};
  const Instruction& before = program_.kernel.body[stops_[region - 1]];
  return before.opcode == Opcode::Bra ? std::vector<std::uint32_t>() : effects_of(before).writes;
}

// What a thread that begins here needs: kept registers, and what the stop before has brought.
void Regions::enter(Body& body, std::uint32_t region, bool only_uniform) {
  const Instruction* const before = region == 0 ? nullptr : &program_.kernel.body[stops_[region - 1]];
  const std::vector<std::uint32_t> brought = brought_to(region);
  const std::vector<bool>& live = known_.live.at(start_of(region));
  const auto registers = static_cast<std::uint32_t>(program_.kernel.registers.size());
  std::set<std::uint32_t> recomputed;
  for (std::uint32_t reg = 0; region != 0 && reg <= registers; ++reg) {
    if (!live[reg] || std::find(brought.begin(), brought.end(), reg) != brought.end()) continue;
    if (!is_kept(reg)) {
      if (!only_uniform || known_.uniform->is_part_of_it(reg)) recompute(body, reg, recomputed);
      continue;
    }
    if (is_kept_once(reg) || only_uniform) continue;
    const bool flag = reg == registers || body.register_type(reg) == ir_.i1;
    IrType type = flag ? ir_.i8 : body.register_type(reg);
    Value value = ir_.load(type, element(body, array_of_register(reg), LLVMGetIntTypeWidth(type) / 8));
    if (flag) value = LLVMBuildTrunc(ir_.at, value, ir_.i1, "");
    if (reg == registers)
      ir_.store(value, body.carry());
    else
      body.set_register(reg, value);
  }
  if (known_.uniform) {
    auto number = static_cast<unsigned>(lowering_.thread_types().size());
    for (const std::uint32_t reg : uniform_registers(region))
      body.set_register(reg, LLVMGetParam(body.into, number++));
  }
  if (only_uniform) return;
  if (before == nullptr || brought.empty()) return;
  const runner::Stop& stop = description_.stops[region - 1];
  const Operand& to = before->operands[0];
  if (stop.result != runner::kNoArray) {
    Value value = ir_.load(ir_.i32, element(body, stop.result, 4));
    const Operand& first = to.kind == Operand::Kind::Vector ? to.parts[0] : to;
    if (first.kind == Operand::Kind::Register)
      body.set_register(first.reg, ir_.fit(value, body.register_type(first.reg), false));
  }
  if (stop.predicate != runner::kNoArray) {
    Value value = LLVMBuildTrunc(ir_.at, ir_.load(ir_.i8, element(body, stop.predicate, 1)), ir_.i1, "");
    body.write(to.parts[1], value, Type::Pred);
  }
}

// Which operands a stop passes on, and where.
struct Passed {
  runner::StopValue runner::Stop::* to;
  std::size_t operand;
  Type type;
};

static std::vector<Passed> passed_on(const Instruction& in) {
  constexpr runner::StopValue runner::Stop::* kPlaces[] = {&runner::Stop::a, &runner::Stop::b,
                                                           &runner::Stop::c};
  std::vector<Passed> list;
  if (in.opcode == Opcode::Bra) return list;
  if (is_warp_stop(in.opcode)) {
    const std::size_t first = in.opcode == Opcode::BarWarp ? 0 : 1;
    const bool masked = in.opcode != Opcode::Activemask && in.warp_mask;
    const std::size_t end = in.operands.size() - (masked ? 1 : 0);
    const bool wide = in.opcode == Opcode::Match && ptx::size_of(in.types[0]) == 8;
    const Type type = in.opcode == Opcode::Vote ? Type::Pred : wide ? Type::B64 : Type::B32;
    for (std::size_t i = first; i < end && i - first < 3; ++i) list.push_back({kPlaces[i - first], i, type});
    if (masked) list.push_back({&runner::Stop::mask, end, Type::U32});
    return list;
  }
  const bool reduces = in.opcode == Opcode::BarRed;
  const std::size_t first = reduces ? 1 : 0, end = in.operands.size() - (reduces ? 1 : 0);
  for (std::size_t i = first; i < end && i - first < 2; ++i)
    list.push_back({kPlaces[i - first], i, Type::U32});
  if (reduces) list.push_back({&runner::Stop::c, end, Type::Pred});
  return list;
}

// A number, or a register that never holds anything but one.
std::optional<std::uint64_t> Regions::constant(const Operand& operand) const {
  if (operand.kind == Operand::Kind::Immediate) return operand.bits;
  if (operand.kind != Operand::Kind::Register || operand.negated) return std::nullopt;
  const auto found = known_.recomputable.find(operand.reg);
  if (found == known_.recomputable.end()) return std::nullopt;
  const Instruction& in = program_.kernel.body[found->second];
  const bool is_number = in.opcode == Opcode::Mov && in.operands[1].kind == Operand::Kind::Immediate &&
                         !in.operands[1].float_literal && !in.operands[1].single_literal;
  return is_number ? std::optional(in.operands[1].bits) : std::nullopt;
}

runner::Stop Regions::describe_stop(std::uint32_t index) {
  const Instruction& in = program_.kernel.body[index];
  runner::Stop stop;
  stop.kind = in.opcode == Opcode::Bra             ? runner::StopKind::Yield
              : is_warp_stop(in.opcode)            ? runner::StopKind::Warp
              : in.opcode == Opcode::BarRed        ? runner::StopKind::BarrierReduction
              : in.opcode == Opcode::ClusterArrive ? runner::StopKind::ClusterArrive
              : in.opcode == Opcode::ClusterWait   ? runner::StopKind::ClusterWait
                                                   : runner::StopKind::Barrier;
  stop.region = stop_numbers_[index] + 1;
  const runner::PackedInstruction words = runner::pack(in);
  stop.packed[0] = words[0];
  stop.packed[1] = words[1];
  stop.mask.constant = 0xffffffff;
  for (const Passed& each : passed_on(in)) {
    const Operand& operand = in.operands[each.operand];
    stop.wide = stop.wide || each.type == Type::B64;
    if (const std::optional<std::uint64_t> number = constant(operand))
      (stop.*each.to).constant = each.type == Type::B64 ? *number : *number & 0xffffffffU;
    else
      (stop.*each.to).array = new_array(each.type == Type::B64 ? 8 : 4);
  }
  const bool has_result = stop.kind == runner::StopKind::BarrierReduction ||
                          (stop.kind == runner::StopKind::Warp && in.opcode != Opcode::BarWarp);
  if (!has_result) return stop;
  stop.result = new_array(4);
  const Operand& to = in.operands[0];
  if (to.kind == Operand::Kind::Vector && to.parts.size() > 1 && to.parts[1].kind == Operand::Kind::Register)
    stop.predicate = new_array(1);
  return stop;
}

// Saves what is needed after the stop, passes its operands on, and ends the region.
void Regions::leave(Body& body, std::uint32_t index) {
  const Instruction& in = program_.kernel.body[index];
  const std::uint32_t number = stop_numbers_[index];
  const runner::Stop& stop = description_.stops[number];
  for (const Passed& each : passed_on(in)) {
    if ((stop.*each.to).array == runner::kNoArray) continue;
    const unsigned bytes = each.type == Type::B64 ? 8 : 4;
    Value value = ir_.fit(body.read(in.operands[each.operand], each.type), ir_.integer(bytes * 8), false);
    ir_.store(value, element(body, (stop.*each.to).array, bytes));
  }
  const std::vector<std::uint32_t> brought =
      in.opcode == Opcode::Bra ? std::vector<std::uint32_t>() : effects_of(in).writes;
  const std::vector<bool>& live = known_.live.at(continuation(index));
  const auto registers = static_cast<std::uint32_t>(program_.kernel.registers.size());
  for (std::uint32_t reg = 0; reg <= registers; ++reg) {
    if (!live[reg] || !is_kept(reg) || is_kept_once(reg) ||
        std::find(brought.begin(), brought.end(), reg) != brought.end())
      continue;
    Value value = reg == registers ? ir_.load(ir_.i1, body.carry()) : body.register_value(reg);
    if (LLVMTypeOf(value) == ir_.i1) value = ir_.fit(value, ir_.i8, false);
    ir_.store(value, element(body, array_of_register(reg), LLVMGetIntTypeWidth(LLVMTypeOf(value)) / 8));
  }
  outcomes_.insert(number);
  LLVMBuildRet(ir_.at, ir_.number(ir_.i16, number));
}

std::vector<IrType> Regions::uniform_types(std::uint32_t region) const {
  std::vector<IrType> types;
  if (!known_.uniform) return types;
  for (const std::uint32_t reg : uniform_registers(region))
    types.push_back(ir_.bits_of(program_.kernel.register_types[reg]));
  return types;
}

Value Regions::make_region_body(std::uint32_t region) {
  outcomes_.clear();
  Value function =
      lowering_.make_function(("body" + std::to_string(region)).c_str(), ir_.i16, uniform_types(region));
  ir_.continue_at(ir_.block(function));
  const std::unique_ptr<Body> body = lowering_.open_body(function);
  body->open();
  enter(*body, region, false);
  const auto end = [this] {
    outcomes_.insert(runner::kThreadEnded);
    LLVMBuildRet(ir_.at, ir_.number(ir_.i16, runner::kThreadEnded));
  };
  const auto stop = [&](std::uint32_t index) { leave(*body, index); };
  emit_flow(*body, {.end = end, .stop = stop, .stops = &program_.stops}, start_of(region));
  return function;
}

Value Regions::run_thread(Value body, Arguments& arguments, Value number, bool inlined) {
  Value local = arguments.given.local;
  arguments.given.linear = number;
  Value wide = ir_.fit(number, ir_.i64, false);
  arguments.given.local = ir_.offset(local, ir_.mul(wide, ir_.wide(description_.local_bytes)));
  Value result = ir_.call(LLVMGlobalGetValueType(body), body, arguments.values());
  ir_.mark_call(result, inlined ? "alwaysinline" : "noinline");
  arguments.given.local = local;
  return result;
}

// Nothing is needed if all threads come to the same place on every path.
void Regions::tell_reached(Value result, Value number, Value reached) {
  if (known_.uniform || outcomes_.size() < 2) return;
  ir_.store(result, ir_.offset(reached, ir_.mul(ir_.fit(number, ir_.i64, false), ir_.wide(2))));
}

// All threads of the block, row by row.
void Regions::run_block(const Entry& entry, Value body, Arguments arguments) {
  Loop z(ir_, entry.function, ir_.word(0), ir_.word(kernel_.shape[2]));
  arguments.given.thread[2] = z.number();
  Loop y(ir_, entry.function, ir_.word(0), ir_.word(kernel_.shape[1]));
  arguments.given.thread[1] = y.number();
  Value start = ir_.mul(ir_.add(ir_.mul(z.number(), ir_.word(kernel_.shape[1])), y.number()),
                        ir_.word(kernel_.shape[0]));
  Loop x(ir_, entry.function, ir_.word(0), ir_.word(kernel_.shape[0]));
  arguments.given.thread[0] = x.number();
  Value number = ir_.add(start, x.number());
  tell_reached(run_thread(body, arguments, number, true), number, entry.reached);
  x.close();
  y.close();
  z.close();
}

void Regions::place_warp(Arguments& arguments, Value first) {
  const auto& shape = kernel_.shape;
  Value row = LLVMBuildUDiv(ir_.at, first, ir_.word(shape[0]), "");
  arguments.given.thread[0] = LLVMBuildURem(ir_.at, first, ir_.word(shape[0]), "");
  arguments.given.thread[1] = LLVMBuildURem(ir_.at, row, ir_.word(shape[1]), "");
  arguments.given.thread[2] = LLVMBuildUDiv(ir_.at, row, ir_.word(shape[1]), "");
  arguments.given.linear = first;
}

// A warp that lies in one row.
void Regions::run_warp(const Entry& entry, Value body, Arguments arguments) {
  place_warp(arguments, entry.first);
  Value start = arguments.given.thread[0];
  Value count = kernel_.threads() % 32 == 0 ? ir_.word(32) : entry.count;
  Loop lane(ir_, entry.function, ir_.word(0), count);
  arguments.given.thread[0] = ir_.add(start, lane.number());
  Value number = ir_.add(entry.first, lane.number());
  tell_reached(run_thread(body, arguments, number, true), number, entry.reached);
  lane.close();
}

// Any threads, one after another; this path need not be fast.
void Regions::run_some(const Entry& entry, Value body, Arguments arguments) {
  Loop thread(ir_, entry.function, entry.first, ir_.add(entry.first, entry.count));
  place_warp(arguments, thread.number());
  tell_reached(run_thread(body, arguments, thread.number(), false), thread.number(), entry.reached);
  thread.close();
}

void Regions::make_region(std::uint32_t region, Value body) {
  const Entry entry = declare_region(region);
  const Arguments arguments = lowering_.load_common(entry.block);
  Value outcome = ir_.word(outcomes_.size() == 1 ? *outcomes_.begin() : runner::kMoreThanOne);
  IrBlock some = ir_.block(entry.function, "some");
  if (!program_.by_warps || warps_in_rows(kernel_.shape)) {
    IrBlock group = ir_.block(entry.function, "group");
    const std::uint32_t size =
        program_.by_warps ? std::min<std::uint32_t>(32, kernel_.threads()) : kernel_.threads();
    ir_.branch(ir_.compare(LLVMIntEQ, entry.count, ir_.word(size)), group, some);
    ir_.continue_at(group);
    if (program_.by_warps)
      run_warp(entry, body, arguments);
    else
      run_block(entry, body, arguments);
    LLVMBuildRet(ir_.at, outcome);
  } else {
    ir_.jump(some);
  }
  ir_.continue_at(some);
  run_some(entry, body, arguments);
  LLVMBuildRet(ir_.at, outcome);
}

Regions::Entry Regions::declare_region(std::uint32_t region) {
  constexpr unsigned kPlaceOfReached = 3;
  IrType types[] = {ir_.pointer, ir_.i32, ir_.i32, ir_.pointer};
  Value function = LLVMAddFunction(ir_.module, ("region" + std::to_string(region)).c_str(),
                                   LLVMFunctionType(ir_.i32, types, 4, 0));
  ir_.mark(function, "nounwind");
  ir_.mark_parameter(function, kPlaceOfReached, "noalias");
  ir_.continue_at(ir_.block(function));
  return {function, LLVMGetParam(function, 0), LLVMGetParam(function, 1), LLVMGetParam(function, 2),
          LLVMGetParam(function, kPlaceOfReached)};
}

void Regions::lower() {
  const ptx::Function& kernel = program_.kernel;
  stop_numbers_.resize(kernel.body.size());
  for (std::uint32_t i = 0; i < kernel.body.size(); ++i) {
    if (!program_.stops[i]) continue;
    stop_numbers_[i] = static_cast<std::uint32_t>(stops_.size());
    stops_.push_back(i);
  }
  if (stops_.size() > 60000) unsupported(kernel.body[stops_.back()], "a kernel with so many barriers");
  for (const std::uint32_t stop : stops_) description_.stops.push_back(describe_stop(stop));
  lowering_.lay_out_locals([&](const ptx::Variable& variable) { return outlives_a_stop(variable); });
  description_.regions = static_cast<std::uint32_t>(stops_.size() + 1);
  for (std::uint32_t region = 0; region < description_.regions; ++region) {
    if (known_.uniform)
      make_region_of_group(region);
    else
      make_region(region, make_region_body(region));
  }
}

// Variables of calls are mostly written and read within one region.
bool Regions::outlives_a_stop(const ptx::Variable& variable) const {
  const std::optional<std::uint32_t> number = known_.live.variable(variable.name);
  if (!number || takes_address_of(program_.kernel, variable.name)) return true;
  return std::any_of(stops_.begin(), stops_.end(),
                     [&](std::uint32_t stop) { return known_.live.at(continuation(stop))[*number]; });
}

void lower_regions(Lowering& lowering, const Analyses& known) {
  Regions(lowering, known).lower();
}

}  // namespace compiler
