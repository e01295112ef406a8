// SPDX-License-Identifier: MIT
// Cases of the corpus: arithmetic and mathematics, compared with the host's wider types within the errors
// that CUDA documents.
#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

#include "corpus.hpp"

namespace {
using namespace corpus;

template <class T>
T bits_as(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}
unsigned word(unsigned i) {
  return i % 9 == 0 ? (i % 2 == 0 ? 0U : ~0U) : scattered(i) >> (i % 5 * 6);
}

const Register integer_arithmetic("integer_arithmetic", "integer_arithmetic", [](Gpu& gpu) {
  const int n = 500;
  const Buffer<int> a(made<int>(n, [](unsigned i) { return word(i) == 0x80000000U ? 1 : word(i); }));
  const Buffer<int> b(made<int>(n, [](unsigned i) { return word(3 * i + 1) >> (i % 3 * 8); }));
  const Buffer<long long> out(12 * n);
  gpu.launch("integer_arithmetic", {4}, {128}, 0, a, b, out, n);
  std::vector<long long> expected;
  for (int i = 0; i < n; ++i) {
    const int x = a.host()[i], y = b.host()[i];
    const unsigned ux = static_cast<unsigned>(x), uy = static_cast<unsigned>(y);
    const long long lx = static_cast<long long>(x) * 1000003, ly = y;
    expected.insert(
        expected.end(),
        {y != 0 ? x / y : 0, y != 0 ? x % y : 0, uy != 0 ? ux / uy : 0, uy != 0 ? ux % uy : 0, x >> (y & 31),
         ux >> (uy & 31), ux << (uy & 31), ly != 0 ? lx / ly : 0, ly != 0 ? lx % ly : 0, lx >> (y & 63),
         static_cast<long long>(static_cast<unsigned long long>(lx) * static_cast<unsigned long long>(ly)),
         (x < y ? 1 : 0) + (ux < uy ? 2 : 0) + (lx < ly ? 4 : 0)});
  }
  same(out.read(), expected, "out");
});

unsigned dot(unsigned x, unsigned y, unsigned start, bool with_sign) {
  for (int byte = 0; byte < 4; ++byte, x >>= 8, y >>= 8)
    start += with_sign ? static_cast<unsigned>(static_cast<signed char>(x) * static_cast<signed char>(y))
                       : (x & 255) * (y & 255);
  return start;
}
template <class T>
T reversed(T value) {
  T result = 0;
  for (unsigned i = 0; i < 8 * sizeof(T); ++i) result = static_cast<T>(result << 1 | (value >> i & 1));
  return result;
}
__extension__ using Wide = unsigned __int128;
unsigned picked(unsigned x, unsigned y, unsigned selector) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(y) << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i)
    result |= static_cast<unsigned>(bytes >> (8 * (selector >> (4 * i) & 7)) & 255) << (8 * i);
  return result;
}
const Register integer_intrinsics("integer_intrinsics", "integer_intrinsics", [](Gpu& gpu) {
  const int n = 300;
  const Buffer<unsigned> a(made<unsigned>(n, word)),
      b(made<unsigned>(n, [](unsigned i) { return word(7 * i + 5); })), out(20 * n);
  gpu.launch("integer_intrinsics", {3}, {128}, 0, a, b, out, n);
  std::vector<unsigned> expected;
  const auto add = [&](auto value) { expected.push_back(static_cast<unsigned>(value)); };
  for (int i = 0; i < n; ++i) {
    const unsigned x = a.host()[i], y = b.host()[i];
    const int sx = static_cast<int>(x), sy = static_cast<int>(y);
    const std::uint64_t wide = static_cast<std::uint64_t>(x) << 32 | y,
                        other = static_cast<std::uint64_t>(y) << 32 | x;
    add(std::popcount(x));
    add(std::countl_zero(x));
    add(x == 0 ? 0 : std::countr_zero(x) + 1);
    add(reversed(x));
    add(picked(x, y, 0x7250));
    add(static_cast<long long>(sx) * sy >> 32);
    add(static_cast<std::uint64_t>(x) * y >> 32);
    add(static_cast<long long>(static_cast<int>(x << 8) >> 8) * (static_cast<int>(y << 8) >> 8));
    add(static_cast<std::uint64_t>(x & 0xffffffU) * (y & 0xffffffU));
    add(std::abs(static_cast<long long>(sx) - sy) + 3);
    add(std::max(x, y) - std::min(x, y) + 3);
    add((other << (y % 32)) >> 32);
    add(other >> (y % 32));
    add(dot(x, y, 5, true));
    add(dot(x, y, 5, false));
    add(std::popcount(wide));
    add(std::countl_zero(wide >> (y & 63)));
    const std::uint64_t moved = wide << (x & 63);
    add(moved == 0 ? 0 : std::countr_zero(moved) + 1);
    add(reversed(wide) >> 7);
    add(static_cast<std::uint64_t>(static_cast<Wide>(wide) * (wide + 12345) >> 64));
  }
  same(out.read(), expected, "out");
});

