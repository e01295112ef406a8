// SPDX-License-Identifier: MIT
// Loads, stores, atomics, addresses.
//
// Addresses of device memory are used as they are: memory that is not allocated is not mapped, so an access
// to it is a fault of the processor. Misaligned addresses are checked by code, because this processor allows
// them.

// An example:
//   before:
//     st.global.u32 [%rd1+4], %r1;
//   after:
//     %address = add i64 %rd1, 4
//     %rest = and i64 %address, 3
//     %fits = icmp eq i64 %rest, 0
//     br i1 %fits, label %aligned, label %fault
//     …
//     %place = getelementptr i8, ptr %null, i64 %address
//     %value = load i32, ptr %r1, align 4
//     store i32 %value, ptr %place, align 4

#include "instructions.hpp"
#include "kernel_abi/kernel_abi.hpp"

namespace compiler {

using ptx::AtomicOp;
using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Order;
using ptx::Space;
using ptx::Type;

void Memory::check_alignment(Value number, unsigned align, int line) {
  if (align < 2) return;
  IrType type = LLVMTypeOf(number);
  Value rest = ir.both(number, ir.number(type, align - 1));
  if (LLVMIsConstant(rest) && LLVMIsNull(rest)) return;
  body.fault_unless(ir.compare(LLVMIntEQ, rest, ir.number(type, 0)), runner::Outcome::MisalignedAddress,
                    line);
}

// An index out of an array of local memory must find neither another thread's data nor the runner's own. The
// hardware lets a little pass and gives 700 from the next KiB or so. Only for the kernel itself: the
// variables of functions that are called lie on the stack of the thread that runs them.
void Memory::check_local(Value number, unsigned bytes, int line) {
  if (!function.kernel) return;
  if (kernel.local_reach < bytes)
    return body.fault_unless(LLVMConstNull(ir.i1), runner::Outcome::IllegalAddress, line);
  Value from_start = ir.sub(number, ir.address(given.local));
  body.fault_unless(ir.compare(LLVMIntULE, from_start, ir.wide(kernel.local_reach - bytes)),
                    runner::Outcome::IllegalAddress, line);
}

// Whether so many bytes at the place are the variable's; what is no .local variable is asked nothing.
bool Memory::is_inside(const Operand& operand, unsigned bytes) const {
  for (const ptx::Variable& variable : function.locals) {
    if (variable.name != operand.name || variable.space != Space::Local) continue;
    const auto from = static_cast<std::uint64_t>(operand.offset);
    return from <= variable.size && variable.size - from >= bytes;
  }
  return true;
}

// Measured: a block that the cluster does not have gives 719, and one that no cluster can have 715.
void Memory::check_owner(Value number, int line) {
  constexpr unsigned kMostBlocks = 16;
  Value owner = ir.right(number, ir.word(runner::kRankShift));
  body.fault_unless(ir.compare(LLVMIntULE, owner, ir.word(kMostBlocks)), runner::Outcome::IllegalInstruction,
                    line);
  body.fault_unless(ir.compare(LLVMIntNE, ir.address(body.shared_of(owner)), ir.wide(0)),
                    runner::Outcome::LaunchFailed, line);
}

// The bytes at a .shared::cluster address of 32 bits.
Value Memory::in_cluster(Value number) {
  Value owner = ir.right(number, ir.word(runner::kRankShift));
  Value offset = ir.both(number, ir.word((1U << runner::kRankShift) - 1));
  return ir.offset(body.shared_of(owner), ir.fit(offset, ir.i64, false));
}

// Of a generic address; runner::kNoRank where it is no shared memory of the cluster.
Value Memory::rank_of(Value address) {
  IrType types[] = {ir.pointer, ir.i64};
  return ir.call(LLVMFunctionType(ir.i32, types, 2, 0), body.runtime(offsetof(runner::Runtime, cluster_rank)),
                 {given.block, address});
}

// mapa: generic addresses are real ones, so the distance from the start is the same in each block.
void Memory::map_rank(const Instruction& in) {
  const Type type = in.types[0];
  Value from = read(in.operands[1], type);
  Value owner = ir.both(ir.add(read(in.operands[2], Type::U32), ir.word(1)), ir.word(runner::kOwners - 1));
  if (!in.of_cluster) {
    Value distance = ir.sub(ir.fit(from, ir.i64, false), ir.address(given.shared));
    return write(in.operands[0],
                 ir.fit(ir.address(ir.offset(body.shared_of(owner), distance)), ir.bits_of(type), false),
                 type);
  }
  Value offset = ir.both(ir.fit(from, ir.i32, false), ir.word((1U << runner::kRankShift) - 1));
  Value result = ir.either(offset, ir.left(owner, ir.word(runner::kRankShift)));
  write(in.operands[0], ir.fit(result, ir.bits_of(type), false), type);
}

void Memory::find_rank(const Instruction& in) {
  Value address = read(in.operands[1], in.types[0]);
  if (!in.of_cluster) return write(in.operands[0], rank_of(ir.fit(address, ir.i64, false)), Type::U32);
  Value owner = ir.right(ir.fit(address, ir.i32, false), ir.word(runner::kRankShift));
  Value own = ir.compare(LLVMIntEQ, owner, ir.word(0));
  write(in.operands[0], ir.select(own, body.rank(), ir.sub(owner, ir.word(1))), Type::U32);
}

Memory::Place Memory::place(const Instruction& in, const Operand& operand, unsigned align) {
  const auto offset = static_cast<std::uint64_t>(operand.offset);
  const bool by_name = !operand.has_reg && !operand.name.empty();
  if (by_name) {
    if (const auto own = variables.find(operand.name); own != variables.end()) {
      if (is_inside(operand, align)) return {ir.offset(own->second, offset), false, true};
      // A place outside of its variable is as good as any address.
      Value outside = ir.add(ir.address(own->second), ir.wide(offset));
      check_alignment(outside, align, in.line);
      check_local(outside, align, in.line);
      return {ir.offset(given.null, outside), false, false};
    }
  }
  const bool names_shared = by_name && kernel.shared_offsets.count(operand.name) != 0;
  Value number = operand.has_reg ? ir.fit(body.register_value(operand.reg), ir.i64, false)
                 : by_name       ? body.symbol_address(operand.name)
                                 : ir.wide(0);
  if (in.space == Space::Shared || (names_shared && in.space == Space::Generic)) {
    Value narrow = ir.add(ir.fit(number, ir.i32, false), ir.word(offset));
    check_alignment(narrow, align, in.line);
    if (in.of_cluster) {
      check_owner(narrow, in.line);
      return {in_cluster(narrow), false, false};
    }
    return {ir.offset(given.shared, ir.fit(narrow, ir.i64, false)), true, false};
  }
  number = ir.add(number, ir.wide(offset));
  check_alignment(number, align, in.line);
  if (in.space == Space::Local && operand.has_reg) check_local(number, align, in.line);
  return {ir.offset(given.null, number), false, false};
}

namespace {

void set_order(Value access, Order order, bool is_load) {
  switch (order) {
    case Order::Weak:
      return;
    case Order::Volatile:
      LLVMSetVolatile(access, 1);
      return;
    case Order::Relaxed:
      LLVMSetOrdering(access, LLVMAtomicOrderingMonotonic);
      return;
    case Order::Sequential:
      LLVMSetOrdering(access, LLVMAtomicOrderingSequentiallyConsistent);
      return;
    default:
      LLVMSetOrdering(access, is_load ? LLVMAtomicOrderingAcquire : LLVMAtomicOrderingRelease);
      return;
  }
}

LLVMAtomicOrdering ordering_of(Order order) {
  switch (order) {
    case Order::Acquire:
      return LLVMAtomicOrderingAcquire;
    case Order::Release:
      return LLVMAtomicOrderingRelease;
    case Order::AcquireRelease:
      return LLVMAtomicOrderingAcquireRelease;
    case Order::Sequential:
      return LLVMAtomicOrderingSequentiallyConsistent;
    default:
      return LLVMAtomicOrderingMonotonic;
  }
}

}  // namespace

// A whole parameter of a kernel, or a part of it, at a place that is known now.
bool Memory::load_parameter(const Instruction& in) {
  const Operand& from = in.operands[1];
  if (!function.kernel || in.space != Space::Param || from.has_reg || variables.count(from.name) != 0)
    return false;
  for (const ptx::Parameter& parameter : function.parameters) {
    if (parameter.name != from.name) continue;
    const unsigned each = ptx::size_of(in.types[0]);
    for (unsigned lane = 0; lane < in.lanes; ++lane) {
      const std::uint64_t offset =
          parameter.offset + static_cast<std::uint64_t>(from.offset) + std::uint64_t{lane} * each;
      const auto found = body.parameters.find({offset, each});
      Value value = found != body.parameters.end()
                        ? found->second
                        : ir.field(body.block_field(offsetof(runner::Block, parameters), ir.pointer), offset,
                                   ir.bits_of(in.types[0]));
      const Operand& to = in.operands[0];
      write(in.lanes > 1 && lane < to.parts.size() ? to.parts[lane] : to, value, in.types[0]);
    }
    return true;
  }
  return false;
}

void Memory::load(const Instruction& in) {
  if (load_parameter(in)) return;
  const Type type = in.types[0];
  const unsigned each = ptx::size_of(type);
  const Place from = place(in, in.operands[1], each * in.lanes);
  const Operand& to = in.operands[0];
  std::vector<Value> values;
  for (unsigned lane = 0; lane < in.lanes; ++lane) {
    Value value = ir.load(ir.bits_of(type),
                          lane == 0 ? from.pointer : ir.offset(from.pointer, std::uint64_t{lane} * each));
    LLVMSetAlignment(value, from.own ? 1 : each);
    if (!from.own) set_order(value, in.order, true);
    values.push_back(value);
  }
  for (unsigned lane = 0; lane < in.lanes; ++lane)
    write(in.lanes > 1 && lane < to.parts.size() ? to.parts[lane] : to, values[lane], type);
}

void Memory::store(const Instruction& in) {
  const Type type = in.types[0];
  const unsigned each = ptx::size_of(type);
  const Operand& from = in.operands[1];
  const Place to = place(in, in.operands[0], each * in.lanes);
  for (unsigned lane = 0; lane < in.lanes; ++lane) {
    const bool vector = from.kind == Operand::Kind::Vector && lane < from.parts.size();
    Value value = read(vector ? from.parts[lane] : from, type);
    if (LLVMTypeOf(value) == ir.i1) value = ir.fit(value, ir.i8, false);
    if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind) value = ir.cast(value, ir.bits_of(type));
    Value access = LLVMBuildStore(ir.at, value,
                                  lane == 0 ? to.pointer : ir.offset(to.pointer, std::uint64_t{lane} * each));
    LLVMSetAlignment(access, to.own ? 1 : each);
    if (!to.own) set_order(access, in.order, false);
  }
}

