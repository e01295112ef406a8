// SPDX-License-Identifier: MIT
// Approximations of f32, f64, f16 and bf16, within the errors that the manual states for them.
#include <cmath>
#include <limits>
#include <utility>

#include "numbers.hpp"

namespace ptx_random {
namespace {

using Function = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

struct Error {
  long double relative = 0, absolute = 0;
};

// What may come out where `exact` would be right.
Expected near(Kind kind, Number& exact, const Error& error, bool flush) {
  if (mpfr_nan_p(exact.get()) != 0) return of_form(Expected::Form::Nan);
  const Format format = format_of(kind);
  const long double greatest =
      std::ldexp(2 - std::ldexp(1.0L, 1 - format.precision), format.greatest_exponent);
  const long double infinity = std::numeric_limits<long double>::infinity();
  const long double value = mpfr_get_ld(exact.get(), MPFR_RNDN);
  Expected expected;
  expected.form = Expected::Form::Near;
  expected.low = expected.high = value;
  if (std::isinf(value)) return expected;
  // Two of the least subnormal numbers, because those are rounded, too.
  const long double slack = std::fabs(value) * error.relative + error.absolute +
                            std::ldexp(2.0L, format.least_exponent - format.precision + 1);
  expected.low -= slack;
  expected.high += slack;
  if (expected.high > greatest) expected.high = infinity;
  if (expected.low < -greatest) expected.low = -infinity;
  expected.zero_too = flush && std::fabs(value) - slack < std::ldexp(1.0L, format.least_exponent);
  return expected;
}

struct Approximation {
  const char* name;
  Function function;
  Kind kind;
  Error error;
  long double greatest = 0;  // beyond it nothing is promised
};

long double two_to(long double exponent) {
  return std::exp2(exponent);
}

int reciprocal(mpfr_ptr result, mpfr_srcptr a, mpfr_rnd_t rounding) {
  return mpfr_ui_div(result, 1, a, rounding);
}

// 1 / sqrt(-0) is minus infinity, as the manual has it.
int reciprocal_root(mpfr_ptr result, mpfr_srcptr a, mpfr_rnd_t rounding) {
  if (mpfr_zero_p(a) == 0) return mpfr_rec_sqrt(result, a, rounding);
  mpfr_set_inf(result, mpfr_signbit(a) != 0 ? -1 : 1);
  return 0;
}

void add(std::vector<Operation>& all, const Approximation& approximation, bool flush) {
  Operation operation;
  const std::string name = approximation.name;
  operation.text = name + (flush ? ".ftz." : ".") + type_name(approximation.kind) + " $d, $a;";
  operation.result = approximation.kind;
  operation.operands = {approximation.kind};
  const Kind each = half_of(approximation.kind);
  operation.reference = [=](const u64* in) {
    Number a, exact;
    // Of f64 with .ftz the low half is not looked at, as the manual says; that makes some NaNs infinities,
    // too (measured).
    const u64 bits = flush && each == Kind::F64 ? in[0] >> 32 << 32 : in[0];
    decode(each, flush ? without_subnormal(each, bits) : bits, a);
    const long double value = mpfr_get_ld(a.get(), MPFR_RNDN);
    if (approximation.greatest != 0 && std::isfinite(value) && std::fabs(value) > approximation.greatest)
      return anything();
    approximation.function(exact.get(), a.get(), MPFR_RNDN);
    Expected expected = near(each, exact, approximation.error, flush);
    // Between the ranges the least precise one holds.
    const bool circular = approximation.function == mpfr_sin || approximation.function == mpfr_cos;
    if (circular && std::fabs(value) > 3.14159L) expected = near(each, exact, {0, two_to(-14.7L)}, flush);
    return expected;
  };
  all.push_back(std::move(operation));
}

void add_functions(std::vector<Operation>& all) {
  const long double turns = 314;  // 100 pi
  const Approximation of_floats[] = {{"rcp.approx", reciprocal, Kind::F32, {two_to(-23), 0}},
                                     {"sqrt.approx", mpfr_sqrt, Kind::F32, {two_to(-23), 0}},
                                     {"rsqrt.approx", reciprocal_root, Kind::F32, {two_to(-22.9L), 0}},
                                     {"ex2.approx", mpfr_exp2, Kind::F32, {two_to(-22), 0}},
                                     {"lg2.approx", mpfr_log2, Kind::F32, {two_to(-22), two_to(-22)}},
                                     {"sin.approx", mpfr_sin, Kind::F32, {0, two_to(-20.5L)}, turns},
                                     {"cos.approx", mpfr_cos, Kind::F32, {0, two_to(-20.5L)}, turns}};
  for (const Approximation& approximation : of_floats) {
    add(all, approximation, false);
    add(all, approximation, true);
  }
  add(all, {"tanh.approx", mpfr_tanh, Kind::F32, {two_to(-11), 0}}, false);
  add(all, {"rsqrt.approx", reciprocal_root, Kind::F64, {two_to(-50), 0}}, false);
  add(all, {"rsqrt.approx", reciprocal_root, Kind::F64, {two_to(-19), 0}}, true);
  add(all, {"rcp.approx", reciprocal, Kind::F64, {two_to(-19), 0}}, true);
  for (const Kind kind : {Kind::F16, Kind::F16x2}) {
    add(all, {"ex2.approx", mpfr_exp2, kind, {two_to(-9.9L), 0}}, false);
    add(all, {"tanh.approx", mpfr_tanh, kind, {0, two_to(-10.987L)}}, false);
  }
  for (const Kind kind : {Kind::Bf16, Kind::Bf16x2}) {
    add(all, {"ex2.approx", mpfr_exp2, kind, {two_to(-7), 0}}, true);
    add(all, {"tanh.approx", mpfr_tanh, kind, {0, two_to(-8)}}, false);
  }
}

// div.approx gives up divisors beyond 2^126; div.full scales them.
void add_divisions(std::vector<Operation>& all) {
  for (const bool full : {false, true}) {
    for (const bool flush : {false, true}) {
      Operation operation;
      operation.text =
          std::string("div.") + (full ? "full" : "approx") + (flush ? ".ftz" : "") + ".f32 $d, $a, $b;";
      operation.result = Kind::F32;
      operation.operands = {Kind::F32, Kind::F32};
      operation.immediate = 1;
      operation.reference = [=](const u64* in) {
        Number a, b, exact;
        decode(Kind::F32, flush ? without_subnormal(Kind::F32, in[0]) : in[0], a);
        decode(Kind::F32, flush ? without_subnormal(Kind::F32, in[1]) : in[1], b);
        // What the reciprocal of a subnormal number becomes, nobody says.
        if (!full && is_subnormal(Kind::F32, in[1]) && !flush) return anything();
        mpfr_div(exact.get(), a.get(), b.get(), MPFR_RNDN);
        Expected expected = near(Kind::F32, exact, {two_to(-22), 0}, flush);
        const long double divisor = std::fabs(mpfr_get_ld(b.get(), MPFR_RNDN));
        if (!full && divisor > two_to(126) && std::isfinite(divisor)) {
          if (mpfr_nan_p(exact.get()) != 0) return expected;
          expected.zero_too = true;
          expected.nan_too = mpfr_inf_p(a.get()) != 0;
        }
        return expected;
      };
      all.push_back(std::move(operation));
    }
  }
}

}  // namespace

std::vector<Operation> approximate_operations() {
  std::vector<Operation> all;
  add_functions(all);
  add_divisions(all);
  return all;
}

}  // namespace ptx_random