// The same operation in each rounding of the host. Volatile, so that it happens where the rounding is set.
const Register rounding("rounding", "rounding", [](Gpu& gpu) {
  const int n = 200;
  const Buffer<float> a(made<float>(n, [](unsigned i) { return real_number(i, -3, 3); }));
  const Buffer<float> b(made<float>(n, [](unsigned i) { return real_number(i + 500, 0.1, 1e-4); })),
      out(16 * n);
  gpu.launch("rounding", {2}, {128}, 0, a, b, out, n);
  std::vector<float> expected(static_cast<std::size_t>(16) * n);
  const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  for (int mode = 0; mode < 4; ++mode) {
    std::fesetround(modes[mode]);
    for (int i = 0; i < n; ++i) {
      const volatile float x = a.host()[i], y = b.host()[i];
      const volatile float sum = x + y, product = x * y, quotient = x / y, fused = std::fma(x, y, x);
      const float all[] = {sum, product, quotient, fused};
      for (int k = 0; k < 4; ++k) expected[16 * i + 4 * k + mode] = all[k];
    }
  }
  std::fesetround(FE_TONEAREST);
  same(out.read(), expected, "out");
});

template <class T>
long long clamped(double x) {
  if (std::isnan(x)) return sizeof(T) == 8 ? std::numeric_limits<T>::min() : 0;
  if (x >= static_cast<double>(std::numeric_limits<T>::max()))
    return static_cast<long long>(std::numeric_limits<T>::max());
  if (x <= static_cast<double>(std::numeric_limits<T>::min()))
    return static_cast<long long>(std::numeric_limits<T>::min());
  return static_cast<long long>(x);
}
const Register conversions("conversions", "conversions", [](Gpu& gpu) {
  std::vector<double> in = {0.0, -0.0, 0.5,  1.5, 2.5,  -0.5,  -1.5,
                            1e9, 3e9,  -3e9, 5e9, 1e30, -1e30, 123456789.75};
  for (unsigned i = 0; i < 60; ++i) in.push_back(real_number(i, -1000, 1000));
  const int n = static_cast<int>(in.size());
  const Buffer<double> values(in);
  const Buffer<long long> out(12 * in.size());
  gpu.launch("conversions", {1}, {128}, 0, values, out, n);
  std::vector<long long> expected;
  for (const double x : in) {
    const float f = static_cast<float>(x);
    const long long wide = clamped<long long>(std::rint(x));
    std::fesetround(FE_TOWARDZERO);
    const volatile double from = x;
    const volatile float toward_zero = static_cast<float>(from);
    std::fesetround(FE_TONEAREST);
    expected.insert(
        expected.end(),
        {clamped<int>(std::trunc(x)), clamped<int>(std::rint(x)), clamped<int>(std::ceil(x)),
         clamped<int>(std::floor(x)), static_cast<int>(clamped<unsigned>(std::trunc(x))), wide,
         clamped<int>(std::rint(f)), static_cast<int>(clamped<unsigned>(std::floor(f))),
         std::bit_cast<int>(f), std::bit_cast<long long>(x), std::bit_cast<int>(static_cast<float>(wide)),
         std::bit_cast<int>(static_cast<float>(toward_zero))});
  }
  // Two of them are unsigned on the device.
  for (std::size_t i = 0; i < in.size(); ++i)
    for (const std::size_t k : {12 * i + 4, 12 * i + 7}) expected[k] = static_cast<unsigned>(expected[k]);
  same(out.read(), expected, "out");
});

