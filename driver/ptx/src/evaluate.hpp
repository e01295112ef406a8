// Pure arithmetic of PTX: operands' bits in, the result's bits out. Knows no memory and no threads.
#pragma once
#include <cstdint>

#include "ptx/module.hpp"

namespace ptx {

// a, b, c, d are raw bits of the instruction's operand types; `carry` is the condition-code flag.
std::uint64_t evaluate(const Instruction& instruction, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                       std::uint64_t d, bool& carry);
// cvt.to.from; an integer has 64 bits, as registers may be wider than its type.
std::uint64_t convert(const Instruction& instruction, std::uint64_t value);
bool compare(Compare how, Type type, std::uint64_t a, std::uint64_t b);
std::uint64_t truncate(Type type, std::uint64_t bits);  // keeps the type's low bits
std::int64_t sign_extend(Type type, std::uint64_t bits);
std::uint64_t atomic(AtomicOp op, Type type, std::uint64_t old, std::uint64_t value, std::uint64_t swap);

}  // namespace ptx
