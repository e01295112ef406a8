// SPDX-License-Identifier: MIT
// Textures and surfaces: calls of the reference semantics, which find the texels.

// An example:
//   before:
//     tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5}];
//   after:
//     %coordinate = zext i32 %bits to i64
//     %first = getelementptr i8, ptr %numbers, i64 0
//     store i64 %coordinate, ptr %first, align 4
//     …
//     call void %texture(ptr @0, i32 4, i64 %object, ptr %numbers, ptr %values)
//     …

#include "instructions.hpp"
#include "kernel_abi/kernel_abi.hpp"
#include "ptx/texture.hpp"

namespace compiler {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

namespace {

constexpr unsigned kMostNumbers = 12;  // four coordinates and two gradients

// At the beginning of the function, so that a loop takes no more room with each turn.
Value room_for(Body& body, unsigned words) {
  Ir& ir = body.ir;
  IrBlock here = ir.here();
  IrBlock entry = LLVMGetEntryBasicBlock(body.into);
  if (Value first = LLVMGetFirstInstruction(entry); first != nullptr)
    LLVMPositionBuilderBefore(ir.at, first);
  else
    ir.continue_at(entry);
  Value room = LLVMBuildAlloca(ir.at, LLVMArrayType2(ir.i64, words), "");
  ir.continue_at(here);
  return room;
}

Value as_word(Body& body, const Operand& operand, Type type) {
  Ir& ir = body.ir;
  Value value = body.read(operand, type);
  if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind) value = ir.cast(value, ir.bits_of(type));
  return ir.fit(value, ir.i64, false);
}

}  // namespace

void emit_texture(Body& body, const Instruction& in) {
  Ir& ir = body.ir;
  const bool stores = in.opcode == Opcode::Sust;
  const Operand& object = in.operands[stores ? 0 : 1];
  const Operand& data = in.operands[stores ? 1 : 0];
  Value numbers = room_for(body, kMostNumbers), values = room_for(body, 4);
  unsigned count = 0;
  const auto add = [&](const Operand& operand, unsigned most) {
    const bool vector = operand.kind == Operand::Kind::Vector;
    for (unsigned i = 0; i < most; ++i) {
      Value word =
          as_word(body, vector ? operand.parts[i] : operand, in.types.size() > 1 ? in.types[1] : Type::B32);
      ir.store(word, ir.offset(numbers, std::uint64_t{8} * count++));
    }
  };
  const bool gradient = in.sampling == ptx::Sampling::Gradient;
  if (!object.parts.empty()) add(object.parts[0], ptx::coordinates_of(in.geometry));
  for (std::size_t i = 2; i < in.operands.size(); ++i)
    add(in.operands[i], gradient ? ptx::gradient_of(in.geometry) : 1);
  const bool vector = data.kind == Operand::Kind::Vector;
  const unsigned lanes = vector ? static_cast<unsigned>(data.parts.size()) : 1;
  for (unsigned i = 0; stores && i < lanes; ++i)
    ir.store(as_word(body, vector ? data.parts[i] : data, in.types[0]),
             ir.offset(values, std::uint64_t{8} * i));
  Value handle = ir.add(ir.fit(body.register_value(object.reg), ir.i64, false),
                        ir.wide(static_cast<std::uint64_t>(object.offset)));
  IrType types[] = {ir.pointer, ir.i32, ir.i64, ir.pointer, ir.pointer};
  ir.call(LLVMFunctionType(ir.nothing, types, 5, 0), body.runtime(offsetof(runner::Runtime, texture)),
          {packed(ir, in), ir.word(lanes), handle, numbers, values});
  for (unsigned i = 0; !stores && i < lanes; ++i) {
    Value word = ir.load(ir.i64, ir.offset(values, std::uint64_t{8} * i));
    body.write(vector ? data.parts[i] : data, ir.fit(word, ir.bits_of(in.types[0]), false), in.types[0]);
  }
}

}  // namespace compiler