const Register special_values("special_values", "special_values", [](Gpu& gpu) {
  const float inf = HUGE_VALF;
  const std::vector<float> in = {0.0F, -0.0F, 1.0F, -1.0F, inf, -inf, NAN, 1e-42F, -1e-42F, 3e38F};
  const int n = static_cast<int>(in.size());
  const Buffer<float> values(in);
  const Buffer<int> out(in.size() * in.size());
  gpu.launch("special_values", {unsigned(n)}, {unsigned(n)}, 0, values, out, n);
  const auto expected = [&](unsigned k) {
    const float a = in[k / in.size()], b = in[k % in.size()];
    int bits = (a < b ? 1 : 0) | (a <= b ? 2 : 0) | (a > b ? 4 : 0) | (a >= b ? 8 : 0) | (a == b ? 16 : 0) |
               (a != b ? 32 : 0);
    bits |= (std::isnan(a) ? 64 : 0) | (std::isinf(b) ? 128 : 0) | (std::signbit(a) ? 256 : 0) |
            (std::isfinite(b) ? 512 : 0);
    // PTX: for min, -0 is less than +0, and if one operand is NaN, the result is the other one.
    const bool least =
        std::isnan(b) ? !std::isnan(a) : (a < b || (a == b && (std::signbit(a) || !std::signbit(b))));
    bits |= (least ? 1024 : 0) | (!(a < b) && !(a > b) ? 2048 : 0);
    return bits;
  };
  // The bits of the minimum of two NaNs are not defined.
  std::vector<int> got = out.read(), wanted = made<int>(got.size(), expected);
  for (std::size_t k = 0; k < got.size(); ++k)
    if (std::isnan(in[k / in.size()]) && std::isnan(in[k % in.size()])) got[k] &= ~1024, wanted[k] &= ~1024;
  same(got, wanted, "out");
});

