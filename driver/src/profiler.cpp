// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Profiler Control".
//
// They tell a profiler from where to where to look. Here none looks, so there is nothing to do; measured:
// with a current context both succeed as often as they are called, without one they return 201.
#include "core/call.hpp"

// Beside cuda.h's, in cudaProfiler.h.
extern "C" CUresult CUDAAPI cuProfilerStart(void);
extern "C" CUresult CUDAAPI cuProfilerStop(void);

using namespace driver;

// cuProfilerStart. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT.
CUresult CUDAAPI cuProfilerStart() {
  const Reading call;
  return call.error;
}

// cuProfilerStop. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT.
CUresult CUDAAPI cuProfilerStop() {
  const Reading call;
  return call.error;
}
