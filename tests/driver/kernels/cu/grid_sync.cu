// All blocks of a grid wait for each other, several times.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void grid_sync(int* a, int* b, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank()), n = static_cast<int>(grid.size());
  for (int round = 0; round < rounds; ++round) {
    b[i] = a[(i + 1) % n] + 1;
    grid.sync();
    a[i] = b[(i + 1) % n] + 1;
    grid.sync();
  }
}
