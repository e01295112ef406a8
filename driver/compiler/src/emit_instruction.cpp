// SPDX-License-Identifier: MIT
// Which group an instruction belongs to, and the few that belong to none: fences, and what only asks the
// runner.

// An example:
//   before:
//     membar.gl;
//   after:
//     fence seq_cst

#include "instructions.hpp"

namespace compiler {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Type;

namespace {

void emit_arithmetic(Body& body, const Instruction& in) {
  Ir& ir = body.ir;
  if (in.types.empty()) unsupported(in);
  const Type type = in.types[0];
  if (in.opcode == Opcode::Testp) {
    if (type != Type::F32 && type != Type::F64) unsupported(in);
    return body.write(in.operands[0], Comparisons(body).property(in), Type::Pred);
  }
  if (type == Type::F32 || type == Type::F64) {
    Value result = Reals(body).real(in);
    if (result == nullptr) return emit_reference(body, in);
    return body.write(in.operands[0], result, type);
  }
  if (ptx::is_float(type)) {
    if (!Reals(body).half(in)) emit_reference(body, in);
    return;
  }
  Type result_type = type;
  Value result = in.opcode == Opcode::Mul || in.opcode == Opcode::Mad || in.opcode == Opcode::Madc
                     ? Integers(body).multiply(in, result_type)
                     : Integers(body).integer(in);
  if (result == nullptr) return emit_reference(body, in);
  if (in.opcode == Opcode::Popc || in.opcode == Opcode::Clz || in.opcode == Opcode::Bfind)
    result_type = Type::U32;
  body.write(in.operands[0], result, result_type);
  if (in.opcode != Opcode::Lop3 || !in.operands[0].pair) return;
  Value some = ir.compare(LLVMIntNE, result, LLVMConstNull(LLVMTypeOf(result)));
  if (in.operands.size() > 5)
    some = Comparisons(body).combined(in.combine, some, body.read(in.operands[5], Type::Pred));
  body.write(in.operands[0].parts[1], some, Type::Pred);
}

}  // namespace

void emit_instruction(Body& body, const Instruction& in) {
  Ir& ir = body.ir;
  switch (in.opcode) {
    case Opcode::Nothing:
    case Opcode::Prefetch:
      return;
    case Opcode::Fence:
      LLVMBuildFence(ir.at, LLVMAtomicOrderingSequentiallyConsistent, 0, "");
      return;
    case Opcode::Nanosleep: {
      IrType types[] = {ir.i32};
      ir.call(LLVMFunctionType(ir.nothing, types, 1, 0), body.runtime(offsetof(runner::Runtime, rest)),
              {body.read(in.operands[0], ptx::Type::U32)});
      return;
    }
    case Opcode::BarArrive: {
      IrType types[] = {ir.pointer, ir.i32};
      ir.call(LLVMFunctionType(ir.nothing, types, 2, 0), body.runtime(offsetof(runner::Runtime, arrive)),
              {body.given.block, body.read(in.operands[0], ptx::Type::U32)});
      return;
    }
    case Opcode::Call:
      return Calls(body).call(in);
    case Opcode::Ld:
      return Memory(body).load(in);
    case Opcode::St:
      return Memory(body).store(in);
    case Opcode::Atom:
    case Opcode::Red:
      return Memory(body).atomic(in);
    case Opcode::Tex:
    case Opcode::Tld4:
    case Opcode::Txq:
    case Opcode::Suld:
    case Opcode::Sust:
    case Opcode::Suq:
      return emit_texture(body, in);
    case Opcode::Mov:
      return Integers(body).move(in);
    case Opcode::Setp:
      return Comparisons(body).set_predicate(in);
    case Opcode::Set:
      return Comparisons(body).set_value(in);
    case Opcode::Selp:
      return Comparisons(body).select(in);
    case Opcode::Slct:
      return Comparisons(body).select_by_sign(in);
    case Opcode::Cvt:
      return Conversions(body).convert(in);
    case Opcode::Cvta:
      return Memory(body).convert_address(in);
    case Opcode::Mapa:
      return Memory(body).map_rank(in);
    case Opcode::Getctarank:
      return Memory(body).find_rank(in);
    case Opcode::Isspacep:
      return Memory(body).test_space(in);
    default:
      return emit_arithmetic(body, in);
  }
}

}  // namespace compiler
