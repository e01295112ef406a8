// SPDX-License-Identifier: MIT
// What ptxcc includes in front of every file, as nvcc includes cuda_runtime.h: all that CUDA C++ has without
// an #include.
//
// Everything comes before the first system header, so that <cmath>, <cassert> and <cstdio> find the device's
// functions.
#pragma once
#pragma clang system_header
#if !defined(__CUDA__) || !defined(__clang__)
#error \
    "These headers are for ptxcc (clang, CUDA, PTX); on a machine with NVIDIA's toolkit use nvcc and its own."
#endif
#include "atomics.h"
#include "indices.h"
#include "integer.h"
#include "math_names.h"
#include "qualifiers.h"
#include "simd.h"
#include "system.h"
#include "unsupported.h"
#include "vectors.h"
#include "warp.h"

#include <stddef.h>
#include <stdint.h>
#ifdef __CUDA_ARCH__
#include <new>  // what new and delete call in kernels
#endif

// Functions of the host's runtime are no part of this: a file with main() and <<< >>> is for nvcc.
typedef struct CUstream_st* cudaStream_t;
