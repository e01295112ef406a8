// SPDX-License-Identifier: MIT
// Kinds of operands, and whether a result is what was expected.
#include "operation.hpp"

#include <cmath>
#include <cstdio>
#include <string_view>

#include "numbers.hpp"

namespace ptx_random {

unsigned width_of(Kind kind) {
  switch (kind) {
    case Kind::Pred:
      return 1;
    case Kind::U16:
    case Kind::S16:
    case Kind::F16:
    case Kind::Bf16:
      return 16;
    case Kind::U64:
    case Kind::S64:
    case Kind::F64:
      return 64;
    default:
      return 32;
  }
}

bool is_signed(Kind kind) {
  return kind == Kind::S16 || kind == Kind::S32 || kind == Kind::S64;
}
bool is_pair(Kind kind) {
  return kind == Kind::F16x2 || kind == Kind::Bf16x2;
}
bool is_float(Kind kind) {
  return kind == Kind::F16 || kind == Kind::Bf16 || kind == Kind::F32 || kind == Kind::F64;
}
Kind half_of(Kind pair) {
  return pair == Kind::F16x2 ? Kind::F16 : pair == Kind::Bf16x2 ? Kind::Bf16 : pair;
}

std::string type_name(Kind kind) {
  static constexpr const char* names[] = {"pred", "u16",  "s16",   "u32",    "s32", "u64", "s64",
                                          "f16",  "bf16", "f16x2", "bf16x2", "f32", "f64"};
  return names[static_cast<unsigned>(kind)];
}

u64 truncated(Kind kind, u64 bits) {
  const unsigned width = width_of(kind);
  return width == 64 ? bits : bits & ((u64{1} << width) - 1);
}

i64 sign_extended(Kind kind, u64 bits) {
  const unsigned unused = 64 - width_of(kind);
  return static_cast<i64>(bits << unused) >> unused;
}

Expected exactly(u64 bits) {
  Expected expected;
  expected.bits = bits;
  return expected;
}

Expected of_form(Expected::Form form) {
  Expected expected;
  expected.form = form;
  return expected;
}

Expected anything() {
  return of_form(Expected::Form::Anything);
}

bool accepts(Kind kind, const Expected& expected, u64 bits) {
  switch (expected.form) {
    case Expected::Form::Exact:
      return bits == expected.bits;
    case Expected::Form::Either:
      return bits == expected.bits || bits == expected.other;
    case Expected::Form::Zero:
      return (bits & ~sign_of(kind)) == 0;
    case Expected::Form::Nan:
      return is_nan(kind, bits);
    case Expected::Form::Near: {
      if (is_nan(kind, bits)) return expected.nan_too;
      if (expected.zero_too && (bits & ~sign_of(kind)) == 0) return true;
      const long double value = value_of(kind, bits);
      return expected.low <= value && value <= expected.high;
    }
    case Expected::Form::Anything:
      return true;
  }
  return false;
}

int target_of(const Operation& operation) {
  const std::string_view text = operation.text;
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  const std::string_view root = text.substr(0, text.find('.'));
  if (has("bf16")) {
    if (root == "cvt") return has(".f32") ? 80 : 90;
    if (root != "fma" && root != "min" && root != "max" && root != "neg" && root != "abs") return 90;
  }
  return has(".xorsign") ? 86 : 80;
}

namespace {

// One half of each operand of a pair. Two numbers that become a pair: the first is the upper half.
void take_half(const Operation& operation, const u64* operands, unsigned half, u64* taken) {
  if (!is_pair(operation.operands[0])) {
    taken[0] = operands[half == 1 ? 0 : 1];
    return;
  }
  for (std::size_t i = 0; i < operation.operands.size(); ++i)
    taken[i] = is_pair(operation.operands[i]) ? (operands[i] >> (16 * half)) & 0xffff : operands[i];
}

std::string told(const Expected& expected) {
  char text[120];
  switch (expected.form) {
    case Expected::Form::Exact:
      std::snprintf(text, sizeof text, "%#llx", static_cast<unsigned long long>(expected.bits));
      return text;
    case Expected::Form::Either:
      std::snprintf(text, sizeof text, "%#llx or %#llx", static_cast<unsigned long long>(expected.bits),
                    static_cast<unsigned long long>(expected.other));
      return text;
    case Expected::Form::Zero:
      return "a zero";
    case Expected::Form::Nan:
      return "a NaN";
    case Expected::Form::Near:
      std::snprintf(text, sizeof text, "%.12Lg to %.12Lg%s%s", expected.low, expected.high,
                    expected.zero_too ? ", or zero" : "", expected.nan_too ? ", or NaN" : "");
      return text;
    case Expected::Form::Anything:
      break;
  }
  return "anything";
}

}  // namespace

bool accepts(const Operation& operation, const u64* operands, u64 bits) {
  if (!is_pair(operation.result)) return accepts(operation.result, operation.reference(operands), bits);
  for (unsigned half = 0; half < 2; ++half) {
    u64 taken[5] = {};
    take_half(operation, operands, half, taken);
    if (!accepts(half_of(operation.result), operation.reference(taken), (bits >> (16 * half)) & 0xffff))
      return false;
  }
  return true;
}

std::string expectation(const Operation& operation, const u64* operands) {
  if (!is_pair(operation.result)) return told(operation.reference(operands));
  u64 low[5] = {}, high[5] = {};
  take_half(operation, operands, 0, low);
  take_half(operation, operands, 1, high);
  return told(operation.reference(low)) + " below " + told(operation.reference(high));
}

}  // namespace ptx_random
