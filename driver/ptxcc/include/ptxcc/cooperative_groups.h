// SPDX-License-Identifier: MIT
// Cooperative groups: the block, tiles of a power of two threads, the coalesced threads, the whole grid, and
// from sm_90 on the cluster; reduce over tiles.
//
// The grid's barrier is the protocol that CUDA's compilers use: a word at the pointer in %envreg1 and
// %envreg2, which the driver supplies for cooperative launches. A subset; multi-device grids are not there.
#pragma once
#include "prelude.h"

namespace cooperative_groups {

namespace details {
__PTXCC_DEVICE__ unsigned int lane() {
  unsigned int value;
  asm("mov.u32 %0, %%laneid;" : "=r"(value));
  return value;
}
__PTXCC_DEVICE__ unsigned int thread_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__PTXCC_DEVICE__ unsigned int threads_of_block() {
  return blockDim.x * blockDim.y * blockDim.z;
}
__PTXCC_DEVICE__ unsigned long long workspace() {
  unsigned int high, low;
  asm("mov.u32 %0, %%envreg1;" : "=r"(high));
  asm("mov.u32 %0, %%envreg2;" : "=r"(low));
  return static_cast<unsigned long long>(high) << 32 | low;
}
// One thread of each block adds; the sum flips the top bit when all have arrived, and every block waits for
// that.
__PTXCC_DEVICE__ unsigned int arrive_at_grid() {
  const unsigned int blocks = gridDim.x * gridDim.y * gridDim.z;
  const unsigned int add = blockIdx.x + blockIdx.y + blockIdx.z == 0 ? 0x80000000u - (blocks - 1) : 1;
  unsigned int old;
  __threadfence();
  asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;"
               : "=r"(old)
               : "l"(workspace() + 4), "r"(add)
               : "memory");
  return old;
}
__PTXCC_DEVICE__ void wait_for_grid(unsigned int old) {
  unsigned int now;
  do {
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(workspace() + 4) : "memory");
  } while ((static_cast<int>(now ^ old)) >= 0);
  __threadfence();
}
}  // namespace details

class thread_block {
 public:
  __device__ static void sync() { __syncthreads(); }
  __device__ static unsigned int thread_rank() { return details::thread_in_block(); }
  __device__ static unsigned int num_threads() { return details::threads_of_block(); }
  __device__ static unsigned int size() { return details::threads_of_block(); }
  __device__ static dim3 group_index() { return blockIdx; }
  __device__ static dim3 thread_index() { return threadIdx; }
  __device__ static dim3 group_dim() { return blockDim; }
  __device__ static dim3 dim_threads() { return blockDim; }
};
__PTXCC_DEVICE__ thread_block this_thread_block() {
  return {};
}

class grid_group {
 public:
  __device__ static bool is_valid() { return details::workspace() != 0; }
  __device__ static void sync() {
    if (!is_valid()) __trap();
    __syncthreads();
    if (details::thread_in_block() == 0) details::wait_for_grid(details::arrive_at_grid());
    __syncthreads();
  }
  __device__ static unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __device__ static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  __device__ static unsigned long long thread_rank() {
    return block_rank() * details::threads_of_block() + details::thread_in_block();
  }
  __device__ static unsigned long long num_threads() { return num_blocks() * details::threads_of_block(); }
  __device__ static unsigned long long size() { return num_threads(); }
  __device__ static dim3 group_dim() { return gridDim; }
  __device__ static dim3 dim_blocks() { return gridDim; }
  __device__ static dim3 block_index() { return blockIdx; }
};
__PTXCC_DEVICE__ grid_group this_grid() {
  return {};
}

// As in NVIDIA's headers, code for an older architecture does not have it.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
class cluster_group {
 public:
  struct arrival_token {};

