// SPDX-License-Identifier: MIT
// Integer arithmetic of PTX, for evaluate(). Does not depend on floating-point types.
#pragma once
#include <cstdint>

#include "ptx/module.hpp"

namespace ptx {

inline unsigned width(Type type) {
  return size_of(type) * 8;
}
std::uint64_t integer_evaluate(const Instruction& in, Type type, std::uint64_t a, std::uint64_t b,
                               std::uint64_t c, std::uint64_t d, bool& carry);
std::uint64_t integer_minmax(Opcode op, Type type, std::uint64_t a, std::uint64_t b);

}  // namespace ptx
