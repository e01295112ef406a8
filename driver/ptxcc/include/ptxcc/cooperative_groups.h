// SPDX-License-Identifier: MIT
// Cooperative groups: the block, tiles of a power of two threads, the coalesced threads and what they are
// parted into, the whole grid, and from sm_90 on the cluster. Reductions, scans and copies by a group have
// headers of their own.
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

// What tiles of several warps tell each other by: a place for each warp. The barrier of such a tile is one of
// the 15 that a block has beside that of __syncthreads.
template <unsigned int MaxBlockSize = 1024>
struct block_tile_memory {
  struct alignas(16) place {
    unsigned char bytes[16];
  } __places[(MaxBlockSize + 31) / 32];
};

class thread_block {
  void* memory_ = nullptr;  // of a block_tile_memory

 public:
  thread_block() = default;
  __device__ explicit thread_block(void* memory) : memory_(memory) {}
  __device__ void* __memory() const { return memory_; }
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
template <unsigned int MaxBlockSize>
__PTXCC_DEVICE__ thread_block this_thread_block(block_tile_memory<MaxBlockSize>& memory) {
  return thread_block(&memory);
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

namespace details {
// A value of any size, moved by `move` word by word: what a shuffle does with a struct.
template <class T, class Move>
__PTXCC_DEVICE__ T by_words(const T& value, Move move) {
  static_assert(__is_trivially_copyable(T), "threads can only exchange what may be copied byte by byte");
  unsigned int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned int& word : words) word = move(word);
  // Every byte is written; the value is only where they go.
  T result = value;
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}
__PTXCC_DEVICE__ unsigned int first_lane(unsigned int mask) {
  return static_cast<unsigned int>(__ffs(static_cast<int>(mask)) - 1);
}
// Threads of the lanes below this one.
__PTXCC_DEVICE__ unsigned int rank_in(unsigned int mask) {
  return __popc(mask & ((1u << lane()) - 1));
}
}  // namespace details

// Threads of one warp by a mask; what tiles and coalesced groups share.
template <class Self>
class __warp_part {
  __device__ const Self& self() const { return static_cast<const Self&>(*this); }

 public:
  __device__ void sync() const { __syncwarp(self().mask()); }
  __device__ int any(int predicate) const { return __any_sync(self().mask(), predicate); }
  __device__ int all(int predicate) const { return __all_sync(self().mask(), predicate); }
};

// A tile within a warp.
template <unsigned int Size, bool InWarp>
class __tile : public __warp_part<__tile<Size, InWarp>> {
 public:
  __tile() = default;
  __device__ explicit __tile(void*) {}
  __device__ static unsigned int mask() {
    return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << (details::lane() & ~(Size - 1));
  }
  __device__ static unsigned int thread_rank() { return details::lane() & (Size - 1); }
  template <class T>
  __device__ T shfl(const T& value, unsigned int rank) const {
    return details::by_words(value, [=](unsigned int word) {
      return __shfl_sync(mask(), word, static_cast<int>(rank), static_cast<int>(Size));
    });
  }
  template <class T>
  __device__ T shfl_up(const T& value, unsigned int by) const {
    return details::by_words(
        value, [=](unsigned int word) { return __shfl_up_sync(mask(), word, by, static_cast<int>(Size)); });
  }
  template <class T>
  __device__ T shfl_down(const T& value, unsigned int by) const {
    return details::by_words(
        value, [=](unsigned int word) { return __shfl_down_sync(mask(), word, by, static_cast<int>(Size)); });
  }
  template <class T>
  __device__ T shfl_xor(const T& value, unsigned int with) const {
    return details::by_words(value, [=](unsigned int word) {
      return __shfl_xor_sync(mask(), word, static_cast<int>(with), static_cast<int>(Size));
    });
  }
  __device__ unsigned int ballot(int predicate) const { return own(__ballot_sync(mask(), predicate)); }
  template <class T>
  __device__ unsigned int match_any(T value) const {
    return own(__match_any_sync(mask(), value));
  }
  template <class T>
  __device__ unsigned int match_all(T value, int& predicate) const {
    return own(__match_all_sync(mask(), value, &predicate));
  }

