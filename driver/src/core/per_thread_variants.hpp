// SPDX-License-Identifier: MIT
// Macros for entry points that exist twice: for the legacy default stream and for each thread's own.
//
// Both are the same call on another stream, so both are written in one place. api/generators/supported.py
// reads the two macros' names in the sources.
#pragma once

#include "core/stream.hpp"

// Without a stream parameter: NAME works on the legacy stream, NAME_ptds on the thread's own; CALL may use
// `stream`.
#define ON_DEFAULT_STREAM(NAME, PARAMETERS, CALL) \
  CUresult CUDAAPI NAME PARAMETERS {              \
    const CUstream stream = CU_STREAM_LEGACY;     \
    return CALL;                                  \
  }                                               \
  CUresult CUDAAPI NAME##_ptds PARAMETERS {       \
    const CUstream stream = CU_STREAM_PER_THREAD; \
    return CALL;                                  \
  }

// With a parameter `stream`: null means the legacy stream to NAME, the thread's own to NAME_ptsz.
#define ON_STREAM(NAME, PARAMETERS, CALL)     \
  CUresult CUDAAPI NAME PARAMETERS {          \
    return CALL;                              \
  }                                           \
  CUresult CUDAAPI NAME##_ptsz PARAMETERS {   \
    stream = ::driver::or_per_thread(stream); \
    return CALL;                              \
  }
