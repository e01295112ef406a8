// SPDX-License-Identifier: MIT
// The constants behind ptxcc's mathematics: parts of pi and logarithms, bits of 2/pi, series.
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

static constexpr double __ptxcc_half_pi_1 = 0x1.921fb54442d18p+0;
static constexpr double __ptxcc_half_pi_2 = 0x1.1a62633145c07p-54;
static constexpr double __ptxcc_half_pi_3 = -0x1.f1976b7ed8fbcp-110;
static constexpr double __ptxcc_half_pi_4 = 0x1.4cf98e804177dp-164;
static constexpr double __ptxcc_two_over_pi_1 = 0x1.45f306dc9c883p-1;
static constexpr double __ptxcc_pi_1 = 0x1.921fb54442d18p+1;
static constexpr double __ptxcc_pi_2 = 0x1.1a62633145c07p-53;
static constexpr double __ptxcc_ln2_1 = 0x1.62e42fefa39efp-1;
static constexpr double __ptxcc_ln2_2 = 0x1.abc9e3b39803fp-56;
static constexpr double __ptxcc_ln2_3 = 0x1.7b57a079a1934p-111;
static constexpr double __ptxcc_ln2_short_1 = 0x1.62e42fefa2000p-1;
static constexpr double __ptxcc_ln2_rest_1 = 0x1.9ef35793c7673p-41;
static constexpr double __ptxcc_ln2_rest_2 = 0x1.f97b57a079a19p-103;
static constexpr double __ptxcc_log2_e_1 = 0x1.71547652b82fep+0;
static constexpr double __ptxcc_log2_e_2 = 0x1.777d0ffda0d24p-56;
static constexpr double __ptxcc_log10_e_1 = 0x1.bcb7b1526e50ep-2;
static constexpr double __ptxcc_log10_e_2 = 0x1.95355baaafad3p-57;
static constexpr double __ptxcc_ln10_1 = 0x1.26bb1bbb55516p+1;
static constexpr double __ptxcc_ln10_2 = -0x1.f48ad494ea3e9p-53;
static constexpr double __ptxcc_log2_10_1 = 0x1.a934f0979a371p+1;
static constexpr double __ptxcc_log10_2_short_1 = 0x1.34413509f4000p-2;
static constexpr double __ptxcc_log10_2_rest_1 = 0x1.cff7988f8959bp-41;
static constexpr double __ptxcc_half_ln_2pi_1 = 0x1.d67f1c864beb5p-1;
static constexpr double __ptxcc_half_ln_2pi_2 = -0x1.65b5a1b7ff5dfp-55;
static constexpr double __ptxcc_inverse_sqrt_pi_1 = 0x1.20dd750429b6dp-1;
static constexpr double __ptxcc_inverse_sqrt_pi_2 = 0x1.1ae3a914fed80p-57;
static constexpr double __ptxcc_sqrt_half_1 = 0x1.6a09e667f3bcdp-1;
static constexpr double __ptxcc_sqrt_half_2 = -0x1.bdd3413b26456p-55;
static constexpr double __ptxcc_sqrt_2pi_1 = 0x1.40d931ff62706p+1;
static constexpr double __ptxcc_sqrt_2pi_2 = -0x1.a6a0d6f814637p-53;
static constexpr double __ptxcc_third_1 = 0x1.5555555555555p-1;
static constexpr double __ptxcc_third_2 = 0x1.5555555555555p-55;
static constexpr double __ptxcc_one_minus_euler_1 = 0x1.b0ee6072093cep-2;
static constexpr double __ptxcc_one_minus_euler_2 = 0x1.6cb90701fbfabp-58;
// Behind 64 zero bits, the bits of 2/pi, as far as the largest double needs them.
static __PTXCC_TABLE__ const unsigned long long __ptxcc_two_over_pi_bits[21] = {
  0,
  0xa2f9836e4e441529,
  0xfc2757d1f534ddc0,
  0xdb6295993c439041,
  0xfe5163abdebbc561,
  0xb7246e3a424dd2e0,
  0x06492eea09d1921c,
  0xfe1deb1cb129a73e,
  0xe88235f52ebb4484,
  0xe99c7026b45f7e41,
  0x3991d639835339f4,
  0x9c845f8bbdf9283b,
  0x1ff897ffde05980f,
  0xef2f118b5a0a6d1f,
  0x6d367ecf27cb09b7,
  0x4f463f669e5fea2d,
  0x7527bac7ebe5f17b,
  0x3d0739f78a5292ea,
  0x6bfb5fb11f8d5d08,
  0x56033046fc7b6bab,
  0xf0cfbc209af4361d,
};
// atan(i / 8), each in two parts.
static __PTXCC_TABLE__ const double __ptxcc_atan_eighths[18] = {
  0x0.0p+0,
  0x0.0p+0,
  0x1.fd5ba9aac2f6ep-4,
  -0x1.cd37686760c17p-59,
  0x1.f5b75f92c80ddp-3,
  0x1.8ab6e3cf7afbdp-57,
  0x1.6f61941e4def1p-2,
  -0x1.c63aae6f6e918p-56,
  0x1.dac670561bb4fp-2,
  0x1.a2b7f222f65e2p-56,
  0x1.1e00babdefeb4p-1,
  -0x1.928df287a668fp-58,
  0x1.4978fa3269ee1p-1,
  0x1.2419a87f2a458p-56,
  0x1.700a7c5784634p-1,
  -0x1.8c34d25aadef6p-56,
  0x1.921fb54442d18p-1,
  0x1.1a62633145c07p-55,
};
// (1 + 2 x) exp(x^2) erfc(x) over t = (x - 4) / (x + 4), as a Chebyshev series.
static __PTXCC_TABLE__ const double __ptxcc_erfcx[27] = {
  0x1.2d6f89fde5d31p+0,
  -0x1.dbd7f406f0499p-8,
  -0x1.4cdca869ad5c3p-4,
  0x1.ec465395e4195p-5,
  -0x1.d71abf3cb584ep-6,
  0x1.5b32ddd011bcbp-7,
  -0x1.9b29d047b35d8p-9,
  0x1.86ef5f940a354p-11,
  -0x1.1f3f05651159ap-13,
  0x1.204c1fa3be6c7p-16,
  -0x1.804fd072268f5p-21,
  -0x1.04813a1b8a43fp-22,
  0x1.df061781bececp-25,
  -0x1.216acaa8bc34bp-29,
  -0x1.421950d8f4ea7p-30,
  0x1.a3fa2e79e6fdep-33,
  0x1.efb3e315738f5p-37,
  -0x1.e59f50c0d2a6dp-38,
  0x1.9ce35d0f342aap-44,
  0x1.e31cd1e31c253p-43,
  -0x1.091c39299cbc7p-46,
  -0x1.e08757ddb404fp-48,
  0x1.b09c53938c643p-51,
  0x1.ffeb28f8a7c30p-53,
  -0x1.246d137a7141bp-55,
  -0x1.2e4a1567a7226p-57,
  0x1.6fbfbc73f7b96p-60,
};
// (zeta(k) - 1) / k, k from 2: the series of lgamma around 2.
static __PTXCC_TABLE__ const double __ptxcc_lgamma_near_2[32] = {
  0x1.4a34cc4a60fa6p-2,
  0x1.13e001a557607p-4,
  0x1.51322ac7d8483p-6,
  0x1.e404fc218f5f2p-8,
  0x1.7add6eadb6c30p-9,
  0x1.38ac5c2bf8e08p-10,
  0x1.0b36af86396e9p-11,
  0x1.d3fd4c76d2fc8p-13,
  0x1.a127b0f17d65ap-14,
  0x1.78de5bd7c81efp-15,
  0x1.580dcee66eb02p-16,
  0x1.3cbc963ce2243p-17,
  0x1.2597a39f34aacp-18,
  0x1.11b2eb7679541p-19,
  0x1.0064cdeb22f0fp-20,
  0x1.e2600d93cfd2fp-22,
  0x1.c76bbb3f07a4dp-23,
  0x1.af5a6cbbf8a97p-24,
  0x1.99b93c2070b0fp-25,
  0x1.862c734df3eacp-26,
  0x1.7469daccfadcdp-27,
  0x1.6434a8447aeadp-28,
  0x1.555a877ffd2c3p-29,
  0x1.47b1679258d0ep-30,
  0x1.3b15d2b2fc10cp-31,
  0x1.2f69a9fabe3e0p-32,
  0x1.24932a337434cp-33,
  0x1.1a7c26ec2523cp-34,
  0x1.11116e693ed98p-35,
  0x1.08424cbc543d8p-36,
  0x1.000026e3f644fp-37,
  0x1.f07c514fc9f0ap-39,
};
// B(2k) / (2k (2k - 1)): Stirling's series.
static __PTXCC_TABLE__ const double __ptxcc_stirling[10] = {
  0x1.5555555555555p-4,
  -0x1.6c16c16c16c17p-9,
  0x1.a01a01a01a01ap-11,
  -0x1.3813813813814p-11,
  0x1.b951e2b18ff23p-11,
  -0x1.f6ab0d9993c7dp-10,
  0x1.a41a41a41a41ap-8,
  -0x1.e4286cb0f5398p-6,
  0x1.6fe96381e0680p-3,
  -0x1.6476701181f3ap+0,
};
