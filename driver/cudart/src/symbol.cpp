// SPDX-License-Identifier: MIT
// Variables of device code by the names they have in the program: their addresses and sizes.
//
// Copies to and from them are in on_stream/copy.cpp.
#include "code.hpp"

using namespace cudart;

// cudaGetSymbolAddress. Errors: InvalidSymbol, NoKernelImageForDevice.
cudaError_t CUDARTAPI cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return with_context([&] {
    size_t size = 0;
    return pointer == nullptr ? CUDA_ERROR_INVALID_VALUE
                              : find_variable(symbol, *same<CUdeviceptr>(pointer), size);
  });
}

// cudaGetSymbolSize. Errors: InvalidSymbol, NoKernelImageForDevice.
cudaError_t CUDARTAPI cudaGetSymbolSize(size_t* size, const void* symbol) {
  return with_context([&] {
    CUdeviceptr address = 0;
    return size == nullptr ? CUDA_ERROR_INVALID_VALUE : find_variable(symbol, address, *size);
  });
}
