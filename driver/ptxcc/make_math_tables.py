#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes include/ptxcc/math_tables.h: the constants behind ptxcc's mathematics, computed to 120 digits.

Run again after changing what is written here (needs python3-mpmath); the result is checked in, so that building
needs neither. It computes each table, and does not depend on how the table is used.
"""
import pathlib
import mpmath as mp

mp.mp.dps = 450  # the bits of 2/pi need most


def parts(value, count):
    """value as a sum of doubles, largest first."""
    found = []
    for _ in range(count):
        found.append(float(value))
        value -= mp.mpf(found[-1])
    return found


def literal(value):
    return float(value).hex() if value == value else "nan"


lines = []


def constant(name, value, count):
    for i, part in enumerate(parts(value, count), 1):
        lines.append(f"static constexpr double __ptxcc_{name}_{i} = {literal(part)};")


def table(name, values):
    lines.append(f"static __PTXCC_TABLE__ const double __ptxcc_{name}[{len(values)}] = {{")
    for value in values:
        lines.append(f"  {literal(value)},")
    lines.append("};")


def chebyshev(function, degree):
    """Coefficients of a Chebyshev series on [-1, 1]; the first one is already halved."""
    n = degree + 24
    nodes = [mp.cos(mp.pi * (mp.mpf(k) + 0.5) / n) for k in range(n)]
    values = [function(x) for x in nodes]
    result = []
    for j in range(degree + 1):
        total = sum(v * mp.cos(j * mp.pi * (mp.mpf(k) + 0.5) / n) for k, v in enumerate(values))
        result.append(total * (1 if j == 0 else 2) / n)
    return result


constant("half_pi", mp.pi / 2, 4)
constant("two_over_pi", 2 / mp.pi, 1)
constant("pi", mp.pi, 2)
constant("ln2", mp.ln(2), 3)
# The first part with room for an exponent of 11 bits, so that its product with one is exact.
high = mp.mpf(int(mp.floor(mp.ln(2) * 2**40))) / 2**40
constant("ln2_short", high, 1)
constant("ln2_rest", mp.ln(2) - high, 2)
constant("log2_e", 1 / mp.ln(2), 2)
constant("log10_e", 1 / mp.ln(10), 2)
constant("ln10", mp.ln(10), 2)
constant("log2_10", mp.log(10, 2), 1)
high = mp.mpf(int(mp.floor(mp.log10(2) * 2**40))) / 2**40
constant("log10_2_short", high, 1)
constant("log10_2_rest", mp.log10(2) - high, 1)
constant("half_ln_2pi", mp.ln(2 * mp.pi) / 2, 2)
constant("inverse_sqrt_pi", 1 / mp.sqrt(mp.pi), 2)
constant("sqrt_half", mp.sqrt(mp.mpf(1) / 2), 2)
constant("sqrt_2pi", mp.sqrt(2 * mp.pi), 2)
constant("third", mp.mpf(2) / 3, 2)
constant("one_minus_euler", 1 - mp.euler, 2)

lines.append("// Behind 64 zero bits, the bits of 2/pi, as far as the largest double needs them.")
words = 1 + 20
bits = int(mp.floor(2 / mp.pi * mp.mpf(2) ** (64 * (words - 1))))
lines.append(f"static __PTXCC_TABLE__ const unsigned long long __ptxcc_two_over_pi_bits[{words}] = {{")
lines.append("  0,")
for i in range(words - 2, -1, -1):
    lines.append(f"  0x{(bits >> (64 * i)) & (2**64 - 1):016x},")
lines.append("};")

lines.append("// atan(i / 8), each in two parts.")
table("atan_eighths", [part for i in range(9) for part in parts(mp.atan(mp.mpf(i) / 8), 2)])

mp.mp.dps = 60
lines.append("// (1 + 2 x) exp(x^2) erfc(x) over t = (x - 4) / (x + 4), as a Chebyshev series.")


def scaled_erfc(t):
    if t == 1:
        return 2 / mp.sqrt(mp.pi)
    x = 4 * (1 + t) / (1 - t)
    value = mp.exp(x * x) * mp.erfc(x) if x < 60 else mp.hyp2f0(0.5, 1, -1 / (x * x)) / (x * mp.sqrt(mp.pi))
    return (1 + 2 * x) * value


table("erfcx", chebyshev(scaled_erfc, 26))
lines.append("// (zeta(k) - 1) / k, k from 2: the series of lgamma around 2.")
table("lgamma_near_2", [(mp.zeta(k) - 1) / k for k in range(2, 34)])
lines.append("// B(2k) / (2k (2k - 1)): Stirling's series.")
table("stirling", [mp.bernoulli(2 * k) / (2 * k * (2 * k - 1)) for k in range(1, 11)])

head = """// The constants behind ptxcc's mathematics: parts of pi and logarithms, bits of 2/pi, series.
//
// Written by make_math_tables.py, which says what each is; change it there. Numbers in parts are sums,
// largest first.
#pragma once
#ifdef __CUDA__
#include "qualifiers.h"
#endif

#ifndef __PTXCC_TABLE__
#define __PTXCC_TABLE__ __attribute__((device, unused))
#endif
// clang-format off

"""
target = pathlib.Path(__file__).parent / "include" / "ptxcc" / "math_tables.h"
target.write_text(head + "\n".join(lines) + "\n")
