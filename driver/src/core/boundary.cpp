// SPDX-License-Identifier: MIT
// What the program gets instead of an exception.
#include "core/api.hpp"  // first: sources may be compiled in batches
// Then what includes cuda.h itself:
#include "core/boundary.hpp"

#include <cxxabi.h>

#include <new>
#include <stdexcept>
#include <system_error>

namespace driver {

CUresult instead_of_exception() {
  try {
    throw;
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (const std::bad_alloc&) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (const std::length_error&) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (const std::system_error&) {
    return CUDA_ERROR_OPERATING_SYSTEM;
  } catch (...) {
    return CUDA_ERROR_UNKNOWN;
  }
}

}  // namespace driver
