// SPDX-License-Identifier: MIT
// Operations on bits: logic, shifts, fields, permutations.
#include <algorithm>
#include <utility>

#include "operation.hpp"

namespace ptx_random {
namespace {

constexpr Kind kWords[] = {Kind::U16, Kind::U32, Kind::U64};

std::string bits_of(Kind kind) {
  return ".b" + std::to_string(width_of(kind));
}

void add(std::vector<Operation>& all, std::string text, Kind result, std::vector<Kind> operands,
         std::function<u64(const u64*)> calculate, int immediate = -1) {
  Operation operation;
  operation.text = std::move(text);
  operation.result = result;
  operation.operands = std::move(operands);
  operation.immediate = immediate;
  operation.reference = [calculate = std::move(calculate), result](const u64* in) {
    return exactly(truncated(result, calculate(in)));
  };
  all.push_back(std::move(operation));
}

void add_logic(std::vector<Operation>& all) {
  for (const Kind kind : {Kind::Pred, Kind::U16, Kind::U32, Kind::U64}) {
    const std::string type = kind == Kind::Pred ? ".pred" : bits_of(kind);
    const int immediate = kind == Kind::Pred ? -1 : 1;
    add(
        all, "and" + type + " $d, $a, $b;", kind, {kind, kind}, [](const u64* in) { return in[0] & in[1]; },
        immediate);
    add(
        all, "or" + type + " $d, $a, $b;", kind, {kind, kind}, [](const u64* in) { return in[0] | in[1]; },
        immediate);
    add(
        all, "xor" + type + " $d, $a, $b;", kind, {kind, kind}, [](const u64* in) { return in[0] ^ in[1]; },
        immediate);
    add(all, "not" + type + " $d, $a;", kind, {kind}, [](const u64* in) { return ~in[0]; });
    if (kind != Kind::Pred)
      add(all, "cnot" + type + " $d, $a;", kind, {kind}, [](const u64* in) { return in[0] == 0 ? 1 : 0; });
  }
  for (const unsigned table : {0x00U, 0x01U, 0x1bU, 0x80U, 0x96U, 0xcaU, 0xe8U, 0xfeU, 0xffU}) {
    add(all, "lop3.b32 $d, $a, $b, $c, " + std::to_string(table) + ";", Kind::U32,
        {Kind::U32, Kind::U32, Kind::U32}, [=](const u64* in) {
          u64 result = 0;
          for (unsigned i = 0; i < 32; ++i) {
            const u64 row = ((in[0] >> i) & 1) * 4 + ((in[1] >> i) & 1) * 2 + ((in[2] >> i) & 1);
            result |= ((u64{table} >> row) & 1) << i;
          }
          return result;
        });
  }
}

void add_shifts(std::vector<Operation>& all) {
  for (const Kind kind : kWords) {
    const unsigned width = width_of(kind);
    const std::size_t first = all.size();
    add(
        all, "shl" + bits_of(kind) + " $d, $a, $b;", kind, {kind, Kind::U32},
        [=](const u64* in) { return in[1] >= width ? 0 : in[0] << in[1]; }, 1);
    add(
        all, "shr" + bits_of(kind) + " $d, $a, $b;", kind, {kind, Kind::U32},
        [=](const u64* in) { return in[1] >= width ? 0 : in[0] >> in[1]; }, 1);
    add(
        all, "shr.u" + std::to_string(width) + " $d, $a, $b;", kind, {kind, Kind::U32},
        [=](const u64* in) { return in[1] >= width ? 0 : in[0] >> in[1]; }, 1);
    add(
        all, "shr.s" + std::to_string(width) + " $d, $a, $b;", kind, {kind, Kind::U32},
        [=](const u64* in) {
          const i64 value = static_cast<i64>(in[0] << (64 - width)) >> (64 - width);
          return static_cast<u64>(value >> std::min<u64>(in[1], 63));
        },
        1);
    // In the text an amount for 16 bits counts by its own low 16 bits (measured).
    if (width != 16) continue;
    for (std::size_t i = first; i < all.size(); ++i) all[i].immediate_counts = 0xffff;
  }
  for (const bool clamp : {false, true}) {
    const std::string mode = clamp ? "clamp" : "wrap";
    const auto amount = [=](u64 c) { return clamp ? std::min<u64>(c, 32) : c & 31; };
    add(
        all, "shf.l." + mode + ".b32 $d, $a, $b, $c;", Kind::U32, {Kind::U32, Kind::U32, Kind::U32},
        [=](const u64* in) {
          const u64 n = amount(in[2]);
          return n == 0 ? in[1] : n == 32 ? in[0] : (in[1] << n) | (in[0] >> (32 - n));
        },
        2);
    add(
        all, "shf.r." + mode + ".b32 $d, $a, $b, $c;", Kind::U32, {Kind::U32, Kind::U32, Kind::U32},
        [=](const u64* in) {
          const u64 n = amount(in[2]);
          return n == 0 ? in[0] : n == 32 ? in[1] : (in[1] << (32 - n)) | (in[0] >> n);
        },
        2);
  }
}

void add_counts(std::vector<Operation>& all) {
  for (const Kind kind : {Kind::U32, Kind::U64}) {
    const unsigned width = width_of(kind);
    add(all, "popc" + bits_of(kind) + " $d, $a;", Kind::U32, {kind}, [](const u64* in) {
      u64 count = 0;
      for (u64 rest = in[0]; rest != 0; rest &= rest - 1) ++count;
      return count;
    });
    add(all, "clz" + bits_of(kind) + " $d, $a;", Kind::U32, {kind}, [=](const u64* in) {
      u64 count = 0;
      while (count < width && ((in[0] >> (width - 1 - count)) & 1) == 0) ++count;
      return count;
    });
    add(all, "brev" + bits_of(kind) + " $d, $a;", kind, {kind}, [=](const u64* in) {
      u64 result = 0;
      for (unsigned i = 0; i < width; ++i) result = (result << 1) | ((in[0] >> i) & 1);
      return result;
    });
  }
  for (const Kind kind : {Kind::U32, Kind::S32, Kind::U64, Kind::S64}) {
    const unsigned width = width_of(kind);
    for (const bool amount : {false, true}) {
      add(all, std::string("bfind") + (amount ? ".shiftamt." : ".") + type_name(kind) + " $d, $a;", Kind::U32,
          {kind}, [=](const u64* in) {
            const bool negative = is_signed(kind) && sign_extended(kind, in[0]) < 0;
            const u64 value = truncated(kind, negative ? ~in[0] : in[0]);
            for (unsigned i = width; i-- > 0;) {
              if (((value >> i) & 1) != 0) return u64{amount ? width - 1 - i : i};
            }
            return u64{0xffffffff};
          });
    }
  }
  add(all, "fns.b32 $d, $a, $b, $c;", Kind::U32, {Kind::U32, Kind::U32, Kind::S32}, [](const u64* in) {
    // A base above 31 finds nothing and the least offset gives 0: what ptxas 13.0 makes of what the manual
    // leaves open.
    const i64 offset = sign_extended(Kind::S32, in[2]);
    if (offset == -(i64{1} << 31)) return u64{0};
    if (in[1] > 31) return u64{0xffffffff};
    const int base = static_cast<int>(in[1]);
    if (offset == 0) return ((in[0] >> base) & 1) != 0 ? static_cast<u64>(base) : u64{0xffffffff};
    i64 left = offset < 0 ? -offset : offset;
    for (int at = base; at >= 0 && at < 32; at += offset < 0 ? -1 : 1) {
      if (((in[0] >> at) & 1) != 0 && --left == 0) return static_cast<u64>(at);
    }
    return u64{0xffffffff};
  });
}

// The manual takes the low eight bits of positions and lengths; with 64 bits an H200 takes all (measured).
void add_fields(std::vector<Operation>& all) {
  for (const Kind kind : {Kind::U32, Kind::S32, Kind::U64, Kind::S64}) {
    const unsigned last = width_of(kind) - 1;
    const u64 counts = last == 63 ? 0xffffffff : 255;
    add(
        all, "bfe." + type_name(kind) + " $d, $a, $b, $c;", kind, {kind, Kind::U32, Kind::U32},
        [=](const u64* in) {
          const u64 position = in[1] & counts, length = in[2] & counts;
          u64 sign = 0;
          if (is_signed(kind) && length != 0)
            sign = (in[0] >> std::min<u64>(position + length - 1, last)) & 1;
          u64 result = 0;
          for (u64 i = 0; i <= last; ++i)
            result |= (i < length && position + i <= last ? (in[0] >> (position + i)) & 1 : sign) << i;
          return result;
        },
        2);
    all.back().immediate_mask = 255;
  }
  for (const Kind kind : {Kind::U32, Kind::U64}) {
    const unsigned width = width_of(kind);
    const u64 counts = width == 64 ? 0xffffffff : 255;
    add(
        all, "bfi" + bits_of(kind) + " $d, $a, $b, $c, $e;", kind, {kind, kind, Kind::U32, Kind::U32},
        [=](const u64* in) {
          const u64 position = in[2] & counts, length = in[3] & counts;
          u64 result = in[1];
          for (u64 i = 0; i < length && position + i < width; ++i) {
            result &= ~(u64{1} << (position + i));
            result |= ((in[0] >> i) & 1) << (position + i);
          }
          return result;
        },
        2);
    all.back().immediate_mask = 255;
  }
  for (const bool clamp : {false, true}) {
    const std::string mode = clamp ? ".clamp" : ".wrap";
    add(all, "bmsk" + mode + ".b32 $d, $a, $b;", Kind::U32, {Kind::U32, Kind::U32}, [=](const u64* in) {
      const u64 from = clamp ? in[0] : in[0] & 31, count = clamp ? in[1] : in[1] & 31;
      u64 result = 0;
      for (u64 i = 0; i < 32; ++i) result |= u64{i >= from && i - from < count ? 1U : 0U} << i;
      return result;
    });
    for (const Kind kind : {Kind::U32, Kind::S32}) {
      add(all, "szext" + mode + "." + type_name(kind) + " $d, $a, $b;", kind, {kind, Kind::U32},
          [=](const u64* in) {
            const u64 count = clamp ? in[1] : in[1] & 31;
            if (count == 0) return u64{0};
            u64 result = 0;
            for (u64 i = 0; i < 32; ++i)
              result |= ((in[0] >> (i < count ? i : is_signed(kind) ? count - 1 : 63)) & 1) << i;
            return result;
          });
    }
  }
}

unsigned permuted(const std::string& mode, u64 selector, unsigned i) {
  const unsigned n = static_cast<unsigned>(selector & 3);
  if (mode == ".f4e") return n + i;
  if (mode == ".b4e") return (n + 8 - i) % 8;
  if (mode == ".rc8") return n;
  if (mode == ".ecl") return std::max(n, i);
  if (mode == ".ecr") return std::min(n, i);
  if (mode == ".rc16") return (n % 2) * 2 + i % 2;
  return static_cast<unsigned>(selector >> (4 * i)) & 15;
}

void add_permutations(std::vector<Operation>& all) {
  for (const std::string mode : {"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"}) {
    add(
        all, "prmt.b32" + mode + " $d, $a, $b, $c;", Kind::U32, {Kind::U32, Kind::U32, Kind::U32},
        [=](const u64* in) {
          const u64 bytes = in[1] << 32 | in[0];
          u64 result = 0;
          for (unsigned i = 0; i < 4; ++i) {
            const unsigned pick = permuted(mode, in[2], i);
            u64 byte = (bytes >> (8 * (pick & 7))) & 255;
            if ((pick & 8) != 0) byte = byte >= 128 ? 255 : 0;
            result |= byte << (8 * i);
          }
          return result;
        },
        2);
  }
}

// mov between a register and its halves.
void add_packing(std::vector<Operation>& all) {
  add(all, "mov.b32 $d, {$a, $b};", Kind::U32, {Kind::U16, Kind::U16},
      [](const u64* in) { return in[1] << 16 | in[0]; });
  add(all, "mov.b64 $d, {$a, $b};", Kind::U64, {Kind::U32, Kind::U32},
      [](const u64* in) { return in[1] << 32 | in[0]; });
  add(all, "mov.b64 $d, {$a, $b, $c, $e};", Kind::U64, {Kind::U16, Kind::U16, Kind::U16, Kind::U16},
      [](const u64* in) { return in[3] << 48 | in[2] << 32 | in[1] << 16 | in[0]; });
  add(all, "mov.b64 {$t, $d}, $a;", Kind::U32, {Kind::U64}, [](const u64* in) { return in[0] >> 32; });
  add(all, "mov.b32 {$d, $t}, $a;", Kind::U16, {Kind::U32}, [](const u64* in) { return in[0]; });
}

void add_choices(std::vector<Operation>& all) {
  for (const Kind kind : kWords) {
    for (const std::string type : {"b", "u", "s"}) {
      const std::string name = "." + type + std::to_string(width_of(kind));
      add(
          all, "selp" + name + " $d, $a, $b, $c;", kind, {kind, kind, Kind::Pred},
          [](const u64* in) { return in[2] != 0 ? in[0] : in[1]; }, 1);
      add(
          all, "slct" + name + ".s32 $d, $a, $b, $c;", kind, {kind, kind, Kind::S32},
          [](const u64* in) { return sign_extended(Kind::S32, in[2]) >= 0 ? in[0] : in[1]; }, 1);
    }
  }
}

}  // namespace

std::vector<Operation> bit_operations() {
  std::vector<Operation> all;
  add_logic(all);
  add_shifts(all);
  add_counts(all);
  add_fields(all);
  add_permutations(all);
  add_packing(all);
  add_choices(all);
  return all;
}

}  // namespace ptx_random
