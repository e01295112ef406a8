// SPDX-License-Identifier: MIT
// The manual's chapter "Error Handling": names and texts of errors. Which error was the last is kept in
// runtime.cpp.
//
// Names come from the description of the API, texts from the driver, whose errors have the same numbers.
#include "runtime.hpp"

using namespace cudart;

// cudaGetErrorName. No errors; an unknown number has a text too.
const char* CUDARTAPI cudaGetErrorName(cudaError_t error) {
  switch (static_cast<int>(error)) {
#define ERROR(name) \
  case name:        \
    return #name;
#include "errors.inc"
#undef ERROR
    default:
      return "unrecognized error code";
  }
}

// cudaGetErrorString. No errors. Those of the runtime alone, which the driver has no number for, say their
// name.
const char* CUDARTAPI cudaGetErrorString(cudaError_t error) {
  const char* text = nullptr;
  if (cuGetErrorString(static_cast<CUresult>(error), &text) == CUDA_SUCCESS && text != nullptr) return text;
  return cudaGetErrorName(error);
}
