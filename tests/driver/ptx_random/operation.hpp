// SPDX-License-Identifier: MIT
// An operation of PTX for the random test: how it is written, and what it must give.
//
// Expected values come from the manual "Parallel Thread Execution ISA", computed with plain C++ for integers
// and with MPFR for everything that rounds; nothing of the driver is used, because it is what is tested.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ptx_random {

using u64 = std::uint64_t;
using i64 = std::int64_t;

// How the bits of an operand are to be read; registers have widths only.
enum class Kind : std::uint8_t { Pred, U16, S16, U32, S32, U64, S64, F16, Bf16, F16x2, Bf16x2, F32, F64 };
unsigned width_of(Kind kind);  // in bits; a predicate has 1
bool is_signed(Kind kind);
bool is_float(Kind kind);
bool is_pair(Kind kind);  // two numbers of 16 bits
Kind half_of(Kind pair);
std::string type_name(Kind kind);  // "s32"

// What one number of a result may be.
struct Expected {
  enum class Form : std::uint8_t { Exact, Either, Zero, Nan, Near, Anything };
  Form form = Form::Exact;
  u64 bits = 0, other = 0;        // Exact, Either
  long double low = 0, high = 0;  // Near: a number in between
  bool zero_too = false;          // Near: flushed, or given up as the manual allows
  bool nan_too = false;           // Near
};
Expected exactly(u64 bits);
Expected anything();
Expected of_form(Expected::Form form);

struct Operation {
  // "add.s32 $d, $a, $b;": $d is the result, $a to $e are operands, $t and $u registers as wide as the
  // result.
  std::string text;
  Kind result = Kind::U32;
  std::vector<Kind> operands;
  // The operands' bits, zero above their width; for pairs it is called for the low half and for the high.
  std::function<Expected(const u64* operands)> reference;
  u64 immediate_mask = ~u64{0};    // of what it may be
  u64 immediate_counts = ~u64{0};  // of what counts of it
  int immediate = -1;              // the operand that may be a number in the text; -1: none
  unsigned statements = 1;
};

bool accepts(Kind kind, const Expected& expected, u64 bits);
// A single number or a pair.
bool accepts(const Operation& operation, const u64* operands, u64 bits);
std::string expectation(const Operation& operation, const u64* operands);

// The least .target that has it, as 10 * major + minor; 80 for what is older.
int target_of(const Operation& operation);

std::vector<Operation> integer_operations();
std::vector<Operation> bit_operations();
std::vector<Operation> float_operations();
std::vector<Operation> approximate_operations();
std::vector<Operation> conversions();
std::vector<Operation> comparisons();

i64 sign_extended(Kind kind, u64 bits);
u64 truncated(Kind kind, u64 bits);

}  // namespace ptx_random
