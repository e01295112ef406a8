// SPDX-License-Identifier: MIT
// ptxcc's mathematics, compiled for the host, against the C library's long double: many arguments, special
// values.
//
// The headers of the device code are the ones under test; what PTX does by an instruction is done by the host
// here. The corpus of kernels holds the same functions on a device, at fewer points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>

#define __PTXCC_DEVICE__ __attribute__((unused)) static inline
#define __PTXCC_BIG_DEVICE__ __attribute__((unused)) static
#define __PTXCC_TABLE__ __attribute__((unused))
#define __nvvm_div_rn_d(a, b) ((a) / (b))
#define __nvvm_fma_rn_d(a, b, c) std::fma(a, b, c)
#define __nvvm_sqrt_rn_d(a) std::sqrt(a)
#include "math_light.h"
#include "math_special.h"

namespace {

double units_apart(double got, long double expected) {
  const double rounded = static_cast<double>(expected);
  if ((std::isnan(got) && std::isnan(rounded)) || got == rounded) return 0;
  if (!std::isfinite(got) || !std::isfinite(rounded)) return HUGE_VAL;
  int exponent = 0;
  std::frexp(rounded == 0 ? 5e-324 : rounded, &exponent);
  return static_cast<double>(std::fabs(got - expected) / std::ldexp(1.0L, std::max(exponent - 53, -1074)));
}

class Arguments {
 public:
  double within(double from, double to) {
    return from + (to - from) * static_cast<double>(random_() >> 11) * 0x1p-53;
  }
  // Any pattern of bits, so every size is as likely as every other.
  double any() {
    const std::uint64_t bits = random_();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  // Within, but small numbers as often as large ones.
  double mixed(double from, double to) {
    const double tiny = std::ldexp(within(-1, 1), -static_cast<int>(random_() % 70));
    switch (random_() % 3) {
      case 0:
        return tiny >= from && tiny <= to ? tiny : within(from, to);
      case 1:
        if (const double value = any(); value >= from && value <= to) return value;
        [[fallthrough]];
      default:
        return within(from, to);
    }
  }

 private:
  std::mt19937_64 random_{42};
};

using Exact = long double (*)(long double);
void hold(const char* name, double (*function)(double), Exact exact, double from, double to, double units) {
  Arguments arguments;
  double worst = 0, where = 0;
  const auto look = [&](double x) {
    const double apart = units_apart(function(x), exact(x));
    if (apart > worst) worst = apart, where = x;
  };
  for (int i = 0; i < 40000; ++i) look(arguments.mixed(from, to));
  for (const double x : {0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 5e-324, 1e-310, HUGE_VAL, -HUGE_VAL, double(NAN)})
    look(x);
  EXPECT_LE(worst, units) << name << " at " << std::hexfloat << where;
  EXPECT_EQ(std::signbit(function(-0.0)), std::signbit(exact(-0.0L))) << name << " of -0";
}
#define HOLD(name, from, to, units)                      \
  hold(                                                  \
      #name, [](double x) { return __ptxcc_##name(x); }, \
      [](long double x) -> long double { return name##l(x); }, from, to, units)

// The bounds are those that CUDA documents for its own, except where ours are always closer.
TEST(mathematics, exponentials_and_logarithms_are_within_one_unit) {
  HOLD(exp, -745, 710, 1);
  HOLD(exp2, -1075, 1024, 1);
  HOLD(exp10, -324, 309, 1);
  HOLD(expm1, -50, 709, 1);
  HOLD(log, 0, 1.7e308, 1);
  HOLD(log2, 0, 100, 1);
  HOLD(log10, 0, 100, 1);
  HOLD(log1p, -1, 100, 1);
}
TEST(mathematics, trigonometry_is_within_one_unit_for_any_argument) {
  for (const double reach : {1.0, 1000.0, 1.7e308}) {
    HOLD(sin, -reach, reach, 1);
    HOLD(cos, -reach, reach, 1);
    HOLD(tan, -reach, reach, 1);
  }
  HOLD(atan, -10, 10, 1);
}
TEST(mathematics, inverse_and_hyperbolic_functions_are_within_one_unit) {
  const auto inside = [](const char* name, double (*function)(double), Exact exact, double from, double to) {
    Arguments arguments;
    for (int i = 0; i < 40000; ++i) {
      const double x = arguments.mixed(from, to);
      ASSERT_LE(units_apart(function(x), exact(x)), 1) << name << " at " << std::hexfloat << x;
    }
  };
  inside("asin", __ptxcc_asin, asinl, -1, 1);
  inside("acos", __ptxcc_acos, acosl, -1, 1);
  inside("atanh", __ptxcc_atanh, atanhl, -1, 1);
  inside("acosh", __ptxcc_acosh, acoshl, 1, 1e300);
  HOLD(sinh, -710, 710, 1);
  HOLD(cosh, -710, 710, 1);
  HOLD(tanh, -3, 3, 1);
  HOLD(asinh, -100, 100, 1);
}
TEST(mathematics, special_functions_are_within_the_bounds_that_CUDA_documents) {
  HOLD(erf, -6, 6, 2);
  HOLD(erfc, -6, 27, 5);
  HOLD(lgamma, 0.01, 1000, 4);
  HOLD(lgamma, -40, -10.1, 4);
  Arguments arguments;
  for (int i = 0; i < 40000; ++i) {
    const double x = arguments.within(-170, 171);
    ASSERT_LE(units_apart(__ptxcc_tgamma(x), tgammal(x)), 10) << x;
  }
}
// Every 10007th float: all exponents, both signs, subnormal and special numbers.
void hold_float(const char* name, float (*function)(float), Exact exact) {
  for (std::uint64_t bits = 0; bits < 1ULL << 32; bits += 10007) {
    const std::uint32_t pattern = static_cast<std::uint32_t>(bits);
    float x = 0;
    std::memcpy(&x, &pattern, sizeof x);
    const float got = function(x), expected = static_cast<float>(exact(x));
    if (got == expected || (std::isnan(got) && std::isnan(expected))) continue;
    ASSERT_TRUE(std::nextafter(got, expected) == expected)
        << name << " of " << std::hexfloat << x << " is " << got;
  }
}
#define HOLD_FLOAT(name, value, exact)                         \
  hold_float(                                                  \
      name, [](float x) { return static_cast<float>(value); }, \
      [](long double x) -> long double { return exact; })
TEST(mathematics, the_light_functions_of_float_are_the_nearest_float_or_its_neighbour) {
  HOLD_FLOAT("sinf", __ptxcc_light_sin(x), sinl(x));
  HOLD_FLOAT("cosf", __ptxcc_light_cos(x), cosl(x));
  HOLD_FLOAT("tanf", __ptxcc_light_tan(x), tanl(x));
  HOLD_FLOAT("expf", __ptxcc_light_exp(x), expl(x));
  HOLD_FLOAT("exp2f", __ptxcc_light_exp2(x), exp2l(x));
  HOLD_FLOAT("exp10f", __ptxcc_light_exp10(x), exp10l(x));
  HOLD_FLOAT("logf", __ptxcc_light_log(x, __ptxcc_ln2_1, 1), logl(x));
  HOLD_FLOAT("log2f", __ptxcc_light_log(x, 1, __ptxcc_log2_e_1), log2l(x));
  HOLD_FLOAT("log10f", __ptxcc_light_log(x, __ptxcc_ln2_1 * __ptxcc_log10_e_1, __ptxcc_log10_e_1), log10l(x));
  HOLD_FLOAT("powf", __ptxcc_light_pow(x, 2.5), powl(x, 2.5L));
  HOLD_FLOAT("powf, negative", __ptxcc_light_pow(x, -3), powl(x, -3));
  HOLD_FLOAT("powf of 0.99", __ptxcc_light_pow(0.99, x), powl(0.99, x));
}
TEST(mathematics, inverses_of_the_error_functions_lead_back) {
  Arguments arguments;
  for (int i = 0; i < 4000; ++i) {
    const double x = arguments.within(-0.99, 0.99), y = std::exp(arguments.within(-600, 0));
    EXPECT_LE(units_apart(__ptxcc_erf(__ptxcc_erfinv(x)), x), 8) << x;
    EXPECT_NEAR(__ptxcc_erfc(__ptxcc_erfcinv(y)) / y, 1, 2e-13) << y;  // one unit of z is many of erfc(z)
  }
  EXPECT_NEAR(__ptxcc_normcdf(1.0), 0.841344746068543, 1e-15);
  EXPECT_NEAR(__ptxcc_normcdfinv(0.975), 1.959963984540054, 1e-14);
}
TEST(mathematics, powers_are_within_two_units_and_follow_the_special_cases) {
  Arguments arguments;
  for (int i = 0; i < 100000; ++i) {
    const double x = i % 2 == 0 ? arguments.within(0, 50) : arguments.within(0.99, 1.01);
    const double y = i % 2 == 0 ? arguments.within(-180, 180) : arguments.within(-60000, 60000);
    ASSERT_LE(units_apart(__ptxcc_pow(x, y), powl(x, y)), 2) << x << " to the " << y;
  }
  const double all[] = {0.0, -0.0, 1,        -1,        2,           -2,    3,     -3,
                        0.5, -0.5, HUGE_VAL, -HUGE_VAL, double(NAN), 1e300, 5e-324};
  for (const double x : all)
    for (const double y : all) {
      const double expected = std::pow(x, y);
      EXPECT_LE(units_apart(__ptxcc_pow(x, y), expected), 1) << x << " to the " << y;
      if (expected == 0) {
        EXPECT_EQ(std::signbit(__ptxcc_pow(x, y)), std::signbit(expected)) << x << " to the " << y;
      }
    }
}
TEST(mathematics, angles_of_points_follow_the_special_cases) {
  Arguments arguments;
  for (int i = 0; i < 100000; ++i) {
    const double y = i % 3 == 0 ? arguments.any() : arguments.within(-5, 5);
    const double x = i % 3 == 0 ? arguments.any() : arguments.within(-5, 5);
    ASSERT_LE(units_apart(__ptxcc_atan2(y, x), atan2l(y, x)), 2) << y << ", " << x;
  }
  const double all[] = {0.0, -0.0, 1, -1, HUGE_VAL, -HUGE_VAL, double(NAN), 1e300, -5e-324};
  for (const double y : all)
    for (const double x : all) {
      EXPECT_LE(units_apart(__ptxcc_atan2(y, x), std::atan2(y, x)), 1) << y << ", " << x;
    }
}
TEST(mathematics, remainders_are_exact) {
  Arguments arguments;
  for (int i = 0; i < 100000; ++i) {
    const double x = i % 2 == 0 ? arguments.any() : arguments.within(-500, 500);
    const double y = i % 2 == 0 ? arguments.any() : arguments.within(-5, 5);
    int quotient = 0, expected_quotient = 0;
    const double expected = std::remquo(x, y, &expected_quotient);
    ASSERT_EQ(units_apart(__ptxcc_remquo(x, y, &quotient), expected), 0) << x << ", " << y;
    if (!std::isnan(expected)) {
      ASSERT_EQ(quotient & 7, expected_quotient & 7) << x << ", " << y;
    }
    ASSERT_EQ(units_apart(__ptxcc_fmod(x, y), std::fmod(x, y)), 0) << x << ", " << y;
  }
}
TEST(mathematics, roots_and_lengths_are_within_one_unit) {
  HOLD(cbrt, -1e308, 1e308, 1);
  Arguments arguments;
  for (int i = 0; i < 40000; ++i) {
    const double x = arguments.within(0, 1e3);
    ASSERT_LE(units_apart(__ptxcc_rsqrt(x), 1 / sqrtl(x)), 1) << x;
    const double v[] = {std::ldexp(x, i % 900), std::ldexp(arguments.within(-3, 3), i % 900)};
    ASSERT_LE(units_apart(__ptxcc_norm(v, false), hypotl(v[0], v[1])), 1) << v[0] << ", " << v[1];
  }
}
TEST(mathematics, bessel_functions_are_right_to_a_few_parts_in_10_to_the_15) {
  Arguments arguments;
  for (int i = 0; i < 4000; ++i) {
    const double x = arguments.within(-100, 100);
    ASSERT_NEAR(__ptxcc_bessel_j(0, x), static_cast<double>(j0l(x)), 4e-15) << x;
    ASSERT_NEAR(__ptxcc_bessel_j(1, x), static_cast<double>(j1l(x)), 4e-15) << x;
    ASSERT_NEAR(__ptxcc_bessel_j(5, x), static_cast<double>(jnl(5, x)), 4e-15) << x;
  }
}

}  // namespace
