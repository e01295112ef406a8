// SPDX-License-Identifier: MIT
// Integer arithmetic of the manual's chapters "Integer Arithmetic Instructions" and "Extended-Precision
// Integer Arithmetic Instructions".
#include <algorithm>

#include "operation.hpp"

namespace ptx_random {
namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

constexpr Kind kIntegers[] = {Kind::U16, Kind::S16, Kind::U32, Kind::S32, Kind::U64, Kind::S64};

// The number that the bits represent.
Wide number(Kind kind, u64 bits) {
  return is_signed(kind) ? Wide{sign_extended(kind, bits)} : static_cast<Wide>(truncated(kind, bits));
}

u64 low(Kind kind, Wide value) {
  return truncated(kind, static_cast<u64>(static_cast<UnsignedWide>(value)));
}

u64 saturated(Kind kind, Wide value) {
  const unsigned bits = width_of(kind);
  const Wide most = is_signed(kind) ? (Wide{1} << (bits - 1)) - 1 : (Wide{1} << bits) - 1;
  const Wide least = is_signed(kind) ? -most - 1 : 0;
  return low(kind, std::min(std::max(value, least), most));
}

Kind doubled(Kind kind) {
  return static_cast<Kind>(static_cast<unsigned>(kind) + 2);
}

using Calculate = Wide (*)(Kind kind, const Wide* numbers);

// name.type with as many operands as given, all of the type; the low bits of what is calculated.
void add(std::vector<Operation>& all, const std::string& name, Kind kind, unsigned operands,
         Calculate calculate, int immediate = -1) {
  static constexpr const char* lists[] = {"", "$a", "$a, $b", "$a, $b, $c"};
  Operation operation;
  operation.text = name + "." + type_name(kind) + " $d, " + lists[operands] + ";";
  operation.result = kind;
  operation.operands.assign(operands, kind);
  operation.immediate = immediate;
  operation.reference = [=](const u64* in) {
    Wide numbers[3] = {};
    for (unsigned i = 0; i < operands; ++i) numbers[i] = number(kind, in[i]);
    return exactly(low(kind, calculate(kind, numbers)));
  };
  all.push_back(operation);
}

// What has no result that the manual names gives anything.
void add_division(std::vector<Operation>& all, Kind kind) {
  for (const bool remainder : {false, true}) {
    Operation operation;
    operation.text = std::string(remainder ? "rem." : "div.") + type_name(kind) + " $d, $a, $b;";
    operation.result = kind;
    operation.operands = {kind, kind};
    operation.immediate = 1;
    operation.reference = [=](const u64* in) {
      const Wide a = number(kind, in[0]), b = number(kind, in[1]);
      if (b == 0) return anything();
      return exactly(low(kind, remainder ? a % b : a / b));
    };
    all.push_back(operation);
  }
}

void add_simple(std::vector<Operation>& all) {
  for (const Kind kind : kIntegers) {
    add(all, "add", kind, 2, [](Kind, const Wide* n) { return n[0] + n[1]; }, 1);
    add(all, "sub", kind, 2, [](Kind, const Wide* n) { return n[0] - n[1]; }, 1);
    add(all, "min", kind, 2, [](Kind, const Wide* n) { return std::min(n[0], n[1]); }, 1);
    add(all, "max", kind, 2, [](Kind, const Wide* n) { return std::max(n[0], n[1]); }, 0);
    add(all, "sad", kind, 3,
        [](Kind, const Wide* n) { return n[2] + (n[0] < n[1] ? n[1] - n[0] : n[0] - n[1]); });
    add_division(all, kind);
    if (!is_signed(kind)) continue;
    add(all, "neg", kind, 1, [](Kind, const Wide* n) { return -n[0]; });
    add(all, "abs", kind, 1, [](Kind, const Wide* n) { return n[0] < 0 ? -n[0] : n[0]; });
  }
  for (const bool subtract : {false, true}) {
    Operation operation;
    operation.text = std::string(subtract ? "sub" : "add") + ".sat.s32 $d, $a, $b;";
    operation.result = Kind::S32;
    operation.operands = {Kind::S32, Kind::S32};
    operation.immediate = 1;
    operation.reference = [=](const u64* in) {
      const Wide a = number(Kind::S32, in[0]), b = number(Kind::S32, in[1]);
      return exactly(saturated(Kind::S32, subtract ? a - b : a + b));
    };
    all.push_back(operation);
  }
}

// mul and mad in their three halves.
void add_products(std::vector<Operation>& all) {
  for (const Kind kind : kIntegers) {
    for (const std::string half : {"lo", "hi", "wide"}) {
      const bool wide = half == "wide", hi = half == "hi";
      if (wide && width_of(kind) == 64) continue;
      for (const bool sum : {false, true}) {
        const Kind result = wide ? doubled(kind) : kind;
        Operation operation;
        operation.text = std::string(sum ? "mad." : "mul.") + half + "." + type_name(kind) +
                         (sum ? " $d, $a, $b, $c;" : " $d, $a, $b;");
        operation.result = result;
        operation.operands = {kind, kind};
        if (sum) operation.operands.push_back(result);
        operation.immediate = 1;
        operation.reference = [=](const u64* in) {
          const unsigned shift = hi ? width_of(kind) : 0;
          // 64 bits unsigned need all 128 of a product.
          const u64 product = is_signed(kind)
                                  ? static_cast<u64>((number(kind, in[0]) * number(kind, in[1])) >> shift)
                                  : static_cast<u64>((static_cast<UnsignedWide>(in[0]) * in[1]) >> shift);
          return exactly(truncated(result, product + (sum ? in[2] : 0)));
        };
        all.push_back(operation);
      }
    }
  }
  Operation saturating;
  saturating.text = "mad.hi.sat.s32 $d, $a, $b, $c;";
  saturating.result = Kind::S32;
  saturating.operands = {Kind::S32, Kind::S32, Kind::S32};
  saturating.reference = [](const u64* in) {
    const Wide product = number(Kind::S32, in[0]) * number(Kind::S32, in[1]);
    return exactly(saturated(Kind::S32, (product >> 32) + number(Kind::S32, in[2])));
  };
  all.push_back(saturating);
}

i64 low24(Kind kind, u64 bits) {
  const i64 shifted = static_cast<i64>(bits << 40);
  return is_signed(kind) ? shifted >> 40 : static_cast<i64>(bits & 0xffffff);
}

void add_products_of_24_bits(std::vector<Operation>& all) {
  for (const Kind kind : {Kind::U32, Kind::S32}) {
    for (const std::string half : {"lo", "hi"}) {
      const auto product = [=](const u64* in) {
        const i64 whole = low24(kind, in[0]) * low24(kind, in[1]);
        return truncated(kind, static_cast<u64>(half == "hi" ? whole >> 16 : whole));
      };
      Operation operation;
      operation.text = "mul24." + half + "." + type_name(kind) + " $d, $a, $b;";
      operation.result = kind;
      operation.operands = {kind, kind};
      operation.reference = [=](const u64* in) { return exactly(product(in)); };
      all.push_back(operation);
      operation.text = "mad24." + half + "." + type_name(kind) + " $d, $a, $b, $c;";
      operation.operands.push_back(kind);
      operation.reference = [=](const u64* in) { return exactly(truncated(kind, product(in) + in[2])); };
      all.push_back(operation);
    }
  }
  Operation saturating;
  saturating.text = "mad24.hi.sat.s32 $d, $a, $b, $c;";
  saturating.result = Kind::S32;
  saturating.operands = {Kind::S32, Kind::S32, Kind::S32};
  saturating.reference = [](const u64* in) {
    const i64 product = (low24(Kind::S32, in[0]) * low24(Kind::S32, in[1])) >> 16;
    return exactly(saturated(Kind::S32, Wide{product} + number(Kind::S32, in[2])));
  };
  all.push_back(saturating);
}

void add_dot_products(std::vector<Operation>& all) {
  const auto part = [](Kind kind, u64 bits, unsigned at, unsigned size) {
    const i64 shifted = static_cast<i64>(bits << (64 - at - size));
    return is_signed(kind) ? shifted >> (64 - size)
                           : static_cast<i64>(static_cast<u64>(shifted) >> (64 - size));
  };
  for (const Kind first : {Kind::U32, Kind::S32}) {
    for (const Kind second : {Kind::U32, Kind::S32}) {
      const bool any_signed = is_signed(first) || is_signed(second);
      const std::string types = "." + type_name(first) + "." + type_name(second) + " $d, $a, $b, $c;";
      Operation operation;
      operation.result = any_signed ? Kind::S32 : Kind::U32;
      operation.operands = {first, second, operation.result};
      operation.text = "dp4a" + types;
      operation.reference = [=](const u64* in) {
        i64 sum = static_cast<i64>(in[2]);
        for (unsigned i = 0; i < 4; ++i) sum += part(first, in[0], 8 * i, 8) * part(second, in[1], 8 * i, 8);
        return exactly(truncated(Kind::U32, static_cast<u64>(sum)));
      };
      all.push_back(operation);
      for (const bool hi : {false, true}) {
        operation.text = std::string("dp2a.") + (hi ? "hi" : "lo") + types;
        operation.reference = [=](const u64* in) {
          i64 sum = static_cast<i64>(in[2]);
          for (unsigned i = 0; i < 2; ++i)
            sum += part(first, in[0], 16 * i, 16) * part(second, in[1], (hi ? 16 : 0) + 8 * i, 8);
          return exactly(truncated(Kind::U32, static_cast<u64>(sum)));
        };
        all.push_back(operation);
      }
    }
  }
}

// Two instructions that pass on a carry: the upper half of a sum, a difference, a product and sum.
void add_carries(std::vector<Operation>& all) {
  for (const Kind kind : {Kind::U32, Kind::S32, Kind::U64, Kind::S64}) {
    const std::string type = "." + type_name(kind);
    const unsigned bits = width_of(kind);
    const auto joined = [=](u64 high, u64 low_half) {
      return (static_cast<UnsignedWide>(high) << bits) | low_half;
    };
    Operation operation;
    operation.statements = 2;
    operation.result = kind;
    operation.operands = {kind, kind, kind, kind};
    operation.text = "add.cc" + type + " $t, $a, $b;\n  addc" + type + " $d, $c, $e;";
    operation.reference = [=](const u64* in) {
      return exactly(
          truncated(kind, static_cast<u64>((joined(in[2], in[0]) + joined(in[3], in[1])) >> bits)));
    };
    all.push_back(operation);
    operation.text = "sub.cc" + type + " $t, $a, $b;\n  subc" + type + " $d, $c, $e;";
    operation.reference = [=](const u64* in) {
      return exactly(
          truncated(kind, static_cast<u64>((joined(in[2], in[0]) - joined(in[3], in[1])) >> bits)));
    };
    all.push_back(operation);
    // $a * $b, both halves, and $c below $e.
    operation.statements = 2;
    operation.text = "mad.lo.cc" + type + " $t, $a, $b, $c;\n  madc.hi" + type + " $d, $a, $b, $e;";
    operation.reference = [=](const u64* in) {
      const u64 low_half = truncated(kind, in[0] * in[1]);
      const u64 high = is_signed(kind) ? static_cast<u64>((number(kind, in[0]) * number(kind, in[1])) >> bits)
                                       : static_cast<u64>((static_cast<UnsignedWide>(in[0]) * in[1]) >> bits);
      const u64 carry = static_cast<u64>((static_cast<UnsignedWide>(low_half) + in[2]) >> bits);
      return exactly(truncated(kind, high + in[3] + carry));
    };
    all.push_back(operation);
    // A carry that is passed on twice.
    operation.statements = 3;
    operation.text =
        "add.cc" + type + " $t, $a, $b;\n  addc.cc" + type + " $u, $c, $e;\n  addc" + type + " $d, 0, 0;";
    operation.reference = [=](const u64* in) {
      const UnsignedWide carry = (static_cast<UnsignedWide>(in[0]) + in[1]) >> bits;
      return exactly(static_cast<u64>((static_cast<UnsignedWide>(in[2]) + in[3] + carry) >> bits));
    };
    all.push_back(operation);
  }
}

}  // namespace

std::vector<Operation> integer_operations() {
  std::vector<Operation> all;
  add_simple(all);
  add_products(all);
  add_products_of_24_bits(all);
  add_dot_products(all);
  add_carries(all);
  return all;
}

}  // namespace ptx_random
