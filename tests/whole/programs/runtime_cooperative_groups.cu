// SPDX-License-Identifier: MIT
// Cooperative groups: tiles that forget what they were made of, tiles of tiles and of several warps, parts of
// a warp by a predicate or a label, structs in shuffles, reductions, scans and copies by a group.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

struct Particle {
  double x;
  int id;
  float mass;
};

// Of any group within a warp: its size, its thread's rank, a sum and a sum of those before.
template <class Group>
__device__ void tell(const Group& group, int value, int* out) {
  out[0] = static_cast<int>(group.size());
  out[1] = static_cast<int>(group.thread_rank());
  out[2] = cg::reduce(group, value, cg::plus<int>());
  out[3] = cg::exclusive_scan(group, value);
  out[4] = cg::inclusive_scan(group, value, cg::greater<int>());
}

__global__ void tiles(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const cg::thread_block_tile<16, cg::thread_block> half = cg::tiled_partition<16>(block);
  const auto quarter = cg::tiled_partition<8>(half);
  int* own = out + 12 * block.thread_rank();
  tell(quarter, static_cast<int>(block.thread_rank()), own);
  own[5] = static_cast<int>(quarter.meta_group_rank() * 10 + quarter.meta_group_size());
  own[6] = static_cast<int>(half.meta_group_rank() * 10 + half.meta_group_size());
  const Particle mine = {block.thread_rank() * 0.5, static_cast<int>(block.thread_rank()), 2.0f};
  const Particle first = warp.shfl(mine, 3), before = quarter.shfl_up(mine, 1),
                 after = half.shfl_down(mine, 2), other = warp.shfl_xor(mine, 16);
  own[7] = static_cast<int>(first.x * 100 + first.id);
  own[8] = before.id;
  own[9] = static_cast<int>(after.x * 2 * after.mass);
  own[10] = other.id;
  own[11] = static_cast<int>(cg::this_thread().size() + cg::thread_rank(warp) + cg::group_size(half));
}

__global__ void parts(int* out) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int rank = static_cast<int>(block.thread_rank());
  int* own = out + 20 * rank;
  const cg::coalesced_group yes_or_no = cg::binary_partition(warp, rank % 3 == 0);
  tell(yes_or_no, rank, own);
  own[5] = static_cast<int>(yes_or_no.meta_group_size());
  const auto same = cg::labeled_partition(warp, rank / 5 % 3);
  tell(same, rank, own + 6);
  own[11] = static_cast<int>(same.meta_group_size());
  if (rank % 2 == 1) {
    const auto odd = cg::coalesced_threads();
    const auto four = cg::tiled_partition(odd, 4);
    own[12] = static_cast<int>(odd.size());
    own[13] = four.shfl(rank, 2);
    const auto by_bit = cg::labeled_partition(odd, rank & 4);
    own[14] = cg::reduce(by_bit, rank, cg::less<int>());
    const Particle mine = {rank * 1.5, rank, 0};
    own[15] = static_cast<int>(odd.shfl(mine, 5).x * 2) + odd.shfl_down(mine, 1).id;
    int all_same = -1;
    own[16] = static_cast<int>(odd.match_all(7, all_same));
    own[17] = all_same;
    own[18] = static_cast<int>(odd.match_any(rank & 8));
    own[19] = cg::binary_partition(odd, rank > 10).any(rank == 1);
  }
}

__global__ void wide(const int* in, int* out) {
  __shared__ cg::block_tile_memory<256> memory;
  __shared__ int copied[256];
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<64>(block);
  cg::memcpy_async(block, copied, in, sizeof(int) * block.size());
  cg::wait(block);
  int* own = out + 8 * block.thread_rank();
  const int value = copied[block.thread_rank()];
  own[0] = static_cast<int>(tile.thread_rank());
  own[1] = static_cast<int>(tile.meta_group_rank() * 10 + tile.meta_group_size());
  own[2] = cg::reduce(tile, value, cg::plus<int>());
  own[3] = cg::reduce(tile, value, cg::greater<int>());
  own[4] = tile.any(value == 70) * 10 + tile.all(value < 192);
  copied[tile.meta_group_rank() * 64 + (tile.thread_rank() + 1) % 64] = value * 2;
  tile.sync();
  own[5] = copied[block.thread_rank()];
  block.sync();
  cg::memcpy_async(tile, copied + 64 * tile.meta_group_rank(), 7, in + 1, 9);
  cg::wait(tile);
  own[6] = copied[64 * tile.meta_group_rank() + 6];
  own[7] = copied[64 * tile.meta_group_rank() + 7];
}

template <class Kernel, class... Arguments>
void show(const char* name, int threads, int words, Kernel kernel, Arguments... arguments) {
  int* out;
  cudaMallocManaged(&out, sizeof(int) * threads * words);
  kernel<<<1, threads>>>(arguments..., out);
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s: %s\n", name, cudaGetErrorName(error));
  for (int thread = 0; thread < threads && error == cudaSuccess; thread += threads > 64 ? 21 : 1) {
    printf("%d:", thread);
    for (int i = 0; i < words; ++i) printf(" %d", out[thread * words + i]);
    printf("\n");
  }
  cudaFree(out);
}

int main() {
  int* in;
  cudaMallocManaged(&in, sizeof(int) * 256);
  for (int i = 0; i < 256; ++i) in[i] = i;
  show("tiles", 64, 12, tiles);
  show("parts", 32, 20, parts);
  show("wide", 256, 8, wide, static_cast<const int*>(in));
}
