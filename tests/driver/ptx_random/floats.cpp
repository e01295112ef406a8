// SPDX-License-Identifier: MIT
// Floating-point arithmetic that is rounded once: f32, f64, f16, bf16 and pairs, in every direction, with
// .ftz, .sat, .relu, .NaN and .xorsign.abs.
#include <utility>

#include "numbers.hpp"

namespace ptx_random {
namespace {

using CalculateReal = int (*)(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c,
                              mpfr_rnd_t rounding);

Expected rounded_once(Kind kind, const Modifiers& modifiers, CalculateReal calculate, const u64* in,
                      std::size_t count) {
  Number numbers[3];
  for (std::size_t i = 0; i < count; ++i)
    decode(kind, modifiers.flush ? without_subnormal(kind, in[i]) : in[i], numbers[i]);
  Number result(format_of(kind).precision);
  const int ternary =
      calculate(result.get(), numbers[0].get(), numbers[1].get(), numbers[2].get(), modifiers.rounding);
  return finished(kind, modifiers, result, ternary);
}

std::string operand_list(std::size_t count) {
  static constexpr const char* lists[] = {"", "$a", "$a, $b", "$a, $b, $c"};
  return lists[count];
}

void add(std::vector<Operation>& all, const std::string& name, Kind kind, std::size_t count,
         const Modifiers& modifiers, CalculateReal calculate) {
  Operation operation;
  operation.text = name + "." + type_name(kind) + " $d, " + operand_list(count) + ";";
  operation.result = kind;
  operation.operands.assign(count, kind);
  if ((kind == Kind::F32 || kind == Kind::F64) && count > 1) operation.immediate = 1;
  const Kind each = half_of(kind);
  operation.reference = [=](const u64* in) { return rounded_once(each, modifiers, calculate, in, count); };
  all.push_back(std::move(operation));
}

int sum(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr, mpfr_rnd_t rounding) {
  return mpfr_add(result, a, b, rounding);
}
int difference(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr, mpfr_rnd_t rounding) {
  return mpfr_sub(result, a, b, rounding);
}
int product(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr, mpfr_rnd_t rounding) {
  return mpfr_mul(result, a, b, rounding);
}
int quotient(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr, mpfr_rnd_t rounding) {
  return mpfr_div(result, a, b, rounding);
}
int fused(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c, mpfr_rnd_t rounding) {
  return mpfr_fma(result, a, b, c, rounding);
}
int root(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t rounding) {
  return mpfr_sqrt(result, a, rounding);
}
int reciprocal(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t rounding) {
  return mpfr_ui_div(result, 1, a, rounding);
}

struct Arithmetic {
  const char* name;
  std::size_t operands;
  CalculateReal calculate;
  bool may_saturate;
};
constexpr Arithmetic kArithmetic[] = {{"add", 2, sum, true},         {"sub", 2, difference, true},
                                      {"mul", 2, product, true},     {"fma", 3, fused, true},
                                      {"mad", 3, fused, true},       {"div", 2, quotient, false},
                                      {"rcp", 1, reciprocal, false}, {"sqrt", 1, root, false}};

void add_rounded(std::vector<Operation>& all) {
  constexpr std::pair<const char*, mpfr_rnd_t> directions[] = {
      {".rn", MPFR_RNDN}, {".rz", MPFR_RNDZ}, {".rm", MPFR_RNDD}, {".rp", MPFR_RNDU}};
  for (const Arithmetic& arithmetic : kArithmetic) {
    for (const auto& [direction, rounding] : directions) {
      const std::string name = std::string(arithmetic.name) + direction;
      Modifiers modifiers;
      modifiers.rounding = rounding;
      add(all, name, Kind::F64, arithmetic.operands, modifiers, arithmetic.calculate);
      add(all, name, Kind::F32, arithmetic.operands, modifiers, arithmetic.calculate);
      modifiers.flush = true;
      add(all, name + ".ftz", Kind::F32, arithmetic.operands, modifiers, arithmetic.calculate);
      if (!arithmetic.may_saturate) continue;
      modifiers.saturate = true;
      add(all, name + ".ftz.sat", Kind::F32, arithmetic.operands, modifiers, arithmetic.calculate);
      modifiers.flush = false;
      add(all, name + ".sat", Kind::F32, arithmetic.operands, modifiers, arithmetic.calculate);
    }
  }
}

void add_halves(std::vector<Operation>& all) {
  for (const Arithmetic& arithmetic : kArithmetic) {
    const std::string name = std::string(arithmetic.name) + ".rn";
    if (!arithmetic.may_saturate || name == "mad.rn") continue;
    for (const Kind kind : {Kind::F16, Kind::F16x2, Kind::Bf16, Kind::Bf16x2}) {
      Modifiers modifiers;
      add(all, name, kind, arithmetic.operands, modifiers, arithmetic.calculate);
      const bool brain = kind == Kind::Bf16 || kind == Kind::Bf16x2;
      if (name == "fma.rn") {
        modifiers.relu = true;
        add(all, name + ".relu", kind, arithmetic.operands, modifiers, arithmetic.calculate);
        modifiers.relu = false;
      }
      if (brain) continue;
      modifiers.flush = true;
      add(all, name + ".ftz", kind, arithmetic.operands, modifiers, arithmetic.calculate);
      modifiers.saturate = true;
      add(all, name + ".ftz.sat", kind, arithmetic.operands, modifiers, arithmetic.calculate);
      modifiers.flush = false;
      add(all, name + ".sat", kind, arithmetic.operands, modifiers, arithmetic.calculate);
    }
  }
}

// ---- operations that do not round

struct Extreme {
  bool greatest = false, flush = false, keep_nan = false, xor_sign = false;
};

Expected extreme(Kind kind, const Extreme& how, const u64* in) {
  u64 a = in[0], b = in[1];
  if (how.flush) a = without_subnormal(kind, a), b = without_subnormal(kind, b);
  const u64 sign = (a ^ b) & sign_of(kind);
  if (how.xor_sign) a &= ~sign_of(kind), b &= ~sign_of(kind);
  const bool a_nan = is_nan(kind, a), b_nan = is_nan(kind, b);
  if ((a_nan && b_nan) || (how.keep_nan && (a_nan || b_nan))) return of_form(Expected::Form::Nan);
  u64 result = 0;
  if (a_nan || b_nan) {
    result = a_nan ? b : a;
  } else {
    // Minus zero is less than zero.
    const long double x = value_of(kind, a), y = value_of(kind, b);
    const bool less = x < y || (x == y && (a & sign_of(kind)) != 0);
    result = less != how.greatest ? a : b;
  }
  return exactly(how.xor_sign ? (result & ~sign_of(kind)) | sign : result);
}

void add_extremes(std::vector<Operation>& all, Kind kind) {
  const bool may_flush = kind == Kind::F32 || kind == Kind::F16 || kind == Kind::F16x2;
  for (unsigned choice = 0; choice < 16; ++choice) {
    Extreme how;
    how.greatest = (choice & 1) != 0;
    how.flush = (choice & 2) != 0;
    how.keep_nan = (choice & 4) != 0;
    how.xor_sign = (choice & 8) != 0;
    if (how.flush && !may_flush) continue;
    if (kind == Kind::F64 && (how.keep_nan || how.xor_sign)) continue;
    Operation operation;
    operation.text = std::string(how.greatest ? "max" : "min") + (how.flush ? ".ftz" : "") +
                     (how.keep_nan ? ".NaN" : "") + (how.xor_sign ? ".xorsign.abs" : "") + "." +
                     type_name(kind) + " $d, $a, $b;";
    operation.result = kind;
    operation.operands = {kind, kind};
    operation.reference = [how, each = half_of(kind)](const u64* in) { return extreme(each, how, in); };
    all.push_back(std::move(operation));
  }
}

// neg, abs: signs only.
void add_signs(std::vector<Operation>& all, Kind kind) {
  const Kind each = half_of(kind);
  const bool may_flush = kind == Kind::F32 || kind == Kind::F16 || kind == Kind::F16x2;
  for (const bool absolute : {false, true}) {
    for (const bool flush : {false, true}) {
      if (flush && !may_flush) continue;
      Operation operation;
      operation.text =
          std::string(absolute ? "abs" : "neg") + (flush ? ".ftz" : "") + "." + type_name(kind) + " $d, $a;";
      operation.result = kind;
      operation.operands = {kind};
      operation.reference = [=](const u64* in) {
        if (is_nan(each, in[0])) return of_form(Expected::Form::Nan);
        const u64 bits = flush ? without_subnormal(each, in[0]) : in[0];
        return exactly(absolute ? bits & ~sign_of(each) : bits ^ sign_of(each));
      };
      all.push_back(std::move(operation));
    }
  }
}

void add_copysign(std::vector<Operation>& all, Kind kind) {
  Operation operation;
  operation.text = "copysign." + type_name(kind) + " $d, $a, $b;";
  operation.result = kind;
  operation.operands = {kind, kind};
  operation.reference = [=](const u64* in) {
    if (is_nan(kind, in[1])) return of_form(Expected::Form::Nan);
    return exactly((in[1] & ~sign_of(kind)) | (in[0] & sign_of(kind)));
  };
  all.push_back(std::move(operation));
}

// Zeros count as normal.
void add_properties(std::vector<Operation>& all, Kind kind) {
  const auto add_property = [&](const char* name, auto holds) {
    Operation operation;
    operation.text = std::string("testp.") + name + "." + type_name(kind) + " $d, $a;";
    operation.result = Kind::Pred;
    operation.operands = {kind};
    operation.reference = [=](const u64* in) { return exactly(holds(kind, in[0]) ? 1 : 0); };
    all.push_back(std::move(operation));
  };
  const auto infinite = [](Kind k, u64 bits) {
    return !is_nan(k, bits) && value_of(k, bits) - value_of(k, bits) != 0;
  };
  add_property("finite", [=](Kind k, u64 bits) { return !is_nan(k, bits) && !infinite(k, bits); });
  add_property("infinite", infinite);
  add_property("number", [](Kind k, u64 bits) { return !is_nan(k, bits); });
  add_property("notanumber", [](Kind k, u64 bits) { return is_nan(k, bits); });
  add_property("normal", [=](Kind k, u64 bits) {
    return !is_nan(k, bits) && !infinite(k, bits) && !is_subnormal(k, bits);
  });
  add_property("subnormal", [](Kind k, u64 bits) { return is_subnormal(k, bits); });
}

}  // namespace

std::vector<Operation> float_operations() {
  std::vector<Operation> all;
  add_rounded(all);
  add_halves(all);
  for (const Kind kind : {Kind::F32, Kind::F64, Kind::F16, Kind::F16x2, Kind::Bf16, Kind::Bf16x2}) {
    add_extremes(all, kind);
    add_signs(all, kind);
  }
  for (const Kind kind : {Kind::F32, Kind::F64}) {
    add_copysign(all, kind);
    add_properties(all, kind);
  }
  return all;
}

}  // namespace ptx_random