  __device__ static arrival_token barrier_arrive() {
    asm volatile("barrier.cluster.arrive;" : : : "memory");
    return {};
  }
  __device__ static void barrier_wait() { asm volatile("barrier.cluster.wait;" : : : "memory"); }
  __device__ static void barrier_wait(arrival_token&&) { barrier_wait(); }
  __device__ static void sync() {
    barrier_arrive();
    barrier_wait();
  }
  // The same variable in the shared memory of the block with that rank.
  template <class T>
  __device__ static T* map_shared_rank(T* address, int rank) {
    unsigned long long mapped;
    asm("mapa.u64 %0, %1, %2;"
        : "=l"(mapped)
        : "l"(reinterpret_cast<unsigned long long>(address)), "r"(rank));
    return reinterpret_cast<T*>(mapped);
  }
  __device__ static unsigned int query_shared_rank(const void* address) {
    unsigned int rank;
    asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(reinterpret_cast<unsigned long long>(address)));
    return rank;
  }
  __device__ static dim3 block_index() {
    dim3 at;
    asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(at.x));
    asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(at.y));
    asm("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(at.z));
    return at;
  }
  __device__ static dim3 dim_blocks() {
    dim3 size;
    asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(size.x));
    asm("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(size.y));
    asm("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(size.z));
    return size;
  }
  __device__ static unsigned int block_rank() {
    unsigned int rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
  }
  __device__ static unsigned int num_blocks() {
    unsigned int count;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
    return count;
  }
  __device__ static dim3 thread_index() {
    const dim3 at = block_index();
    return dim3(at.x * blockDim.x + threadIdx.x, at.y * blockDim.y + threadIdx.y,
                at.z * blockDim.z + threadIdx.z);
  }
  __device__ static dim3 dim_threads() {
    const dim3 size = dim_blocks();
    return dim3(size.x * blockDim.x, size.y * blockDim.y, size.z * blockDim.z);
  }
  __device__ static unsigned int thread_rank() {
    return block_rank() * details::threads_of_block() + details::thread_in_block();
  }
  __device__ static unsigned int num_threads() { return num_blocks() * details::threads_of_block(); }
  __device__ static unsigned int size() { return num_threads(); }
};
__PTXCC_DEVICE__ cluster_group this_cluster() {
  return {};
}
#endif

// Threads of one warp by a mask; what tiles and coalesced groups share.
template <class Self>
class __warp_part {
  __device__ const Self& self() const { return static_cast<const Self&>(*this); }

 public:
  __device__ void sync() const { __syncwarp(self().mask()); }
  __device__ int any(int predicate) const { return __any_sync(self().mask(), predicate); }
  __device__ int all(int predicate) const { return __all_sync(self().mask(), predicate); }
};

template <unsigned int Size, class Parent = void>
class thread_block_tile : public __warp_part<thread_block_tile<Size, Parent>> {
  static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  thread_block_tile() = default;
  // The group that a tile was made of may be forgotten.
  template <class Other>
  __device__ thread_block_tile(const thread_block_tile<Size, Other>&) {}
  __device__ static unsigned int mask() {
    return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << (details::lane() & ~(Size - 1));
  }
  __device__ static unsigned int thread_rank() { return details::lane() & (Size - 1); }
  __device__ static constexpr unsigned int num_threads() { return Size; }
  __device__ static constexpr unsigned int size() { return Size; }
  __device__ static unsigned int meta_group_rank() { return details::thread_in_block() / Size; }
  __device__ static unsigned int meta_group_size() { return (details::threads_of_block() + Size - 1) / Size; }
  template <class T>
  __device__ T shfl(T value, unsigned int rank) const {
    return __shfl_sync(mask(), value, static_cast<int>(rank), Size);
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned int by) const {
    return __shfl_up_sync(mask(), value, by, Size);
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned int by) const {
    return __shfl_down_sync(mask(), value, by, Size);
  }
  template <class T>
  __device__ T shfl_xor(T value, unsigned int with) const {
    return __shfl_xor_sync(mask(), value, static_cast<int>(with), Size);
  }
  __device__ unsigned int ballot(int predicate) const {
    const unsigned int votes = __ballot_sync(mask(), predicate) >> (details::lane() & ~(Size - 1));
    return Size == 32 ? votes : votes & ((1u << (Size & 31)) - 1);
  }
  template <class T>
  __device__ unsigned int match_any(T value) const {
    const unsigned int same = __match_any_sync(mask(), value) >> (details::lane() & ~(Size - 1));
    return Size == 32 ? same : same & ((1u << (Size & 31)) - 1);
  }
  template <class T>
  __device__ unsigned int match_all(T value, int& predicate) const {
    const unsigned int same = __match_all_sync(mask(), value, &predicate) >> (details::lane() & ~(Size - 1));
    return Size == 32 ? same : same & ((1u << (Size & 31)) - 1);
  }
};
template <unsigned int Size, class Parent>
__PTXCC_DEVICE__ thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}
template <unsigned int Size>
__PTXCC_DEVICE__ thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
  return {};
}

