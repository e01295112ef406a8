// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Error Handling".
//
// Names and texts come from the description of the API, which has what a real driver says (truth
// error_table). They work before cuInit (truth before_init, steps 13 to 18), but at the end of the process
// they return 4 like everything else (teardown).
#include "api/descriptions.hpp"
#include "core/driver.hpp"

using driver::Driver;

// cuGetErrorName. Errors: INVALID_VALUE. For a number that is no result the text is null.
CUresult CUDAAPI cuGetErrorName(CUresult error, const char** text) {
  if (Driver::ready() == CUDA_ERROR_DEINITIALIZED) return CUDA_ERROR_DEINITIALIZED;
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *text = api::result_name(static_cast<int>(error));
  return *text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

// cuGetErrorString. Errors: INVALID_VALUE.
CUresult CUDAAPI cuGetErrorString(CUresult error, const char** text) {
  if (Driver::ready() == CUDA_ERROR_DEINITIALIZED) return CUDA_ERROR_DEINITIALIZED;
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *text = api::result_text(static_cast<int>(error));
  return *text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
