// SPDX-License-Identifier: MIT
// Clusters of blocks: how large those of a launch are, and how many fit on a device at the same time.
//
// A launch may wish for a size, and a kernel may require one. All of it is measured (truth cluster_launches,
// cluster_kernel, occupancy_clusters). A device has clusters from compute capability 9.0 on.
#pragma once

#include <array>

#include "core/code.hpp"

namespace driver {

using ClusterSize = std::array<unsigned, 3>;  // in blocks; zeros for none

// How many blocks there can be in a cluster without, and with, the function's permission to be not portable.
inline constexpr unsigned kPortableCluster = 8;
inline constexpr unsigned kLargestCluster = 16;

bool has_clusters(const Device& device);
unsigned blocks_of(const ClusterSize& size);
unsigned largest_cluster(const Function& function);

// The size that a launch of such a grid has, ones without clusters. INVALID_CLUSTER_SIZE where the wish is
// not what the kernel requires, or no multiple of it is the grid; NOT_SUPPORTED on a device without clusters.
CUresult cluster_of_launch(const Function& function, const ClusterSize& wish, const unsigned* grid,
                           ClusterSize& size, bool& is_explicit);

// How many clusters of so many blocks are on the multiprocessors of a context at the same time.
int most_active_clusters(const Function& function, int threads, std::uint64_t dynamic_shared, unsigned blocks,
                         const Context& context);

}  // namespace driver
