// SPDX-License-Identifier: MIT
// The driver API as this library implements it: every version of every name, visible from outside.
//
// __CUDA_API_VERSION_INTERNAL keeps cuda.h from mapping a plain name to its newest version, so that
// cuMemAlloc and cuMemAlloc_v2 can both be defined. Only what cuda.h declares is exported; all else of
// this library stays hidden.
#pragma once

#ifndef __CUDA_API_VERSION_INTERNAL
#define __CUDA_API_VERSION_INTERNAL
#endif

#pragma GCC visibility push(default)
#include <cuda.h>
#include <cudaProfiler.h>
#pragma GCC visibility pop