// Each column of a table within its own number of units from the nearest number, which is how CUDA documents
// errors; the nearest number is up to half a unit from the exact value.
struct Column {
  const char* name;
  double units;
  long double (*exact)(long double);
};
template <class T, std::size_t Count>
void hold(const std::vector<T>& in, const std::vector<T>& got, const Column (&columns)[Count]) {
  for (std::size_t i = 0; i < in.size(); ++i)
    for (std::size_t k = 0; k < Count; ++k) {
      const long double expected = columns[k].exact(in[i]);
      const double apart = units_apart(got[Count * i + k], expected);
      if (!(apart <= columns[k].units + 0.5))
        wrong(std::string(columns[k].name) + " of " + shown(double(in[i])) + " is " +
              shown(double(got[Count * i + k])) + ", expected " + shown(double(expected)) + ": " +
              shown(apart) + " units apart, " + shown(columns[k].units + 0.5) + " allowed");
    }
}
using X = long double;
X rounds(X x) {
  return std::rint(x) + 2 * std::floor(x) + 4 * std::ceil(x) + 8 * std::trunc(x) + 16 * std::round(x);
}
const Register math_float("math_float", "math_float", [](Gpu& gpu) {
  // A factor is applied in the type of the kernel before the function.
  static const Column columns[] = {
      {"sinf", 2, [](X x) { return std::sin(x); }},
      {"cosf", 2, [](X x) { return std::cos(x); }},
      {"tanf", 4, [](X x) { return std::tan(x); }},
      {"expf", 2, [](X x) { return std::exp(x * 0.25L); }},
      {"exp2f", 2, [](X x) { return std::exp2(x * 0.5L); }},
      {"logf", 1, [](X x) { return std::log(std::fabs(x)); }},
      {"log2f", 1, [](X x) { return std::log2(std::fabs(x)); }},
      {"log10f", 2, [](X x) { return std::log10(std::fabs(x)); }},
      {"sqrtf", 0.01, [](X x) { return std::sqrt(std::fabs(x)); }},
      {"rsqrtf", 2, [](X x) { return 1 / std::sqrt(std::fabs(x)); }},
      {"cbrtf", 1, [](X x) { return std::cbrt(x); }},
      {"atanf", 2, [](X x) { return std::atan(x); }},
      {"asinf", 2, [](X x) { return std::asin(X(float(x) / 100)); }},
      {"acosf", 2, [](X x) { return std::acos(X(float(x) / 100)); }},
      {"atan2f", 3, [](X x) { return std::atan2(x, 2.5L); }},
      {"sinhf", 3, [](X x) { return std::sinh(x * 0.25L); }},
      {"coshf", 2, [](X x) { return std::cosh(x * 0.25L); }},
      {"tanhf", 2, [](X x) { return std::tanh(x * 0.125L); }},
      {"asinhf", 3, [](X x) { return std::asinh(x); }},
      {"acoshf", 4, [](X x) { return std::acosh(X(std::fabs(float(x)) + 1)); }},
      {"atanhf", 3, [](X x) { return std::atanh(X(float(x) / 101)); }},
      {"powf", 4, [](X x) { return std::pow(std::fabs(x), X(1.7F)); }},
      {"hypotf", 3, [](X x) { return std::hypot(x, 3.0L); }},
      {"fmodf", 0, [](X x) { return X(std::fmod(float(x), 0.7F)); }},
      {"erff", 2, [](X x) { return std::erf(X(float(x) * 0.1F)); }},
      {"erfcf", 4, [](X x) { return std::erfc(X(float(x) * 0.05F)); }},
      {"tgammaf", 5, [](X x) { return std::tgamma(X(std::fma(std::fabs(float(x)), 0.25F, 0.5F))); }},
      {"lgammaf", 6, [](X x) { return std::lgamma(X(std::fabs(float(x)) + 3)); }},
      {"expm1f", 1, [](X x) { return std::expm1(X(float(x) * 0.1F)); }},
      {"log1pf", 1, [](X x) { return std::log1p(std::fabs(x)); }},
      {"roundings", 0, rounds},
      {"sinf of a large number", 2, [](X x) { return std::sin(X(float(x) * 1e6F)); }}};
  const Buffer<float> in(made<float>(
      150, [](unsigned i) { return i % 2 == 0 ? real_number(i, -20, 20) : real_number(i, -1, 1); }));
  const Buffer<float> out(in.host().size() * std::size(columns));
  gpu.launch("math_float", {5}, {32}, 0, in, out, static_cast<int>(in.host().size()));
  hold(in.host(), out.read(), columns);
});
const Register math_double("math_double", "math_double", [](Gpu& gpu) {
  static const Column columns[] = {
      {"sin", 2, [](X x) { return std::sin(x); }},
      {"cos", 2, [](X x) { return std::cos(x); }},
      {"tan", 2, [](X x) { return std::tan(x); }},
      {"exp", 1, [](X x) { return std::exp(x); }},
      {"exp2", 1, [](X x) { return std::exp2(x); }},
      {"log", 1, [](X x) { return std::log(std::fabs(x)); }},
      {"log2", 1, [](X x) { return std::log2(std::fabs(x)); }},
      {"log10", 1, [](X x) { return std::log10(std::fabs(x)); }},
      {"sqrt", 0.01, [](X x) { return std::sqrt(std::fabs(x)); }},
      {"rsqrt", 1, [](X x) { return 1 / std::sqrt(std::fabs(x)); }},
      {"cbrt", 1, [](X x) { return std::cbrt(x); }},
      {"atan", 2, [](X x) { return std::atan(x); }},
      {"asin", 2, [](X x) { return std::asin(X(double(x) / 100)); }},
      {"acos", 2, [](X x) { return std::acos(X(double(x) / 100)); }},
      {"atan2", 2, [](X x) { return std::atan2(x, 2.5L); }},
      {"sinh", 2, [](X x) { return std::sinh(x); }},
      {"cosh", 2, [](X x) { return std::cosh(x); }},
      {"tanh", 2, [](X x) { return std::tanh(x * 0.125L); }},
      {"asinh", 3, [](X x) { return std::asinh(x); }},
      {"acosh", 3, [](X x) { return std::acosh(X(std::fabs(double(x)) + 1)); }},
      {"atanh", 2, [](X x) { return std::atanh(X(double(x) / 101)); }},
      {"pow", 2, [](X x) { return std::pow(std::fabs(x), X(1.7)); }},
      {"hypot", 2, [](X x) { return std::hypot(x, 3.0L); }},
      {"fmod", 0, [](X x) { return X(std::fmod(double(x), 0.7)); }},
      {"erf", 2, [](X x) { return std::erf(X(double(x) * 0.1)); }},
      {"erfc", 5, [](X x) { return std::erfc(X(double(x) * 0.05)); }},
      {"tgamma", 10, [](X x) { return std::tgamma(X(std::fma(std::fabs(double(x)), 0.25, 0.5))); }},
      {"lgamma", 4, [](X x) { return std::lgamma(X(std::fabs(double(x)) + 3)); }},
      {"expm1", 1, [](X x) { return std::expm1(X(double(x) * 0.1)); }},
      {"log1p", 1, [](X x) { return std::log1p(std::fabs(x)); }},
      {"roundings", 0, rounds},
      {"sin of a large number", 2, [](X x) { return std::sin(X(double(x) * 1e15)); }}};
  const Buffer<double> in(made<double>(
      150, [](unsigned i) { return i % 2 == 0 ? real_number(i, -20, 20) : real_number(i, -1, 1); }));
  const Buffer<double> out(in.host().size() * std::size(columns));
  gpu.launch("math_double", {5}, {32}, 0, in, out, static_cast<int>(in.host().size()));
  hold(in.host(), out.read(), columns);
});
const Register math_parts("math_parts", "math_parts", [](Gpu& gpu) {
  const Buffer<double> in(made<double>(80, [](unsigned i) { return real_number(i, -50, 50) + 0.001; })),
      out(12 * 80);
  gpu.launch("math_parts", {3}, {32}, 0, in, out, 80);
  std::vector<double> got = out.read(), expected;
  for (std::size_t i = 0; i < in.host().size(); ++i) {
    const double x = in.host()[i];
    int exponent = 0, quotient = 0;
    double whole = 0;
    for (int k = 0; k < 2; ++k) {
      const X exact = k == 0 ? std::sin(X(x)) : std::cos(X(x));
      if (!(units_apart(got[12 * i + k], exact) <= 2))
        wrong("sincos of " + shown(x) + " is " + shown(got[12 * i + k]));
      expected.push_back(got[12 * i + k]);
    }
    const double fraction = std::frexp(x, &exponent), rest = std::modf(x, &whole),
                 remainder = std::remquo(x, 0.3, &quotient);
    const double last = std::copysign(3.0, x) + std::fdim(x, 1.0) + std::fmax(x, 2.0) + std::fmin(x, 2.0) +
                        static_cast<double>(std::lround(x)) + std::ilogb(x);
    expected.insert(expected.end(), {fraction, double(exponent), rest, whole, remainder, double(quotient & 7),
                                     std::ldexp(x, 5), std::nextafter(x, 1000.0), std::fma(x, x, -x), last});
  }
  same(got, expected, "out");
});
const Register fast_math("fast_math", "fast_math", [](Gpu& gpu) {
  const Buffer<float> in(made<float>(100, [](unsigned i) { return real_number(i, -3, 3); })), out(800);
  gpu.launch("fast_math", {4}, {32}, 0, in, out, 100);
  const std::vector<float> got = out.read();
  for (std::size_t i = 0; i < 100; ++i) {
    const X x = in.host()[i];
    const X exact[] = {std::sin(x),      std::cos(x),           std::exp(x), std::log(x + 4),
                       std::log2(x + 4), std::pow(x + 4, 1.5L), x / 3,       std::clamp<X>(x, 0, 1)};
    for (int k = 0; k < 8; ++k)
      if (!(std::fabs(got[8 * i + k] - exact[k]) <= 2e-6 * std::max<X>(1, std::fabs(exact[k]))))
        wrong("column " + std::to_string(k) + " of " + shown(double(x)) + " is " + shown(got[8 * i + k]));
  }
});

