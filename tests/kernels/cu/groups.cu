// Cooperative groups: tiles, the coalesced threads of a branch.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void group_tiles(const int* in, int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
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
