// SPDX-License-Identifier: MIT
// What was wrong once, or comes up too seldom by chance: operands that every run tries.
#include "found.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace ptx_random {
namespace {

struct Found {
  const char* text;
  u64 operands[4];
  bool written = false;  // the operand that may be a number in the text is one
};

constexpr Found kFound[] = {
    // Subnormal halves, flushed before and afterwards.
    {"abs.ftz.f16 $d, $a;", {0x1}},
    {"neg.ftz.f16x2 $d, $a;", {0x729380c7}},
    {"add.rn.ftz.f16 $d, $a, $b;", {0x1ba, 0x875}},
    {"mul.rn.ftz.f16 $d, $a, $b;", {0xc9e6, 0x1}},
    {"fma.rn.ftz.f16 $d, $a, $b, $c;", {0x10, 0xe430, 0x8001}},
    {"min.ftz.f16 $d, $a, $b;", {0x8001, 0x7940}},
    {"max.ftz.NaN.f16x2 $d, $a, $b;", {0x87878787, 0x8120bf5f}},
    // ... and in comparisons.
    {"set.eq.ftz.f32.f32 $d, $a, $b;", {0, 0x1}},
    {"set.le.f16x2.f16x2 $d, $a, $b;", {0xa2c6779a, 0x391c4000}},
    {"setp.eq.ftz.f16 $d, $a, $b;", {0, 0x8001}},
    {"setp.ge.ftz.f16 $d, $a, $b;", {0x8162, 0xab}},
    {"slct.ftz.u32.f32 $d, $a, $b, $c;", {1, 2, 0x80000001}},
    {"rcp.approx.ftz.f64 $d, $a;", {0xfffffe0000000}},
    {"rcp.approx.ftz.f64 $d, $a;", {0x7ff0000000000001}},
    {"rcp.approx.ftz.f64 $d, $a;", {0xfff000004b1d4b1d}},
    {"rsqrt.approx.ftz.f64 $d, $a;", {0x8000000000000001}},
    {"rsqrt.approx.ftz.f64 $d, $a;", {0x7ff0000080000000}},
    // Subnormal numbers that become halves.
    {"cvt.rp.ftz.f16.f32 $d, $a;", {0x1}},
    {"cvt.rm.ftz.f16.f32 $d, $a;", {0x807fffff}},
    {"cvt.rp.ftz.sat.f16.f32 $d, $a;", {0x400000}},
    {"cvt.rm.ftz.sat.f16.f32 $d, $a;", {0x80000001}},
    {"cvt.rn.ftz.f16.f32 $d, $a;", {0x807fffff}},
    // Fields that begin or end far outside, bits counted from outside.
    {"bfe.u64 $d, $a, $b, $c;", {0x123456789abcdef0, 0x104, 8}},
    {"bfe.u64 $d, $a, $b, $c;", {0x123456789abcdef0, 4, 0x100}},
    {"bfe.s64 $d, $a, $b, $c;", {0x923456789abcdef0, 0x100, 8}},
    {"bfe.s64 $d, $a, $b, $c;", {0x823456789abcdef0, 0xfffffff0, 0x18}},
    {"bfe.u32 $d, $a, $b, $c;", {0x12345678, 0x104, 0x108}},
    {"bfi.b64 $d, $a, $b, $c, $e;", {~u64{0}, 0x123456789abcdef0, 0x100, 8}},
    {"bfi.b64 $d, $a, $b, $c, $e;", {0, 0x123456789abcdef0, 4, 0x101}},
    // Amounts for 16 bits, in a register and in the text.
    {"shr.b16 $d, $a, $b;", {0x8421, 0x10001}},
    {"shr.b16 $d, $a, $b;", {0x8421, 0x10001}, true},
    {"shr.s16 $d, $a, $b;", {0x8421, 0x80000004}, true},
    {"shr.u16 $d, $a, $b;", {0x8421, 0x18001}, true},
    {"shl.b16 $d, $a, $b;", {0x8421, 0xffff0003}, true},
    {"shl.b32 $d, $a, $b;", {0x8421, 0x10001}, true},
    {"fns.b32 $d, $a, $b, $c;", {0xffffffff, 32, 1}},
    {"fns.b32 $d, $a, $b, $c;", {0xffffffff, 0x80000001, 0}},
    {"fns.b32 $d, $a, $b, $c;", {0xf0f0f0f0, 5, 0x80000000}},
    // NaN where an integer is asked for, of each width.
    {"cvt.rmi.s64.f16 $d, $a;", {0x7fff}},
    {"cvt.rzi.s64.f32 $d, $a;", {0x7fc6c317}},
    {"cvt.rzi.s32.f32 $d, $a;", {0x7fc6c317}},
    {"cvt.rni.u32.f64 $d, $a;", {0x7ff0ef011e000001}},
    {"cvt.rzi.s16.f64 $d, $a;", {0x7ffa84417187ded1}},
    {"cvt.rzi.u8.f64 $d, $a;", {0x7ff0e18f718d64e1}},
    // Limits of integers, and registers wider than they are.
    {"cvt.sat.s64.u64 $d, $a;", {0xfffffffffff80000}},
    {"cvt.sat.u64.s16 $d, $a;", {0xff92}},
    {"cvt.sat.u8.u64 $d, $a;", {0x8000000000000001}},
    {"cvt.rmi.s8.f32 $d, $a;", {0xc1a00000}},
    {"cvt.s8.u16 $d, $a;", {0x7fff}},
    {"cvt.s32.u64 $d, $a;", {0x326b92f2223}},
    {"mad.hi.sat.s32 $d, $a, $b, $c;", {0x6c60526a, 0x6c60526a, 0x64b0dab6}},
    {"mad24.hi.sat.s32 $d, $a, $b, $c;", {0x130f0a07, 0x98daf3bc, 0x80000000}},
    // NaN among numbers, signalling or with a sign.
    {"min.f32 $d, $a, $b;", {0x81321692, 0x7f9a36a5}},
    {"max.xorsign.abs.f16 $d, $a, $b;", {0x4300, 0xffff}},
    {"max.xorsign.abs.f32 $d, $a, $b;", {0x7f800001, 0x1}},
    {"cvt.rn.relu.f16.f32 $d, $a;", {0xffe8530d}},
    {"fma.rn.relu.bf16 $d, $a, $b, $c;", {0xc2a5, 0x7fc7, 0xd100}},
    // Zeros are normal.
    {"testp.normal.f64 $d, $a;", {0}},
    {"testp.subnormal.f32 $d, $a;", {0x80000000}},
};

}  // namespace