// Rounds to the nearest number with so many bits, subnormal below 2^smallest.
double rounded_to(double x, int bits, int smallest, double largest) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  std::frexp(x, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent - bits, smallest - bits + 1));
  const double result = std::nearbyint(x / unit) * unit;
  return std::fabs(result) > largest ? std::copysign(HUGE_VAL, x) : result;
}
double half_of(double x) {
  return rounded_to(x, 11, -14, 65504);
}
double bfloat_of(double x) {
  return rounded_to(x, 8, -126, 3.3895313892515355e38);
}

const Register half_precision("half_precision", "half_precision", [](Gpu& gpu) {
  const int n = 200;
  const Buffer<float> a(made<float>(
      n, [](unsigned i) { return i % 7 == 0 ? real_number(i, -60000, 60000) : real_number(i, -8, 8); }));
  const Buffer<float> b(made<float>(n, [](unsigned i) {
    return i % 11 == 0 ? real_number(i + 99, -1e-5, 1e-5) : real_number(i + 99, -4, 4);
  }));
  const Buffer<float> out(8 * n);
  gpu.launch("half_precision", {2}, {128}, 0, a, b, out, n);
  std::vector<float> expected;
  for (int i = 0; i < n; ++i) {
    const double x = half_of(a.host()[i]), y = half_of(b.host()[i]);
    for (const double value : {half_of(x + y), half_of(x - y), half_of(x * y), half_of(x / y),
                               half_of(std::fma(x, y, x)), x < y ? 1.0 : 0.0, -x, std::rint(x)})
      expected.push_back(static_cast<float>(value));
  }
  same(out.read(), expected, "out");
});
// A half as its bits, for numbers that one can hold.
std::uint16_t half_bits(double x) {
  const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  if (x == 0) return sign;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(x), &exponent);
  if (exponent < -13)
    return static_cast<std::uint16_t>(sign | static_cast<unsigned>(std::ldexp(std::fabs(x), 24)));
  return static_cast<std::uint16_t>(sign | (exponent + 14) << 10 |
                                    (static_cast<unsigned>(std::ldexp(fraction, 11)) & 0x3ff));
}
const Register half_pairs("half_precision", "half_pairs", [](Gpu& gpu) {
  const unsigned n = 60;
  const auto x = [](unsigned i) { return half_of(real_number(i, -6, 6)); };
  const auto y = [](unsigned i) { return half_of(real_number(i + 777, -6, 6)); };
  const Buffer<std::uint16_t> a(made<std::uint16_t>(2 * n, [&](unsigned i) { return half_bits(x(i)); }));
  const Buffer<std::uint16_t> b(made<std::uint16_t>(2 * n, [&](unsigned i) { return half_bits(y(i)); })),
      out(2 * n);
  gpu.launch("half_pairs", {2}, {32}, 0, a, b, out, static_cast<int>(n));
  same(out.read(),
       made<std::uint16_t>(
           2 * n, [&](unsigned i) { return half_bits(half_of(std::fma(x(i), y(i), half_of(x(i) + y(i))))); }),
       "out");
});
// The lanes of `bits` bits of a word, lowest first.
std::vector<int> lanes_of(unsigned word, unsigned bits, bool is_signed) {
  std::vector<int> lanes;
  for (unsigned at = 0; at < 32; at += bits) {
    const int lane = static_cast<int>(word >> at & ((1U << bits) - 1));
    lanes.push_back(is_signed && (lane >> (bits - 1)) != 0 ? lane - (1 << bits) : lane);
  }
  return lanes;
}
const Register simd("simd", "simd", [](Gpu& gpu) {
  const int n = 300;
  const Buffer<unsigned> a(made<unsigned>(n, word)),
      b(made<unsigned>(n, [](unsigned i) { return i == 0 ? 0x80008000U : word(7 * i + 5); })), out(6 * n);
  gpu.launch("simd", {3}, {128}, 0, a, b, out, n);
  std::vector<unsigned> expected;
  for (int i = 0; i < n; ++i) {
    const auto differences = [&](unsigned bits, bool is_signed, bool summed) {
      const std::vector<int> x = lanes_of(a.host()[i], bits, is_signed),
                             y = lanes_of(b.host()[i], bits, is_signed);
      unsigned result = 0;
      for (unsigned at = 0; at < x.size(); ++at)
        result += static_cast<unsigned>(std::abs(x[at] - y[at])) << (summed ? 0 : at * bits);
      expected.push_back(result);
    };
    differences(8, true, false);
    differences(16, false, false);
    differences(16, true, true);
    differences(8, false, true);
    unsigned saturated = 0, wrapped = 0;
    const std::vector<int> bytes = lanes_of(a.host()[i], 8, true), halves = lanes_of(b.host()[i], 16, true);
    for (unsigned at = 0; at < 4; ++at)
      saturated |= static_cast<unsigned>(std::min(std::abs(bytes[at]), 127)) << 8 * at;
    for (unsigned at = 0; at < 2; ++at) wrapped |= static_cast<unsigned>(std::abs(halves[at])) << 16 * at;
    expected.push_back(saturated);
    expected.push_back(wrapped);
  }
  same(out.read(), expected, "out");
});

const Register bfloat("bfloat", "bfloat", [](Gpu& gpu) {
  const int n = 100;
  const Buffer<float> a(made<float>(n, [](unsigned i) { return real_number(i, -1e6, 1e6); }));
  const Buffer<float> b(made<float>(n, [](unsigned i) { return real_number(i + 31, -30, 30); })), out(5 * n);
  gpu.launch("bfloat", {1}, {128}, 0, a, b, out, n);
  std::vector<float> expected;
  for (int i = 0; i < n; ++i) {
    const double x = bfloat_of(a.host()[i]), y = bfloat_of(b.host()[i]);
    for (const double value : {x, bfloat_of(x + y), bfloat_of(x * y), bfloat_of(x * y - x), std::max(x, y)})
      expected.push_back(static_cast<float>(value));
  }
  same(out.read(), expected, "out");
});

}  // namespace
