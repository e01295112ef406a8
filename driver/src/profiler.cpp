// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Profiler Control".
//
// They mark the range that a profiler examines. Here is no profiler, so there is nothing to do. Measured:
// with a current context both always succeed, without one they return 201.
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
