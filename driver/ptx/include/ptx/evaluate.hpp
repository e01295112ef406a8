// SPDX-License-Identifier: MIT
// Pure arithmetic of PTX: the operands' bits in, the result's bits out.
//
// The reference semantics: the interpreter uses nothing else, and compiled code calls it for rare
// instructions. All results depend only on the arguments, not on memory or threads, so the functions may be
// called from several threads. They are defined for every instruction that the parser accepts.
#pragma once
#include <cstdint>

#include "ptx/module.hpp"

namespace ptx {

// a, b, c, d are raw bits of the instruction's operand types; `carry` is the condition-code flag, read by
// addc, subc and madc and written where the instruction says .cc.
std::uint64_t evaluate(const Instruction& instruction, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                       std::uint64_t d, bool& carry);
// cvt.to.from; an integer has 64 bits, because registers may be wider than its type.
std::uint64_t convert(const Instruction& instruction, std::uint64_t value);
bool compare(Compare how, Type type, std::uint64_t a, std::uint64_t b);
std::uint64_t truncate(Type type, std::uint64_t bits);  // keeps the type's low bits
std::int64_t sign_extend(Type type, std::uint64_t bits);
// The new value that an atomic operation stores in the place of `old`. Only for cas, `value` is compared with
// `old`, and `swap` is the new value if they are equal.
std::uint64_t atomic(AtomicOp op, Type type, std::uint64_t old, std::uint64_t value, std::uint64_t swap);

}  // namespace ptx
