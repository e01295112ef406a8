// SPDX-License-Identifier: MIT
// Pure arithmetic of PTX: operands' bits in, the result's bits out.
//
// The reference semantics: the interpreter uses nothing else, and compiled code calls it for rare
// instructions. Knows no memory and no threads. Everything here depends on its arguments only and may be
// called from several threads; what the parser accepts has an answer.
#pragma once
#include <cstdint>

#include "ptx/module.hpp"

namespace ptx {

// a, b, c, d are raw bits of the instruction's operand types; `carry` is the condition-code flag, read by
// addc, subc and madc and written where the instruction says .cc.
std::uint64_t evaluate(const Instruction& instruction, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                       std::uint64_t d, bool& carry);
// cvt.to.from; an integer has 64 bits, as registers may be wider than its type.
std::uint64_t convert(const Instruction& instruction, std::uint64_t value);
bool compare(Compare how, Type type, std::uint64_t a, std::uint64_t b);
std::uint64_t truncate(Type type, std::uint64_t bits);  // keeps the type's low bits
std::int64_t sign_extend(Type type, std::uint64_t bits);
// What an atomic operation puts in the place of `old`. Of cas, and of no other, `value` is what it compares
// with and `swap` what it puts there.
std::uint64_t atomic(AtomicOp op, Type type, std::uint64_t old, std::uint64_t value, std::uint64_t swap);

}  // namespace ptx