FoundKernel make_found_kernel(const std::vector<Operation>& all,
                              const std::function<bool(const Operation&)>& wanted) {
  FoundKernel found;
  Kernel& kernel = found.kernel;
  for (const Found& each : kFound) {
    const auto operation =
        std::find_if(all.begin(), all.end(), [&](const Operation& one) { return one.text == each.text; });
    if (operation == all.end()) {
      std::fprintf(stderr, "There is no operation '%s'\n", each.text);
      std::exit(1);
    }
    if (!wanted(*operation)) continue;
    Step step;
    step.operation = &*operation;
    for (std::size_t i = 0; i < operation->operands.size(); ++i) {
      Source source;
      if (each.written && static_cast<int>(i) == operation->immediate) {
        source.immediate = true;
        source.bits = each.operands[i];
        source.counts = operation->immediate_counts;
        step.sources.push_back(source);
        continue;
      }
      source.slot = kernel.slots.size();
      step.sources.push_back(source);
      kernel.slots.push_back({operation->operands[i]});
      found.inputs.push_back(each.operands[i]);
    }
    kernel.steps.push_back(step);
  }
  kernel.inputs = kernel.slots.size();
  for (Step& step : kernel.steps) {
    step.result = kernel.slots.size();
    kernel.slots.push_back({step.operation->result});
  }
  return found;
}

}  // namespace ptx_random