namespace {

std::optional<LLVMAtomicRMWBinOp> own_operation(AtomicOp op, Type type) {
  const bool real = type == Type::F32 || type == Type::F64;
  if (ptx::is_float(type) && !real) return std::nullopt;
  switch (op) {
    case AtomicOp::Add:
      return real ? LLVMAtomicRMWBinOpFAdd : LLVMAtomicRMWBinOpAdd;
    case AtomicOp::Min:
      return ptx::is_signed(type) ? LLVMAtomicRMWBinOpMin : LLVMAtomicRMWBinOpUMin;
    case AtomicOp::Max:
      return ptx::is_signed(type) ? LLVMAtomicRMWBinOpMax : LLVMAtomicRMWBinOpUMax;
    case AtomicOp::And:
      return LLVMAtomicRMWBinOpAnd;
    case AtomicOp::Or:
      return LLVMAtomicRMWBinOpOr;
    case AtomicOp::Xor:
      return LLVMAtomicRMWBinOpXor;
    case AtomicOp::Exch:
      return LLVMAtomicRMWBinOpXchg;
    case AtomicOp::Inc:
      return LLVMAtomicRMWBinOpUIncWrap;
    case AtomicOp::Dec:
      return LLVMAtomicRMWBinOpUDecWrap;
    case AtomicOp::Cas:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

// What an atomic operation makes of the old value; nothing when it has no short form.
Value Memory::change(const Instruction& in, Value old, Value value, Value swap) {
  const bool is_signed = ptx::is_signed(in.types[0]);
  IrType type = LLVMTypeOf(old);
  Value none = LLVMConstNull(type);
  switch (in.atomic) {
    case AtomicOp::Add:
      return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? ir.add(old, value)
                                                          : LLVMBuildFAdd(ir.at, old, value, "");
    case AtomicOp::Min:
      return ir.select(ir.compare(is_signed ? LLVMIntSLT : LLVMIntULT, old, value), old, value);
    case AtomicOp::Max:
      return ir.select(ir.compare(is_signed ? LLVMIntSGT : LLVMIntUGT, old, value), old, value);
    case AtomicOp::And:
      return ir.both(old, value);
    case AtomicOp::Or:
      return ir.either(old, value);
    case AtomicOp::Xor:
      return ir.differs(old, value);
    case AtomicOp::Exch:
      return value;
    case AtomicOp::Cas:
      return ir.select(ir.compare(LLVMIntEQ, old, value), swap, old);
    case AtomicOp::Inc:
      return ir.select(ir.compare(LLVMIntUGE, old, value), none, ir.add(old, ir.number(type, 1)));
    case AtomicOp::Dec:
      return ir.select(ir.either(ir.compare(LLVMIntEQ, old, none), ir.compare(LLVMIntUGT, old, value)), value,
                       ir.sub(old, ir.number(type, 1)));
  }
  return nullptr;
}

void Memory::atomic(const Instruction& in) {
  const Type type = in.types[0];
  const std::size_t first = in.opcode == Opcode::Atom ? 1 : 0;
  if (in.lanes != 1 || ptx::size_of(type) > 8) unsupported(in);
  const Place to = place(in, in.operands[first], ptx::size_of(type));
  Value operand = read(in.operands[first + 1], type);
  Value swap = in.operands.size() > first + 2 ? read(in.operands[first + 2], type) : nullptr;
  if (in.atomic == AtomicOp::Cas && swap == nullptr) unsupported(in);
  const std::optional<LLVMAtomicRMWBinOp> own = own_operation(in.atomic, type);
  Value old = nullptr;
  if (!own && in.atomic != AtomicOp::Cas) {
    IrType types[] = {ir.pointer, ir.i64, ir.i64, ir.i64};
    old = ir.call(LLVMFunctionType(ir.i64, types, 4, 0), body.runtime(offsetof(runner::Runtime, change)),
                  {packed(ir, in), ir.address(to.pointer), ir.fit(operand, ir.i64, false), ir.wide(0)});
    old = ir.fit(old, ir.bits_of(type), false);
  } else if (to.shared) {
    // Threads of a block run in turn on one processor: no other thread can run in between.
    old = ir.load(LLVMTypeOf(operand), to.pointer);
    LLVMSetVolatile(old, 1);
    Value access = LLVMBuildStore(ir.at, change(in, old, operand, swap), to.pointer);
    LLVMSetVolatile(access, 1);
  } else if (own) {
    old = LLVMBuildAtomicRMW(ir.at, *own, to.pointer, operand, ordering_of(in.order), 0);
  } else {
    const LLVMAtomicOrdering order = ordering_of(in.order);
    const LLVMAtomicOrdering failed = order == LLVMAtomicOrderingRelease ? LLVMAtomicOrderingMonotonic
                                      : order == LLVMAtomicOrderingAcquireRelease ? LLVMAtomicOrderingAcquire
                                                                                  : order;
    Value pair = LLVMBuildAtomicCmpXchg(ir.at, to.pointer, operand, swap, order, failed, 0);
    old = LLVMBuildExtractValue(ir.at, pair, 0, "");
  }
  if (first == 1) write(in.operands[0], old, type);
}

void Memory::convert_address(const Instruction& in) {
  const Type type = in.types.empty() ? Type::U64 : in.types[0];
  Value from = ir.fit(read(in.operands[1], type), ir.i64, false);
  if (in.of_cluster && in.to_space) {
    Value owner = ir.add(rank_of(from), ir.word(1));
    Value base = ir.address(body.shared_of(ir.both(owner, ir.word(runner::kOwners - 1))));
    Value mark = ir.left(ir.fit(owner, ir.i64, false), ir.wide(runner::kRankShift));
    from = ir.add(ir.sub(from, base), mark);
  } else if (in.of_cluster) {
    from = ir.address(in_cluster(ir.fit(from, ir.i32, false)));
  } else if (in.space == Space::Shared) {
    Value base = ir.address(given.shared);
    from = in.to_space ? ir.sub(from, base) : ir.add(from, base);
  }
  write(in.operands[0], ir.fit(from, ir.bits_of(type), false), type);
}

void Memory::test_space(const Instruction& in) {
  Value address = ir.fit(read(in.operands[1], Type::U64), ir.i64, false);
  Value is_shared =
      ir.compare(LLVMIntULT, ir.sub(address, ir.address(given.shared)), ir.wide(std::uint64_t{1} << 32));
  IrType types[] = {ir.pointer, ir.i64};
  const auto is_local = [&] {
    Value found = ir.call(LLVMFunctionType(ir.i32, types, 2, 0),
                          body.runtime(offsetof(runner::Runtime, is_local)), {given.block, address});
    return ir.compare(LLVMIntNE, found, ir.word(0));
  };
  const auto is_of_cluster = [&] {
    return ir.compare(LLVMIntNE, rank_of(address), ir.word(runner::kNoRank));
  };
  Value result = LLVMConstNull(ir.i1);
  if (in.space == Space::Shared) result = in.of_cluster ? is_of_cluster() : is_shared;
  if (in.space == Space::Local) result = is_local();
  if (in.space == Space::Global) result = ir.no(ir.either(is_of_cluster(), is_local()));
  write(in.operands[0], result, Type::Pred);
}

}  // namespace compiler
