// SPDX-License-Identifier: MIT
// reduce: the values of a group's threads combined, for each of them.
//
// Of a tile in the order of a butterfly, of coalesced threads in that of their ranks.
#pragma once
#include "../cooperative_groups.h"
#include "operations.h"

namespace cooperative_groups {

template <unsigned int Size, class Parent, class T, class Operation>
__PTXCC_DEVICE__ T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation&& operation) {
  if constexpr (Size <= 32) {
    for (unsigned int with = Size / 2; with > 0; with /= 2)
      value = operation(value, tile.shfl_xor(value, with));
    return value;
  } else {
    return tile.__over_warps(reduce(thread_block_tile<32>(), value, operation), operation);
  }
}
template <class T, class Operation>
__PTXCC_DEVICE__ T reduce(const coalesced_group& group, T value, Operation&& operation) {
  T result = group.shfl(value, 0);
  for (unsigned int i = 1; i < group.size(); ++i) result = operation(result, group.shfl(value, i));
  return result;
}

}  // namespace cooperative_groups
