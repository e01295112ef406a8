// SPDX-License-Identifier: MIT
// setp and set over every type and comparison, with and without a second predicate; choices by a float's
// sign.
#include <iterator>
#include <span>
#include <utility>

#include "numbers.hpp"

namespace ptx_random {
namespace {

struct Comparison {
  const char* name;
  bool less, equal, greater, unordered;
};
constexpr Comparison kOrdered[] = {{"eq", false, true, false, false}, {"ne", true, false, true, false},
                                   {"lt", true, false, false, false}, {"le", true, true, false, false},
                                   {"gt", false, false, true, false}, {"ge", false, true, true, false}};
constexpr Comparison kUnsigned[] = {{"lo", true, false, false, false},
                                    {"ls", true, true, false, false},
                                    {"hi", false, false, true, false},
                                    {"hs", false, true, true, false}};
constexpr Comparison kUnordered[] = {{"equ", false, true, false, true}, {"neu", true, false, true, true},
                                     {"ltu", true, false, false, true}, {"leu", true, true, false, true},
                                     {"gtu", false, false, true, true}, {"geu", false, true, true, true},
                                     {"num", true, true, true, false},  {"nan", false, false, false, true}};

bool holds(const Comparison& comparison, Kind kind, bool flush, u64 a, u64 b) {
  if (!is_float(kind)) {
    const bool less = is_signed(kind) ? sign_extended(kind, a) < sign_extended(kind, b) : a < b;
    return less ? comparison.less : a == b ? comparison.equal : comparison.greater;
  }
  if (is_nan(kind, a) || is_nan(kind, b)) return comparison.unordered;
  const long double x = value_of(kind, flush ? without_subnormal(kind, a) : a);
  const long double y = value_of(kind, flush ? without_subnormal(kind, b) : b);
  return x < y ? comparison.less : x == y ? comparison.equal : comparison.greater;
}

bool combined(unsigned how, bool a, bool b) {
  return how == 1 ? a && b : how == 2 ? a || b : how == 3 ? a != b : a;
}
constexpr const char* kCombinations[] = {"", ".and", ".or", ".xor"};

void add_setp(std::vector<Operation>& all, const Comparison& comparison, Kind kind, const std::string& type,
              bool flush, unsigned how) {
  const bool small = kind == Kind::F16 || kind == Kind::Bf16;  // these have one result only
  Operation operation;
  const std::string name =
      std::string("setp.") + comparison.name + kCombinations[how] + (flush ? ".ftz" : "") + type;
  operation.text = name + (how == 0             ? " $d, $a, $b;"
                           : how == 1 && !small ? " $d|$t, $a, $b, !$c;"
                                                : " $d, $a, $b, $c;");
  operation.result = Kind::Pred;
  operation.operands = {kind, kind};
  if (how != 0) operation.operands.push_back(Kind::Pred);
  if (!small) operation.immediate = 1;
  operation.reference = [=](const u64* in) {
    const bool with = how == 1 && !small ? in[2] == 0 : in[2] != 0;
    return exactly(combined(how, holds(comparison, kind, flush, in[0], in[1]), how != 0 && with) ? 1 : 0);
  };
  all.push_back(operation);
  if (how == 0 || small) return;
  // The second result: of the opposite comparison.
  operation.text = name + " $t|$d, $a, $b, $c;";
  operation.reference = [=](const u64* in) {
    return exactly(combined(how, !holds(comparison, kind, flush, in[0], in[1]), in[2] != 0) ? 1 : 0);
  };
  all.push_back(std::move(operation));
}

void add_set(std::vector<Operation>& all, const Comparison& comparison, Kind kind, const std::string& type,
             bool flush) {
  for (const Kind result : {Kind::U32, Kind::S32, Kind::F32}) {
    const u64 yes = result == Kind::F32 ? 0x3f800000 : 0xffffffff;
    Operation operation;
    const std::string name = std::string("set.") + comparison.name;
    const std::string types = (flush ? ".ftz." : ".") + type_name(result) + type;
    operation.text = name + types + " $d, $a, $b;";
    operation.result = result;
    operation.operands = {kind, kind};
    operation.reference = [=](const u64* in) {
      return exactly(holds(comparison, kind, flush, in[0], in[1]) ? yes : 0);
    };
    all.push_back(operation);
    if (result != Kind::U32) continue;
    operation.text = name + ".and" + types + " $d, $a, $b, $c;";
    operation.operands.push_back(Kind::Pred);
    operation.reference = [=](const u64* in) {
      return exactly(in[2] != 0 && holds(comparison, kind, flush, in[0], in[1]) ? yes : 0);
    };
    all.push_back(std::move(operation));
  }
}

void add_type(std::vector<Operation>& all, Kind kind, const std::string& type, bool flush) {
  const auto add_all = [&](std::span<const Comparison> comparisons) {
    for (std::size_t i = 0; i < comparisons.size(); ++i) {
      add_setp(all, comparisons[i], kind, type, flush, 0);
      add_setp(all, comparisons[i], kind, type, flush, 1 + static_cast<unsigned>(i) % 3);
      if (width_of(kind) > 16) add_set(all, comparisons[i], kind, type, flush);
    }
  };
  const bool bits = type[1] == 'b' && !is_float(kind);
  add_all(std::span(kOrdered).first(bits ? 2 : std::size(kOrdered)));
  if (is_float(kind)) add_all(kUnordered);
  if (!is_float(kind) && !is_signed(kind) && !bits) add_all(kUnsigned);
}

// Pairs: a half that holds becomes 1 or all ones, and the other 0; or a predicate for each.
void add_pairs(std::vector<Operation>& all, const Comparison& comparison, Kind kind, bool flush) {
  const Kind half = half_of(kind);
  const u64 one = half == Kind::F16 ? 0x3c00 : 0x3f80;
  const std::string how = std::string(comparison.name) + (flush ? ".ftz." : ".");
  Operation operation;
  operation.text = "set." + how + type_name(kind) + "." + type_name(kind) + " $d, $a, $b;";
  operation.result = kind;
  operation.operands = {kind, kind};
  operation.reference = [=](const u64* in) {
    return exactly(holds(comparison, half, flush, in[0], in[1]) ? one : 0);
  };
  all.push_back(operation);
  operation.result = Kind::Pred;
  for (const unsigned upper : {0U, 16U}) {
    operation.text = "setp." + how + type_name(kind) + (upper == 0 ? " $d|$t, $a, $b;" : " $t|$d, $a, $b;");
    operation.reference = [=](const u64* in) {
      return exactly(
          holds(comparison, half, flush, (in[0] >> upper) & 0xffff, (in[1] >> upper) & 0xffff) ? 1 : 0);
    };
    all.push_back(operation);
  }
}

// One half, set in the types that only it has.
void add_halves(std::vector<Operation>& all, const Comparison& comparison, Kind kind, bool flush) {
  const auto add = [&](Kind result, u64 one) {
    Operation operation;
    operation.text = std::string("set.") + comparison.name + (flush ? ".ftz." : ".") + type_name(result) +
                     "." + type_name(kind) + " $d, $a, $b;";
    operation.result = result;
    operation.operands = {kind, kind};
    operation.reference = [=](const u64* in) {
      return exactly(holds(comparison, kind, flush, in[0], in[1]) ? one : 0);
    };
    all.push_back(std::move(operation));
  };
  add(kind, kind == Kind::F16 ? 0x3c00 : 0x3f80);
  add(Kind::U16, 0xffff);
  add(Kind::S32, 0xffffffff);
}

void add_small(std::vector<Operation>& all) {
  const auto add = [&](const Comparison& comparison) {
    for (const Kind kind : {Kind::F16, Kind::Bf16}) {
      for (const bool flush : {false, true}) {
        if (flush && kind == Kind::Bf16) continue;
        add_halves(all, comparison, kind, flush);
        add_pairs(all, comparison, kind == Kind::F16 ? Kind::F16x2 : Kind::Bf16x2, flush);
      }
    }
  };
  for (const Comparison& comparison : kOrdered) add(comparison);
  for (const Comparison& comparison : kUnordered) add(comparison);
}

// slct by a float: NaN chooses the second, a zero of any sign the first.
void add_slct(std::vector<Operation>& all) {
  for (const bool flush : {false, true}) {
    for (const Kind kind : {Kind::U32, Kind::F32, Kind::F64, Kind::S64}) {
      Operation operation;
      operation.text =
          std::string("slct") + (flush ? ".ftz." : ".") + type_name(kind) + ".f32 $d, $a, $b, $c;";
      operation.result = kind;
      operation.operands = {kind, kind, Kind::F32};
      operation.reference = [=](const u64* in) {
        const u64 sign = flush ? without_subnormal(Kind::F32, in[2]) : in[2];
        const bool first = !is_nan(Kind::F32, sign) && value_of(Kind::F32, sign) >= 0;
        return exactly(first ? in[0] : in[1]);
      };
      all.push_back(std::move(operation));
    }
  }
}

}  // namespace

std::vector<Operation> comparisons() {
  std::vector<Operation> all;
  for (const Kind kind : {Kind::U16, Kind::S16, Kind::U32, Kind::S32, Kind::U64, Kind::S64})
    add_type(all, kind, "." + type_name(kind), false);
  for (const Kind kind : {Kind::U16, Kind::U32, Kind::U64})
    add_type(all, kind, ".b" + std::to_string(width_of(kind)), false);
  for (const Kind kind : {Kind::F32, Kind::F64, Kind::F16, Kind::Bf16})
    add_type(all, kind, "." + type_name(kind), false);
  add_type(all, Kind::F32, ".f32", true);
  add_type(all, Kind::F16, ".f16", true);
  add_small(all);
  add_slct(all);
  return all;
}

}  // namespace ptx_random
