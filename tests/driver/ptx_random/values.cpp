// SPDX-License-Identifier: MIT
// Values: those that break arithmetic come up more often than chance would have it.
#include "values.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "numbers.hpp"

namespace ptx_random {
namespace {

u64 draw_integer(unsigned width, Dice& dice) {
  const u64 top = u64{1} << (width - 1);
  switch (dice.below(8)) {
    case 0: {
      const u64 edges[] = {0, 1, 2, ~u64{0}, ~u64{0} - 1, top, top - 1, top + 1};
      return edges[dice.below(std::size(edges))];
    }
    case 1: {
      const u64 power = u64{1} << dice.below(width);
      return power + dice.below(3) - 1;
    }
    case 2:
    case 3:
      return dice.below(2 * u64{width} + 2);  // as shifts and positions are
    case 4: {
      const u64 value = dice.bits() >> dice.below(64);
      return dice.one_in(2) ? ~value + 1 : value;
    }
    case 5:  // bytes that repeat and ranges of ones
      return dice.one_in(2) ? (dice.bits() & 0xff) * 0x0101010101010101U
                            : (~u64{0} >> dice.below(64)) << dice.below(64);
    default:
      return dice.bits();
  }
}

u64 draw_fraction(unsigned digits, Dice& dice) {
  const u64 mask = (u64{1} << digits) - 1;
  const u64 fraction = dice.bits() & mask;
  switch (dice.below(4)) {
    case 0:
      return fraction & ~(mask >> dice.below(digits + 1)) &
             mask;  // few digits in front, so that there are ties
    case 1:
      return dice.one_in(2) ? mask : 0;
    default:
      return fraction;
  }
}

u64 draw_float(Kind kind, Dice& dice) {
  const Format format = format_of(kind);
  const auto digits = static_cast<unsigned>(format.precision - 1);
  const u64 bias = static_cast<u64>(format.greatest_exponent);
  const u64 most = 2 * bias + 1;
  const u64 sign = dice.one_in(2) ? sign_of(kind) : 0;
  u64 exponent = 0, fraction = draw_fraction(digits, dice);
  switch (dice.below(10)) {
    case 0:
      if (dice.one_in(3)) return sign;                                             // zero
      if (dice.one_in(2)) return sign | (most << digits);                          // infinity
      return dice.one_in(3) ? sign | (most << digits) | (fraction | 1)             // NaN
                            : sign | (dice.one_in(2) ? 1 : (most << digits) - 1);  // least and greatest
    case 1:
      exponent = dice.below(3);  // subnormal and next to it
      break;
    case 2:
      exponent = most - 1 - dice.below(3);
      break;
    case 3:
      exponent = dice.below(most + 1);
      break;
    case 4: {  // whole numbers and halves
      const u64 whole = dice.below(64);
      if (whole == 0) return sign;
      unsigned leading = 0;
      while ((whole >> (leading + 1)) != 0) ++leading;
      exponent = bias - 1 + leading;
      fraction = (whole << (digits - std::min(leading, digits))) & ((u64{1} << digits) - 1);
      break;
    }
    case 5: {
      // Where integers end.
      const u64 ends[] = {7, 8, 15, 16, 31, 32, 63, 64, 23, 24, 52};
      exponent = std::min(most - 1, bias + ends[dice.below(std::size(ends))] - dice.below(2));
      break;
    }
    default:  // around one, so that digits of different numbers meet
      exponent = bias + 12 - dice.below(25);
      break;
  }
  return sign | (exponent << digits) | fraction;
}

}  // namespace

u64 draw(Kind kind, Dice& dice) {
  if (kind == Kind::Pred) return dice.below(2);
  if (is_pair(kind)) {
    const u64 low = draw_float(half_of(kind), dice);
    return draw_float(half_of(kind), dice) << 16 | low;
  }
  return is_float(kind) ? draw_float(kind, dice) : truncated(kind, draw_integer(width_of(kind), dice));
}

std::string literal(Kind kind, u64 bits) {
  char text[40];
  if (kind == Kind::F32)
    std::snprintf(text, sizeof text, "0f%08llX", static_cast<unsigned long long>(bits));
  else if (kind == Kind::F64)
    std::snprintf(text, sizeof text, "0d%016llX", static_cast<unsigned long long>(bits));
  else if (is_signed(kind))
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(sign_extended(kind, bits)));
  else
    std::snprintf(text, sizeof text, "%#llx", static_cast<unsigned long long>(bits));
  return text;
}

}  // namespace ptx_random