class coalesced_group : public __warp_part<coalesced_group> {
  unsigned int mask_;

  // The lane of the thread with this rank.
  __device__ int lane_of(unsigned int rank) const {
    unsigned int left = mask_;
    for (unsigned int i = 0; i < rank; ++i) left &= left - 1;
    return __ffs(static_cast<int>(left)) - 1;
  }
  // Bits of lanes, moved together to bits of ranks.
  __device__ unsigned int by_rank(unsigned int lanes) const {
    unsigned int result = 0, rank = 0;
    for (unsigned int left = mask_; left != 0; left &= left - 1, ++rank)
      if ((lanes & left & (0u - left)) != 0) result |= 1u << rank;
    return result;
  }

 public:
  __device__ explicit coalesced_group(unsigned int mask) : mask_(mask) {}
  __device__ unsigned int mask() const { return mask_; }
  __device__ unsigned int thread_rank() const { return __popc(mask_ & ((1u << details::lane()) - 1)); }
  __device__ unsigned int num_threads() const { return __popc(mask_); }
  __device__ unsigned int size() const { return num_threads(); }
  template <class T>
  __device__ T shfl(T value, unsigned int rank) const {
    return __shfl_sync(mask_, value, lane_of(rank % num_threads()));
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned int by) const {
    const unsigned int rank = thread_rank();
    return __shfl_sync(mask_, value, lane_of(rank >= by ? rank - by : rank));
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned int by) const {
    const unsigned int rank = thread_rank();
    return __shfl_sync(mask_, value, lane_of(rank + by < num_threads() ? rank + by : rank));
  }
  __device__ unsigned int ballot(int predicate) const { return by_rank(__ballot_sync(mask_, predicate)); }
  template <class T>
  __device__ unsigned int match_any(T value) const {
    return by_rank(__match_any_sync(mask_, value));
  }
};
__PTXCC_DEVICE__ coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

// Any group of a block's threads, for functions that take one whatever it is: the block, or threads of a
// warp.
class thread_group {
  unsigned int mask_;  // of lanes; 0: the whole block

 public:
  __device__ thread_group(const thread_block&) : mask_(0) {}
  template <unsigned int Size, class Parent>
  __device__ thread_group(const thread_block_tile<Size, Parent>& tile) : mask_(tile.mask()) {}
  __device__ thread_group(const coalesced_group& group) : mask_(group.mask()) {}
  __device__ void sync() const {
    if (mask_ == 0)
      __syncthreads();
    else
      __syncwarp(mask_);
  }
  __device__ unsigned int thread_rank() const {
    return mask_ == 0 ? details::thread_in_block() : __popc(mask_ & ((1u << details::lane()) - 1));
  }
  __device__ unsigned int size() const { return mask_ == 0 ? details::threads_of_block() : __popc(mask_); }
  __device__ unsigned int num_threads() const { return size(); }
};
// Tiles of a size that only the run knows: 1, 2, 4, 8, 16 or 32.
__PTXCC_DEVICE__ thread_group tiled_partition(const thread_group&, unsigned int size) {
  const unsigned int first = details::lane() & ~(size - 1);
  return coalesced_group(size == 32 ? 0xffffffffu : ((1u << size) - 1) << first);
}

template <class Group>
__PTXCC_DEVICE__ void sync(const Group& group) {
  group.sync();
}

// ---- reduce ----

template <class T>
struct plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  __device__ T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  __device__ T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  __device__ T operator()(T a, T b) const { return a ^ b; }
};
template <unsigned int Size, class Parent, class T, class Operation>
__PTXCC_DEVICE__ T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation&& operation) {
  for (unsigned int with = Size / 2; with > 0; with /= 2)
    value = operation(value, tile.shfl_xor(value, with));
  return value;
}
template <class T, class Operation>
__PTXCC_DEVICE__ T reduce(const coalesced_group& group, T value, Operation&& operation) {
  T result = group.shfl(value, 0);
  for (unsigned int i = 1; i < group.size(); ++i) result = operation(result, group.shfl(value, i));
  return result;
}

}  // namespace cooperative_groups
