// SPDX-License-Identifier: MIT
// Code for operands: registers, numbers, addresses of names, and special registers such as %tid (class Body).

// An example:
//   before:
//     mov.u32 %r1, %laneid;
//   after:
//     %lane = and i32 %linear, 31
//     store i32 %lane, ptr %r1, align 4

#include <bit>

#include "body.hpp"
#include "kernel_abi/kernel_abi.hpp"

namespace compiler {

using ptx::Operand;
using ptx::Special;
using ptx::Type;

IrType Body::register_type(std::uint32_t reg) const {
  return LLVMGetAllocatedType(registers_[reg]);
}

Value Body::register_value(std::uint32_t reg) {
  return ir.load(register_type(reg), registers_[reg]);
}

void Body::set_register(std::uint32_t reg, Value value) {
  ir.store(value, registers_[reg]);
}

std::uint64_t Body::immediate(const Operand& operand, Type type) {
  if (operand.single_literal && type == Type::F64)
    return std::bit_cast<std::uint64_t>(
        static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))));
  if (operand.float_literal && type == Type::F32)
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
  return operand.bits;
}

Value Body::read(const Operand& operand, Type type) {
  Value bits = nullptr;
  switch (operand.kind) {
    case Operand::Kind::Register:
      bits = register_value(operand.reg);
      if (operand.negated) bits = ir.no(bits);
      break;
    case Operand::Kind::Immediate:
      bits = ir.wide(immediate(operand, type));
      break;
    case Operand::Kind::Symbol:
      bits = ir.add(symbol_address(operand.name), ir.wide(static_cast<std::uint64_t>(operand.offset)));
      break;
    case Operand::Kind::Special:
      bits = special(operand);
      break;
    default:
      bits = ir.wide(0);
      break;
  }
  if (type == Type::Pred && LLVMTypeOf(bits) != ir.i1) return LLVMBuildTrunc(ir.at, bits, ir.i1, "");
  bits = ir.fit(bits, ir.bits_of(type), false);
  return type == Type::F32 || type == Type::F64 ? ir.cast(bits, ir.value_of(type)) : bits;
}

void Body::write(const Operand& operand, Value value, Type type) {
  if (operand.kind == Operand::Kind::Vector) {
    if (!operand.parts.empty()) write(operand.parts[0], value, type);
    return;
  }
  if (operand.kind != Operand::Kind::Register) return;
  if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind) value = ir.cast(value, ir.bits_of(type));
  set_register(operand.reg, ir.fit(value, register_type(operand.reg), ptx::is_signed(type)));
}

Value Body::runtime(std::size_t offset) {
  return ir.field(block_field(offsetof(runner::Block, runtime), ir.pointer), offset, ir.pointer);
}

Value Body::shared_of(Value owner) {
  Value table = block_field(offsetof(runner::Block, cluster_shared), ir.pointer);
  Value place = ir.mul(ir.fit(owner, ir.i64, false), ir.wide(sizeof(std::byte*)));
  return ir.load_steady(ir.pointer, ir.offset(table, place));
}

// In its own space: an offset for shared memory, a real address for everything else.
Value Body::symbol_address(const std::string& name) {
  if (const auto own = variables.find(name); own != variables.end()) return ir.address(own->second);
  if (const auto shared = kernel.shared_offsets.find(name); shared != kernel.shared_offsets.end())
    return ir.wide(shared->second);
  if (function.kernel) {
    for (const ptx::Parameter& parameter : function.parameters) {
      if (parameter.name == name)
        return ir.address(
            ir.offset(block_field(offsetof(runner::Block, parameters), ir.pointer), parameter.offset));
    }
  }
  if (const auto index = ptx::index_of_function(*kernel.module, name))
    return ir.wide(ptx::kFunctionWindow + *index);
  if (const auto known_value = symbol_values.find(name); known_value != symbol_values.end())
    return known_value->second;
  Value table = block_field(offsetof(runner::Block, symbols), ir.pointer);
  return ir.field(table, std::uint64_t{8} * kernel.symbol_index(name), ir.i64);
}

namespace {

bool is_time(Special which) {
  switch (which) {
    case Special::Clock:
    case Special::Clock64:
    case Special::ClockHi:
    case Special::Globaltimer:
    case Special::GlobaltimerLo:
    case Special::GlobaltimerHi:
      return true;
    default:
      return false;
  }
}

}  // namespace

Value Body::cluster(Special which) {
  const auto size = [&](unsigned axis) {
    return block_field(offsetof(runner::Block, cluster) + std::size_t{4} * axis, ir.i32);
  };
  const auto place = [&](unsigned axis) { return LLVMBuildURem(ir.at, given.index[axis], size(axis), ""); };
  const auto divided = [&](Value value, unsigned axis) {
    return LLVMBuildUDiv(ir.at, value, size(axis), "");
  };
  const auto number = static_cast<unsigned>(which) - static_cast<unsigned>(Special::ClusterCtaidX);
  if (which <= Special::ClusterCtaidZ) return place(number);
  if (which <= Special::ClusterNctaidZ) return size(number - 3);
  if (which <= Special::ClusteridZ) return divided(given.index[number - 6], number - 6);
  if (which <= Special::NclusteridZ) return divided(given.grid[number - 9], number - 9);
  if (which == Special::ClusterCtarank)
    return ir.add(place(0), ir.mul(size(0), ir.add(place(1), ir.mul(size(1), place(2)))));
  if (which == Special::ClusterNctarank) return ir.mul(size(0), ir.mul(size(1), size(2)));
  return block_field(offsetof(runner::Block, explicit_cluster), ir.i32);
}

Value Body::special(const Operand& operand) {
  const Special which = operand.special;
  const auto number = static_cast<unsigned>(which);
  if (which <= Special::TidZ) return given.thread[number];
  if (which <= Special::NtidZ) return ir.word(kernel.shape[number - 3]);
  if (which <= Special::CtaidZ) return given.index[number - 6];
  if (which <= Special::NctaidZ) return given.grid[number - 9];
  if (which >= Special::LanemaskEq && which <= Special::LanemaskGt) {
    Value own = ir.left(ir.word(1), ir.both(given.linear, ir.word(31)));
    switch (which) {
      case Special::LanemaskEq:
        return own;
      case Special::LanemaskLe:
        return ir.either(own, ir.sub(own, ir.word(1)));
      case Special::LanemaskLt:
        return ir.sub(own, ir.word(1));
      case Special::LanemaskGe:
        return ir.no(ir.sub(own, ir.word(1)));
      default:
        return ir.no(ir.either(own, ir.sub(own, ir.word(1))));
    }
  }
  if (which >= Special::ClusterCtaidX && which <= Special::IsExplicitCluster) return cluster(which);
  if (is_time(which)) {
    Value now =
        ir.call(LLVMFunctionType(ir.i64, nullptr, 0, 0), runtime(offsetof(runner::Runtime, clock)), {});
    const bool high = which == Special::ClockHi || which == Special::GlobaltimerHi;
    return high ? ir.right(now, ir.wide(32)) : now;
  }
  switch (which) {
    case Special::Laneid:
      return ir.both(given.linear, ir.word(31));
    case Special::Warpid:
      return ir.right(given.linear, ir.word(5));
    case Special::Warpsize:
      return ir.word(32);
    case Special::Nwarpid:
      return ir.word(48);
    case Special::Nsmid:
      return block_field(offsetof(runner::Block, processors), ir.i32);
    case Special::Smid:
      return block_field(offsetof(runner::Block, processor), ir.i32);
    case Special::Gridid:
      return block_field(offsetof(runner::Block, launch), ir.i64);
    case Special::DynamicSharedSize:
      return block_field(offsetof(runner::Block, dynamic_shared), ir.i32);
    case Special::TotalSharedSize:
      return block_field(offsetof(runner::Block, total_shared), ir.i32);
    case Special::Environment:
      return block_field(offsetof(runner::Block, environment) + std::size_t{4} * (operand.reg & 31), ir.i32);
    default:
      return ir.word(0);
  }
}

}  // namespace compiler
