// Cooperative groups: tiles, the coalesced threads of a branch.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void group_tiles(const int* in, int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  int sum = in[block.thread_rank()];
  for (unsigned int step = tile.size() / 2; step > 0; step /= 2) sum += tile.shfl_down(sum, step);
  sum = tile.shfl(sum, 0);
  const int most = cg::reduce(tile, in[block.thread_rank()], cg::greater<int>());
  out[3 * block.thread_rank()] = sum;
  out[3 * block.thread_rank() + 1] = most;
  out[3 * block.thread_rank() + 2] = static_cast<int>(tile.ballot(tile.thread_rank() % 2 == 0) * 100 + tile.meta_group_rank());
  block.sync();
}
extern "C" __global__ void group_coalesced(const int* in, int* out, int* counter) {
  if (in[threadIdx.x] % 3 == 0) {
    const cg::coalesced_group group = cg::coalesced_threads();
    int first = 0;
    if (group.thread_rank() == 0) first = atomicAdd(counter, static_cast<int>(group.size()));
    out[group.shfl(first, 0) + group.thread_rank()] = in[threadIdx.x];
  }
}
__device__ int sum_of_group(const cg::thread_group& group, int* scratch, int value) {
  const int rank = static_cast<int>(group.thread_rank());
  for (int half = static_cast<int>(group.size()) / 2; half > 0; half /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < half) value += scratch[rank + half];
    group.sync();
  }
  return value;
}
extern "C" __global__ void group_of_any_kind(const int* in, int* out) {
  __shared__ int scratch[128];
  const cg::thread_block block = cg::this_thread_block();
  const int i = static_cast<int>(block.thread_rank());
  const int of_block = sum_of_group(block, scratch, in[i]);
  const cg::thread_group tile = cg::tiled_partition(block, 16);
  const int of_tile = sum_of_group(tile, scratch + i / 16 * 16, in[i]);
  if (i == 0) out[0] = of_block;
  if (tile.thread_rank() == 0) out[1 + i / 16] = of_tile;
}
