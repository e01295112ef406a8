// SPDX-License-Identifier: MIT
// inclusive_scan and exclusive_scan over the threads of a group within a warp, in the order of their ranks.
//
// The first thread of an exclusive sum gets 0; of another operation it gets an unspecified value.
#pragma once
#include "../cooperative_groups.h"
#include "operations.h"

namespace cooperative_groups {

template <class Group, class T, class Operation>
__PTXCC_DEVICE__ T inclusive_scan(const Group& group, T value, Operation&& operation) {
  for (unsigned int by = 1; by < group.size(); by *= 2) {
    const T before = group.shfl_up(value, by);
    if (group.thread_rank() >= by) value = operation(before, value);
  }
  return value;
}
template <class Group, class T>
__PTXCC_DEVICE__ T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T, class Operation>
__PTXCC_DEVICE__ T exclusive_scan(const Group& group, T value, Operation&& operation) {
  return group.shfl_up(inclusive_scan(group, value, operation), 1);
}
template <class Group, class T>
__PTXCC_DEVICE__ T exclusive_scan(const Group& group, T value) {
  const T sum = exclusive_scan(group, value, plus<T>());
  return group.thread_rank() == 0 ? T() : sum;
}

}  // namespace cooperative_groups
