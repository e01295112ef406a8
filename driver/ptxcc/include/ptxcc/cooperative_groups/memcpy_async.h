// SPDX-License-Identifier: MIT
// memcpy_async: a copy by all threads of a group, which wait() completes.
//
// It is done at once, thread by thread; what has been copied may be read after wait, as anywhere else.
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups {

namespace details {
template <class Word, class Group>
__PTXCC_DEVICE__ void copy_words(const Group& group, void* to, const void* from, size_t bytes) {
  for (size_t i = group.thread_rank(); i < bytes / sizeof(Word); i += group.size())
    static_cast<Word*>(to)[i] = static_cast<const Word*>(from)[i];
}
template <class Group>
__PTXCC_DEVICE__ void copy(const Group& group, void* to, const void* from, size_t bytes) {
  const size_t odd = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
  if (odd % 16 == 0)
    copy_words<uint4>(group, to, from, bytes);
  else if (odd % 4 == 0)
    copy_words<unsigned int>(group, to, from, bytes);
  else
    copy_words<unsigned char>(group, to, from, bytes);
}
}  // namespace details

// `shape` is a number of bytes, or what converts to one and says something of the alignment.
template <class Group, class T, class Shape>
__PTXCC_DEVICE__ void memcpy_async(const Group& group, T* to, const T* from, const Shape& shape) {
  details::copy(group, to, from, static_cast<size_t>(shape));
}
template <class Group, class Shape>
__PTXCC_DEVICE__ void memcpy_async(const Group& group, void* to, const void* from, const Shape& shape) {
  details::copy(group, to, from, static_cast<size_t>(shape));
}
// Two numbers of elements: what fits is copied.
template <class Group, class T, class ToShape, class FromShape>
__PTXCC_DEVICE__ void memcpy_async(const Group& group, T* to, const ToShape& room, const T* from,
                                   const FromShape& there) {
  const size_t most = static_cast<size_t>(room), count = static_cast<size_t>(there);
  details::copy(group, to, from, (most < count ? most : count) * sizeof(T));
}
template <class Group>
__PTXCC_DEVICE__ void wait(const Group& group) {
  group.sync();
}
template <unsigned int Stages, class Group>
__PTXCC_DEVICE__ void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups
