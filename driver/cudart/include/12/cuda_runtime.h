// SPDX-License-Identifier: MIT
// cuda_runtime.h for programs of CUDA 12.
//
// The C++ forms are the same; only the functions below them are those of 12.
#ifndef DRIVERLAB_12_CUDA_RUNTIME_H
#define DRIVERLAB_12_CUDA_RUNTIME_H

#ifdef __DRIVERLAB_PTXCC__
#include "../ptxcc/prelude.h"
#endif

#include "cuda_runtime_api.h"

#include "../cuda_runtime.h"

#endif  // DRIVERLAB_12_CUDA_RUNTIME_H
