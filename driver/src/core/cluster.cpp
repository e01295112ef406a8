// SPDX-License-Identifier: MIT
// See cluster.hpp. The blocks of a cluster lie in one group of multiprocessors.
#include "core/cluster.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/device_resource.hpp"
#include "core/green_context.hpp"
#include "core/occupancy.hpp"

namespace driver {
namespace {

// An H200 has 132 multiprocessors. So are they grouped on the one that was measured: what follows from it is
// what the card returned for clusters of 2 to 16 blocks (truth occupancy_clusters). On other cards of this
// kind other multiprocessors are switched off. Of any other number, groups of 16 are assumed.
std::vector<int> groups_of(int multiprocessors) {
  if (multiprocessors == 132) return {18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2};
  constexpr int kGroup = 16;
  std::vector<int> groups(static_cast<std::size_t>(multiprocessors / kGroup), kGroup);
  if (multiprocessors % kGroup != 0) groups.push_back(multiprocessors % kGroup);
  return groups;
}

// Not more of them than this count on a multiprocessor where blocks come in clusters.
constexpr int kMostBlocks = 8;

// What the kernel's code or its attributes require; false if they say something that no cluster can be.
bool required_by(const Function& function, ClusterSize& size) {
  const unsigned* const said = function.code->required_cluster;
  size = said[0] != 0 ? ClusterSize{said[0], said[1], said[2]} : function.settings().cluster.required;
  const auto zeros = std::count(size.begin(), size.end(), 0U);
  return zeros == 0 || zeros == 3;
}

}  // namespace

bool has_clusters(const Device& device) {
  return device.attribute(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH).value_or(0) != 0;
}

// Whatever the numbers are, the result fits.
unsigned blocks_of(const ClusterSize& size) {
  std::uint64_t blocks = 1;
  for (const unsigned side : size)
    blocks = std::min<std::uint64_t>(blocks * side, std::numeric_limits<unsigned>::max());
  return static_cast<unsigned>(blocks);
}

unsigned largest_cluster(const Function& function) {
  return function.settings().cluster.non_portable ? kLargestCluster : kPortableCluster;
}

CUresult cluster_of_launch(const Function& function, const ClusterSize& wish, const unsigned* grid,
                           ClusterSize& size, bool& is_explicit) {
  constexpr ClusterSize kNone = {0, 0, 0}, kAlone = {1, 1, 1};
  size = kAlone;
  is_explicit = false;
  if (!has_clusters(function.module->context().device()))
    return blocks_of(wish) > 1 ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
  ClusterSize required = kNone;
  if (!required_by(function, required)) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  if (wish == kNone && required == kNone)
    return function.code->explicit_cluster ? CUDA_ERROR_INVALID_CLUSTER_SIZE : CUDA_SUCCESS;
  if (wish != kNone && required != kNone && wish != required) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  size = wish != kNone ? wish : required;
  is_explicit = true;
  const unsigned blocks = blocks_of(size), most = function.code->max_cluster;
  if (blocks == 0 || blocks > largest_cluster(function) || (most != 0 && blocks > most))
    return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  for (std::size_t axis = 0; axis < size.size(); ++axis)
    if (grid[axis] % size[axis] != 0) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  return CUDA_SUCCESS;
}

int most_active_clusters(const Function& function, int threads, std::uint64_t dynamic_shared, unsigned blocks,
                         const Context& context) {
  const int held = std::min(kMostBlocks, blocks_per_multiprocessor(function, threads, dynamic_shared));
  const int share = static_cast<int>(share_of(context).count());
  int clusters = 0;
  for (const int group : groups_of(share))
    if (blocks <= static_cast<unsigned>(group)) clusters += held * group / static_cast<int>(blocks);
  return clusters;
}

}  // namespace driver
