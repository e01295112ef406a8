// SPDX-License-Identifier: MIT
// What marks functions and variables of CUDA C++, and the macros that CUDA sources ask for.
//
// First of the headers of ptxcc, which is clang without any toolkit. Must not include anything: the words
// have to be there before the first system header.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// clang has no managed variables for PTX: by the section, ptxcc knows which ones to mark in the text.
#define __managed__ __attribute__((device, section("driverlab.managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
// clang has no clusters: ptxcc finds this note in the intermediate code and writes the directives into the
// text.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
// clang-format off: _Pragma takes one literal
#define __cluster_dims__(...) \
  _Pragma("GCC error \"__cluster_dims__: blocks come in clusters from -arch=sm_90 on; compile for it\"")
// clang-format on
#else
template <int X, int Y = 1, int Z = 1>
struct __ptxcc_cluster {
  static_assert(X > 0 && Y > 0 && Z > 0,
                "__cluster_dims__: a cluster has at least one block in each direction");
  static constexpr int x = X, y = Y, z = Z;
};
#define __cluster_dims__(...)                                                   \
  __attribute__((annotate("driverlab.cluster", __ptxcc_cluster<__VA_ARGS__>::x, \
                          __ptxcc_cluster<__VA_ARGS__>::y, __ptxcc_cluster<__VA_ARGS__>::z)))
#endif
#define __restrict__ __restrict
// libstdc++ writes __attribute__((__noinline__)), so the word has to survive there: clang knows it as a
// keyword.
#if !__has_feature(cuda_noinline_keyword)
#define __noinline__ __attribute__((noinline))
#endif
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__ inline
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __device_builtin__
#define __cudart_builtin__
#define __CUDA_ALIGN__(n) __align__(n)
#define CUDARTAPI

// Sources recognise device code by __CUDA_ARCH__ (clang defines it), and CUDA compilers by these.
#ifndef __CUDACC__
#define __CUDACC__
#endif
#ifdef __DRIVERLAB_CUDA_12__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 9
#define CUDART_VERSION 12090
#else
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 13000
#endif
#define __CUDACC_VER_BUILD__ 0
#define __DRIVERLAB_PTXCC__ 1

// Every function of these headers: a copy in each file that uses it, nothing left of it otherwise.
#define __PTXCC_DEVICE__ static __inline__ __attribute__((always_inline, device))
#define __PTXCC_BIG_DEVICE__ static __inline__ __attribute__((device))
#define __PTXCC_BOTH__ static __inline__ __attribute__((always_inline, host, device))
