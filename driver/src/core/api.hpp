// SPDX-License-Identifier: MIT
// The driver API as this library implements it: every version of every name, visible from outside.
//
// __CUDA_API_VERSION_INTERNAL keeps cuda.h from mapping a plain name to its newest version, so that
// cuMemAlloc and cuMemAlloc_v2 can both be defined. Only what cuda.h declares is exported; all else of
// this library stays hidden.
//
// A function that is defined here under the name of an entry point has the symbol inside_NAME; a call by its
// name from this library reaches that one. The exported function is the boundary's (boundary.hpp).
#pragma once

#ifndef __CUDA_API_VERSION_INTERNAL
#define __CUDA_API_VERSION_INTERNAL
#endif

#include "inside_names.inc"

#pragma GCC visibility push(default)
#include <cuda.h>
#include <cudaProfiler.h>
#pragma GCC visibility pop