 private:
  // Bits of lanes, as bits of this tile's ranks.
  __device__ static unsigned int own(unsigned int lanes) {
    lanes >>= details::lane() & ~(Size - 1);
    return Size == 32 ? lanes : lanes & ((1u << (Size & 31)) - 1);
  }
};

// A tile of several warps.
template <unsigned int Size>
class __tile<Size, false> {
  void* memory_ = nullptr;

  __device__ static unsigned int index() { return details::thread_in_block() / Size; }

 public:
  __tile() = default;
  __device__ explicit __tile(void* memory) : memory_(memory) {
    // Without memory, or a barrier for each tile, the block would go on with wrong values.
    if (memory == nullptr || details::threads_of_block() / Size > 15) __trap();
  }
  __device__ static unsigned int thread_rank() { return details::thread_in_block() % Size; }
  __device__ void sync() const { asm volatile("bar.sync %0, %1;" ::"r"(1 + index()), "r"(Size) : "memory"); }
  // What each warp has, combined by all of them in the order of warps.
  template <class T, class Operation>
  __device__ T __over_warps(const T& of_warp, Operation& operation) const {
    static_assert(sizeof(T) <= 16, "a tile of several warps exchanges at most 16 bytes of each");
    auto* const places =
        static_cast<block_tile_memory<32>::place*>(memory_) + details::thread_in_block() / Size * (Size / 32);
    if (details::lane() == 0) __builtin_memcpy(places[thread_rank() / 32].bytes, &of_warp, sizeof(T));
    sync();
    T result = of_warp;
    __builtin_memcpy(&result, places[0].bytes, sizeof(T));
    for (unsigned int i = 1; i < Size / 32; ++i) {
      T other = of_warp;
      __builtin_memcpy(&other, places[i].bytes, sizeof(T));
      result = operation(result, other);
    }
    sync();
    return result;
  }
  __device__ int any(int predicate) const {
    auto either = [](int a, int b) { return a | b; };
    return __over_warps(__any_sync(0xffffffffu, predicate), either);
  }
  __device__ int all(int predicate) const {
    auto both = [](int a, int b) { return a & b; };
    return __over_warps(__all_sync(0xffffffffu, predicate), both);
  }
};

template <unsigned int Size, class Parent = void>
class thread_block_tile : public __tile<Size, Size <= 32> {
  static_assert(Size > 0 && Size <= 1024 && (Size & (Size - 1)) == 0,
                "a tile has a power of two threads, at most 1024");
  using __base = __tile<Size, Size <= 32>;

  template <class Group>
  struct of {
    __device__ static unsigned int rank() { return details::thread_in_block(); }
    __device__ static unsigned int size() { return details::threads_of_block(); }
  };
  template <unsigned int Outer, class Any>
  struct of<thread_block_tile<Outer, Any>> {
    __device__ static unsigned int rank() { return thread_block_tile<Outer, Any>::thread_rank(); }
    __device__ static unsigned int size() { return Outer; }
  };

 public:
  thread_block_tile() = default;
  __device__ explicit thread_block_tile(void* memory) : __base(memory) {}
  // The group that a tile was made of may be forgotten.
  template <class Other>
  __device__ thread_block_tile(const thread_block_tile<Size, Other>& tile)
      : __base(static_cast<const __base&>(tile)) {}
  __device__ static constexpr unsigned int num_threads() { return Size; }
  __device__ static constexpr unsigned int size() { return Size; }
  __device__ static unsigned int meta_group_rank() { return of<Parent>::rank() / Size; }
  __device__ static unsigned int meta_group_size() { return (of<Parent>::size() + Size - 1) / Size; }
};
template <unsigned int Size, class Parent>
__PTXCC_DEVICE__ thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  static_assert(Size <= 32, "a tile of several warps is made of the block");
  return {};
}
template <unsigned int Size>
__PTXCC_DEVICE__ thread_block_tile<Size, thread_block> tiled_partition(const thread_block& block) {
  return thread_block_tile<Size, thread_block>(block.__memory());
}
__PTXCC_DEVICE__ thread_block_tile<1> this_thread() {
  return {};
}

class coalesced_group : public __warp_part<coalesced_group> {
  unsigned int mask_, rank_ = 0, groups_ = 1;

