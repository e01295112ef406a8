// SPDX-License-Identifier: MIT
// Advice about managed memory, and questions about it.
//
// Advice, attributes and locations are the driver's numbers and layouts. Advice itself and prefetching, which
// 13 changed, are in changed_in_13/.
#include "runtime.hpp"

using namespace cudart;

// cudaMemRangeGetAttribute. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaMemRangeGetAttribute(void* data, size_t data_size, cudaMemRangeAttribute attribute,
                                               const void* pointer, size_t size) {
  return with_context([&] {
    return cuMemRangeGetAttribute(data, data_size, static_cast<CUmem_range_attribute>(attribute),
                                  address_of(pointer), size);
  });
}

// cudaMemRangeGetAttributes. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaMemRangeGetAttributes(void** data, size_t* data_sizes,
                                                cudaMemRangeAttribute* attributes, size_t count,
                                                const void* pointer, size_t size) {
  return with_context([&] {
    return cuMemRangeGetAttributes(data, data_sizes, same<CUmem_range_attribute>(attributes), count,
                                   address_of(pointer), size);
  });
}
