// SPDX-License-Identifier: MIT
// cvt: between integers, between floats, and between both, in every direction of rounding, with .ftz, .sat
// and .relu; to and from registers that are wider than the type.
#include <algorithm>
#include <utility>

#include "numbers.hpp"

namespace ptx_random {
namespace {

__extension__ using Wide = __int128;

// There are no registers of 8 bits, so integers have their own description here.
struct Integer {
  const char* name;
  unsigned bits;
  bool with_sign;
};
constexpr Integer kIntegerTypes[] = {{"u8", 8, false},   {"s8", 8, true},    {"u16", 16, false},
                                     {"s16", 16, true},  {"u32", 32, false}, {"s32", 32, true},
                                     {"u64", 64, false}, {"s64", 64, true}};
constexpr Kind kFloats[] = {Kind::F16, Kind::Bf16, Kind::F32, Kind::F64};

struct Direction {
  const char* name;
  mpfr_rnd_t rounding;
};
constexpr Direction kDirections[] = {
    {".rn", MPFR_RNDN}, {".rz", MPFR_RNDZ}, {".rm", MPFR_RNDD}, {".rp", MPFR_RNDU}};
constexpr Direction kWholeDirections[] = {
    {".rni", MPFR_RNDN}, {".rzi", MPFR_RNDZ}, {".rmi", MPFR_RNDD}, {".rpi", MPFR_RNDU}};

Kind register_of(unsigned bits) {
  return bits == 64 ? Kind::U64 : bits == 32 ? Kind::U32 : Kind::U16;
}

Wide greatest(const Integer& type) {
  return (Wide{1} << (type.bits - (type.with_sign ? 1 : 0))) - 1;
}
Wide least(const Integer& type) {
  return type.with_sign ? -greatest(type) - 1 : 0;
}

// The type's low bits, as the number that they are.
Wide number(const Integer& type, u64 bits) {
  const unsigned unused = 64 - type.bits;
  if (type.with_sign) return static_cast<i64>(bits << unused) >> unused;
  return static_cast<Wide>((bits << unused) >> unused);
}

// The value in a register: the bits above the type repeat its sign, or are zero.
u64 in_register(const Integer& type, unsigned width, Wide value) {
  const Wide kept = number(type, static_cast<u64>(value));
  return truncated(register_of(width), static_cast<u64>(kept));
}

void between_integers(std::vector<Operation>& all, const Integer& to, const Integer& from, bool saturate,
                      unsigned wider) {
  const unsigned to_width = to.bits < 64 && wider != 0 ? std::max(to.bits * 2, 16U) : std::max(to.bits, 16U);
  const unsigned from_width =
      from.bits < 64 && wider == 2 ? std::max(from.bits * 2, 32U) : std::max(from.bits, 16U);
  Operation operation;
  operation.text = std::string("cvt.") + (saturate ? "sat." : "") + to.name + "." + from.name + " $d, $a;";
  operation.result = register_of(to_width);
  operation.operands = {register_of(from_width)};
  operation.reference = [=](const u64* in) {
    Wide value = number(from, in[0]);
    if (saturate) value = std::min(std::max(value, least(to)), greatest(to));
    return exactly(in_register(to, to_width, value));
  };
  all.push_back(std::move(operation));
}

void from_integers(std::vector<Operation>& all, Kind to, const Integer& from) {
  for (const Direction& direction : kDirections) {
    Operation operation;
    operation.text = std::string("cvt") + direction.name + "." + type_name(to) + "." + from.name + " $d, $a;";
    operation.result = to;
    operation.operands = {register_of(from.bits)};
    operation.reference = [=](const u64* in) {
      const Wide value = number(from, in[0]);
      Modifiers modifiers;
      modifiers.rounding = direction.rounding;
      Number result(format_of(to).precision);
      const int ternary =
          from.with_sign ? mpfr_set_si(result.get(), static_cast<long>(value), direction.rounding)
                         : mpfr_set_ui(result.get(), static_cast<unsigned long>(value), direction.rounding);
      return finished(to, modifiers, result, ternary);
    };
    all.push_back(std::move(operation));
  }
}

// Beyond the type's range the nearest number; NaN as the manual has it since version 9.0.
Wide whole_number(const Integer& to, Kind from, Number& value) {
  if (mpfr_nan_p(value.get()) != 0) {
    if (from != Kind::F64 && to.bits != 64) return 0;
    return Wide{1} << (to.bits - 1);
  }
  Number limit(128);
  mpfr_set_ui_2exp(limit.get(), 1, to.bits - (to.with_sign ? 1 : 0), MPFR_RNDN);
  if (mpfr_cmp(value.get(), limit.get()) >= 0) return greatest(to);
  if (mpfr_sgn(value.get()) < 0 && !to.with_sign) return 0;
  if (!to.with_sign) return static_cast<Wide>(mpfr_get_ui(value.get(), MPFR_RNDZ));
  mpfr_neg(limit.get(), limit.get(), MPFR_RNDN);
  if (mpfr_cmp(value.get(), limit.get()) <= 0) return least(to);
  return mpfr_get_si(value.get(), MPFR_RNDZ);
}

void to_integers(std::vector<Operation>& all, const Integer& to, Kind from) {
  for (const Direction& direction : kWholeDirections) {
    for (const bool flush : {false, true}) {
      if (flush && from != Kind::F32) continue;
      const unsigned width = std::max(to.bits, 16U);
      Operation operation;
      operation.text = std::string("cvt") + direction.name + (flush ? ".ftz." : ".") + to.name + "." +
                       type_name(from) + " $d, $a;";
      operation.result = register_of(width);
      operation.operands = {from};
      operation.reference = [=](const u64* in) {
        Number value;
        decode(from, flush ? without_subnormal(from, in[0]) : in[0], value);
        mpfr_rint(value.get(), value.get(), direction.rounding);
        return exactly(in_register(to, width, whole_number(to, from, value)));
      };
      all.push_back(std::move(operation));
    }
  }
}

// One conversion between floats. Whole: rounded to an integer, which the same type holds.
Expected between(Kind to, Kind from, bool whole, const Modifiers& modifiers, u64 bits) {
  Number value;
  // What becomes a half is not flushed (measured).
  const bool flushes = modifiers.flush && from == Kind::F32 && to != Kind::F16;
  decode(from, flushes ? without_subnormal(from, bits) : bits, value);
  if (whole) mpfr_rint(value.get(), value.get(), modifiers.rounding);
  Number result(format_of(to).precision);
  const int ternary = mpfr_set(result.get(), value.get(), modifiers.rounding);
  Modifiers then = modifiers;
  then.flush = modifiers.flush && to == Kind::F32;
  return finished(to, then, result, ternary);
}

void add_between_floats(std::vector<Operation>& all, Kind to, Kind from, const Direction& direction,
                        bool whole) {
  const bool brain = to == Kind::Bf16 || from == Kind::Bf16;
  for (unsigned choice = 0; choice < 4; ++choice) {
    Modifiers modifiers;
    modifiers.rounding = direction.rounding;
    modifiers.flush = (choice & 1) != 0;
    modifiers.saturate = (choice & 2) != 0;
    if (modifiers.flush && to != Kind::F32 && from != Kind::F32) continue;
    if (brain && choice != 0) continue;
    Operation operation;
    operation.text = std::string("cvt") + direction.name + (modifiers.flush ? ".ftz" : "") +
                     (modifiers.saturate ? ".sat." : ".") + type_name(to) + "." + type_name(from) +
                     " $d, $a;";
    operation.result = to;
    operation.operands = {from};
    operation.reference = [=](const u64* in) { return between(to, from, whole, modifiers, in[0]); };
    all.push_back(std::move(operation));
  }
}

// Where nothing is lost there is no direction to name.
void add_floats(std::vector<Operation>& all) {
  for (const Kind to : kFloats) {
    for (const Kind from : kFloats) {
      const bool exact = to == from || (width_of(to) > width_of(from));
      if (exact) add_between_floats(all, to, from, {"", MPFR_RNDN}, false);
      if (to == from) {
        for (const Direction& direction : kWholeDirections)
          add_between_floats(all, to, from, direction, true);
      }
      if (exact) continue;
      for (const Direction& direction : kDirections) {
        add_between_floats(all, to, from, direction, false);
      }
    }
  }
}

// Numbers of 16 bits out of f32, alone and two at once.
void add_narrowings(std::vector<Operation>& all) {
  for (const Kind to : {Kind::F16, Kind::F16x2, Kind::Bf16, Kind::Bf16x2}) {
    for (const Direction& direction : {kDirections[0], kDirections[1]}) {
      for (const bool relu : {false, true}) {
        if (!relu && !is_pair(to)) continue;  // among the others
        Modifiers modifiers;
        modifiers.rounding = direction.rounding;
        modifiers.relu = relu;
        Operation operation;
        operation.text = std::string("cvt") + direction.name + (relu ? ".relu." : ".") + type_name(to) +
                         ".f32 $d, " + (is_pair(to) ? "$a, $b;" : "$a;");
        operation.result = to;
        operation.operands.assign(is_pair(to) ? 2 : 1, Kind::F32);
        operation.reference = [=](const u64* in) {
          return between(half_of(to), Kind::F32, false, modifiers, in[0]);
        };
        all.push_back(std::move(operation));
      }
    }
  }
}

}  // namespace

std::vector<Operation> conversions() {
  std::vector<Operation> all;
  for (const Integer& to : kIntegerTypes) {
    for (const Integer& from : kIntegerTypes) {
      for (unsigned wider = 0; wider < 3; ++wider) between_integers(all, to, from, false, wider);
      if (least(from) < least(to) || greatest(from) > greatest(to)) between_integers(all, to, from, true, 0);
    }
    for (const Kind each : kFloats) {
      if (each == Kind::Bf16 && to.bits == 8) continue;  // there is none
      from_integers(all, each, to);
      to_integers(all, to, each);
    }
  }
  add_floats(all);
  add_narrowings(all);
  return all;
}

}  // namespace ptx_random