  __device__ int lane_of(unsigned int rank) const {
    unsigned int left = mask_;
    for (unsigned int i = 0; i < rank; ++i) left &= left - 1;
    return static_cast<int>(details::first_lane(left));
  }
  // Bits of lanes, moved together to bits of ranks.
  __device__ unsigned int by_rank(unsigned int lanes) const {
    unsigned int result = 0, rank = 0;
    for (unsigned int left = mask_; left != 0; left &= left - 1, ++rank)
      if ((lanes & left & (0u - left)) != 0) result |= 1u << rank;
    return result;
  }
  template <class T>
  __device__ T from(const T& value, unsigned int rank) const {
    const int lane = lane_of(rank);
    return details::by_words(value, [=](unsigned int word) { return __shfl_sync(mask_, word, lane); });
  }

 public:
  __device__ explicit coalesced_group(unsigned int mask, unsigned int rank = 0, unsigned int groups = 1)
      : mask_(mask), rank_(rank), groups_(groups) {}
  // A tile within a warp is such a group, too.
  template <unsigned int Size, class Parent>
  __device__ coalesced_group(const thread_block_tile<Size, Parent>& tile)
      : mask_(tile.mask()), rank_(tile.meta_group_rank()), groups_(tile.meta_group_size()) {}
  __device__ unsigned int mask() const { return mask_; }
  __device__ unsigned int thread_rank() const { return details::rank_in(mask_); }
  __device__ unsigned int num_threads() const { return __popc(mask_); }
  __device__ unsigned int size() const { return num_threads(); }
  __device__ unsigned int meta_group_rank() const { return rank_; }
  __device__ unsigned int meta_group_size() const { return groups_; }
  template <class T>
  __device__ T shfl(const T& value, unsigned int rank) const {
    return from(value, rank % num_threads());
  }
  template <class T>
  __device__ T shfl_up(const T& value, unsigned int by) const {
    const unsigned int rank = thread_rank();
    return from(value, rank >= by ? rank - by : rank);
  }
  template <class T>
  __device__ T shfl_down(const T& value, unsigned int by) const {
    const unsigned int rank = thread_rank();
    return from(value, rank + by < num_threads() ? rank + by : rank);
  }
  __device__ unsigned int ballot(int predicate) const { return by_rank(__ballot_sync(mask_, predicate)); }
  template <class T>
  __device__ unsigned int match_any(T value) const {
    return by_rank(__match_any_sync(mask_, value));
  }
  template <class T>
  __device__ unsigned int match_all(T value, int& predicate) const {
    return by_rank(__match_all_sync(mask_, value, &predicate));
  }
};
__PTXCC_DEVICE__ coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}
__PTXCC_DEVICE__ coalesced_group tiled_partition(const coalesced_group& group, unsigned int size) {
  const unsigned int first = group.thread_rank() / size * size;
  unsigned int mask = 0, rank = 0;
  for (unsigned int left = group.mask(); left != 0; left &= left - 1, ++rank)
    if (rank >= first && rank < first + size) mask |= left & (0u - left);
  return coalesced_group(mask, first / size, (group.size() + size - 1) / size);
}

// Those for whom the predicate is the same.
__PTXCC_DEVICE__ coalesced_group binary_partition(const coalesced_group& group, bool predicate) {
  const unsigned int yes = __ballot_sync(group.mask(), predicate);
  return coalesced_group(predicate ? yes : group.mask() & ~yes, predicate ? 0 : 1, 2);
}
// Those whose label is the same; the groups are numbered by their first threads.
template <class Label>
__PTXCC_DEVICE__ coalesced_group labeled_partition(const coalesced_group& group, Label label) {
  static_assert(__is_integral(Label), "a label is an integer");
  const unsigned int same = __match_any_sync(group.mask(), static_cast<long long>(label));
  const unsigned int firsts = __ballot_sync(group.mask(), details::lane() == details::first_lane(same));
  return coalesced_group(same, __popc(firsts & ((1u << details::first_lane(same)) - 1)), __popc(firsts));
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
template <class Group>
__PTXCC_DEVICE__ unsigned int thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
__PTXCC_DEVICE__ unsigned int group_size(const Group& group) {
  return group.size();
}

// One thread of the group calls the function; the others go on, or get what it returned.
template <class Group, class Function, class... Arguments>
__PTXCC_DEVICE__ void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}
template <class Group, class Function, class... Arguments>
__PTXCC_DEVICE__ auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments)
    -> decltype(function(static_cast<Arguments&&>(arguments)...)) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
