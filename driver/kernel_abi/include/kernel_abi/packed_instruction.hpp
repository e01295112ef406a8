// SPDX-License-Identifier: MIT
// An instruction's meaning in two words. Compiled code passes it to the reference semantics for rare
// instructions, for which the compiler has no code of its own, and for what the threads of a warp compute
// together.
//
// Operands, lines and names are not part of it. Does not depend on memory.
#pragma once

#include <array>
#include <cstdint>

#include "ptx/module.hpp"

namespace runner {

using PackedInstruction = std::array<std::uint64_t, 2>;

// Calls `field(member, bits)` for everything that has a meaning, in a fixed order.
template <class Instruction, class Field>
void for_each_field(Instruction& in, Field field) {
  field(in.opcode, 8);
  field(in.compare, 4);
  field(in.combine, 2);
  field(in.atomic, 4);
  field(in.rounding, 3);
  field(in.shuffle, 2);
  field(in.vote, 2);
  field(in.reduction, 2);
  field(in.permute, 3);
  field(in.property, 3);
  field(in.to_integral, 1);
  field(in.hi, 1);
  field(in.wide, 1);
  field(in.saturate, 1);
  field(in.flush, 1);
  field(in.approximate, 1);
  field(in.carry_out, 1);
  field(in.left, 1);
  field(in.clamp, 1);
  field(in.normal_only, 1);
  field(in.relu, 1);
  field(in.keep_nan, 1);
  field(in.xor_sign, 1);
  field(in.match_all, 1);
  field(in.warp_mask, 1);
  field(in.geometry, 3);
  field(in.sampling, 2);
  field(in.outside, 2);
  field(in.query, 3);
  field(in.component, 2);
  field(in.formatted, 1);
}

inline PackedInstruction pack(const ptx::Instruction& in) {
  PackedInstruction packed = {};
  unsigned at = 0;
  for_each_field(in, [&](const auto& member, unsigned bits) {
    packed[0] |= static_cast<std::uint64_t>(member) << at;
    at += bits;
  });
  packed[1] = in.types.size();
  for (std::size_t i = 0; i < in.types.size() && i < 4; ++i)
    packed[1] |= static_cast<std::uint64_t>(in.types[i]) << (8 + 8 * i);
  return packed;
}

inline ptx::Instruction unpack(const std::uint64_t* packed) {
  ptx::Instruction in;
  unsigned at = 0;
  for_each_field(in, [&](auto& member, unsigned bits) {
    using Member = std::remove_reference_t<decltype(member)>;
    member = static_cast<Member>((packed[0] >> at) & ((std::uint64_t{1} << bits) - 1));
    at += bits;
  });
  for (std::size_t i = 0; i < (packed[1] & 0xff) && i < 4; ++i)
    in.types.push_back(static_cast<ptx::Type>((packed[1] >> (8 + 8 * i)) & 0xff));
  return in;
}

}  // namespace runner
