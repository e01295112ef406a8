// SPDX-License-Identifier: MIT
// Floating-point formats over MPFR: bits to numbers, numbers rounded to bits, once, in any direction.
#pragma once

#include <mpfr.h>

#include "operation.hpp"

namespace ptx_random {

class Number {
 public:
  explicit Number(mpfr_prec_t precision = 64) { mpfr_init2(value_, precision); }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};

struct Format {
  int precision;       // with the leading one
  int least_exponent;  // of a normal number 1.x * 2^e
  int greatest_exponent;
};
Format format_of(Kind kind);

void decode(Kind kind, u64 bits, Number& number);
long double value_of(Kind kind, u64 bits);
bool is_nan(Kind kind, u64 bits);
bool is_subnormal(Kind kind, u64 bits);
u64 sign_of(Kind kind);  // the bit
u64 without_subnormal(Kind kind, u64 bits);

// A result of as many digits as the format has, as MPFR left it with its ternary value, in the format's
// range. NaN gives a NaN.
u64 encode(Kind kind, Number& number, int ternary, mpfr_rnd_t rounding);

struct Modifiers {
  mpfr_rnd_t rounding = MPFR_RNDN;
  bool flush = false, saturate = false, relu = false;
};
// What an instruction with these modifiers makes of such a result.
Expected finished(Kind kind, const Modifiers& modifiers, Number& result, int ternary);

}  // namespace ptx_random
