// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Occupancy": how many blocks of a kernel fit on a multiprocessor, and
// which block size fills it best. The arithmetic is core/occupancy.hpp's.
#include <algorithm>

#include "core/call.hpp"
#include "core/cluster.hpp"
#include "core/green_context.hpp"
#include "core/occupancy.hpp"

using namespace driver;

namespace {

constexpr int kWarp = 32;

// Measured: a current context is needed, and a CUkernel may be passed instead of a CUfunction: then its
// function in that context is used, which may be made now.
CUresult function_for(const Changing& call, CUfunction handle, const Function*& function) {
  function = Code::get().function(handle);
  if (function != nullptr) return CUDA_SUCCESS;
  Kernel* const kernel = Code::get().kernel(handle);
  if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  Module* module = nullptr;
  if (const CUresult error = kernel->library->module_in(*call.context, module)) return error;
  function = module->function(kernel->code->name);
  return CUDA_SUCCESS;
}

CUresult blocks(int* count, CUfunction handle, int threads, std::size_t shared) {
  const Changing call;
  if (call.error) return call.error;
  if (count == nullptr || threads <= 0) return CUDA_ERROR_INVALID_VALUE;
  const Function* function = nullptr;
  if (const CUresult error = function_for(call, handle, function)) return error;
  *count = blocks_per_multiprocessor(*function, threads, shared);
  return CUDA_SUCCESS;
}

// The largest number of threads at once; of equals the largest block.
CUresult best_block(int* grid, int* block, CUfunction handle, CUoccupancyB2DSize shared_of,
                    std::size_t shared, int limit) {
  const Changing call;
  if (call.error) return call.error;
  if (grid == nullptr || block == nullptr || limit < 0) return CUDA_ERROR_INVALID_VALUE;
  const Function* function = nullptr;
  if (const CUresult error = function_for(call, handle, function)) return error;
  int most = static_cast<int>(most_threads_of(*function->code));
  if (limit > 0) most = std::min(most, limit);
  int best = 0, best_threads = 0, best_blocks = 0;
  for (int threads = (most + kWarp - 1) / kWarp * kWarp; threads > 0; threads -= kWarp) {
    const int tried = std::min(threads, most);
    const int held =
        blocks_per_multiprocessor(*function, tried, shared_of != nullptr ? shared_of(tried) : shared);
    if (held * tried <= best) continue;
    best = held * tried;
    best_threads = tried;
    best_blocks = held;
  }
  *block = best_threads;
  // Of a green context only its own multiprocessors count (truth green_smid, step 38).
  *grid = best_blocks * static_cast<int>(share_of(current_of(*call.context)).count());
  return CUDA_SUCCESS;
}

// A question about clusters. Measured: a missing function is 1 here, and arguments are looked at before the
// context (truth occupancy_clusters, steps 6 to 11).
struct AboutClusters {
  AboutClusters(int* result, CUfunction handle, const CUlaunchConfig* config) {
    if (result == nullptr || handle == nullptr || config == nullptr) {
      error = CUDA_ERROR_INVALID_VALUE;
      return;
    }
    const Changing call;
    error = call.error;
    const Function* function = nullptr;
    if (!error) error = function_for(call, handle, function);
    if (!error) error = read(*config, *function);
    if (error) return;
    const std::uint64_t threads = std::uint64_t{config->blockDimX} * config->blockDimY * config->blockDimZ;
    if (threads > most_threads_of(*function->code)) return;
    const int count = static_cast<int>(threads);
    fits = blocks_per_multiprocessor(*function, count, config->sharedMemBytes) > 0;
    largest = static_cast<int>(largest_cluster(*function));
    if (size != 0)
      active =
          most_active_clusters(*function, count, config->sharedMemBytes, size, current_of(*call.context));
  }

  CUresult error = CUDA_SUCCESS;
  bool fits = false;  // one block
  int largest = 0;    // cluster that the function permits
  int active = 0;     // 0 for a launch without clusters

 private:
  CUresult read(const CUlaunchConfig& config, const Function& function) {
    const unsigned grid[] = {config.gridDimX, config.gridDimY, config.gridDimZ};
    const unsigned block[] = {config.blockDimX, config.blockDimY, config.blockDimZ};
    const auto is_zero = [](unsigned n) { return n == 0; };
    if (std::ranges::any_of(grid, is_zero) || std::ranges::any_of(block, is_zero) ||
        (config.numAttrs != 0 && config.attrs == nullptr))
      return CUDA_ERROR_INVALID_VALUE;
    if (!has_clusters(function.module->context().device())) return CUDA_ERROR_NOT_SUPPORTED;
    ClusterSize wish = {0, 0, 0};
    for (unsigned i = 0; i < config.numAttrs; ++i) {
      if (config.attrs[i].id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) continue;
      const auto& said = config.attrs[i].value.clusterDim;
      wish = {said.x, said.y, said.z};
      if (std::ranges::any_of(wish, is_zero)) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    }
    // Measured: a size that no launch could have gives 0 clusters where the function need not be portable.
    if (function.settings().cluster.non_portable && blocks_of(wish) > kLargestCluster) {
      size = blocks_of(wish);
      return CUDA_SUCCESS;
    }
    ClusterSize found = wish;
    bool is_explicit = false;
    const CUresult refused = cluster_of_launch(function, wish, grid, found, is_explicit);
    size = is_explicit ? blocks_of(found) : 0;
    return refused;
  }

  unsigned size = 0;  // of a cluster, in blocks; 0 when the launch has none
};

}  // namespace

// cuOccupancyMaxActiveClusters. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE,
// INVALID_CLUSTER_SIZE, UNKNOWN. A device without clusters gives NOT_SUPPORTED. Measured: a launch without
// clusters gives 0, as does one that does not fit.
CUresult CUDAAPI cuOccupancyMaxActiveClusters(int* count, CUfunction function, const CUlaunchConfig* config) {
  const AboutClusters asked(count, function, config);
  if (asked.error) return asked.error;
  *count = asked.active;
  return CUDA_SUCCESS;
}

// cuOccupancyMaxPotentialClusterSize. Errors: as cuOccupancyMaxActiveClusters. Measured: 8, or 16 for a
// function that need not be portable, and 0 for blocks that do not fit.
CUresult CUDAAPI cuOccupancyMaxPotentialClusterSize(int* size, CUfunction function,
                                                    const CUlaunchConfig* config) {
  const AboutClusters asked(size, function, config);
  if (asked.error) return asked.error;
  *size = asked.fits ? asked.largest : 0;
  return CUDA_SUCCESS;
}

// cuOccupancyMaxActiveBlocksPerMultiprocessor. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT,
// INVALID_VALUE, UNKNOWN.
CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessor(int* count, CUfunction function, int threads,
                                                             std::size_t shared) {
  return blocks(count, function, threads, shared);
}

// cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags. Errors: as without flags.
CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* count, CUfunction function,
                                                                      int threads, std::size_t shared,
                                                                      unsigned int flags) {
  if (flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE) return CUDA_ERROR_INVALID_VALUE;
  return blocks(count, function, threads, shared);
}

// cuOccupancyMaxPotentialBlockSize. Errors: as cuOccupancyMaxActiveBlocksPerMultiprocessor. Measured: a
// negative limit gives 1, 0 is none.
CUresult CUDAAPI cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function,
                                                  CUoccupancyB2DSize shared_of, std::size_t shared,
                                                  int limit) {
  return best_block(grid, block, function, shared_of, shared, limit);
}

// cuOccupancyMaxPotentialBlockSizeWithFlags. Errors: as without flags.
CUresult CUDAAPI cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                                           CUoccupancyB2DSize shared_of, std::size_t shared,
                                                           int limit, unsigned int flags) {
  if (flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE) return CUDA_ERROR_INVALID_VALUE;
  return best_block(grid, block, function, shared_of, shared, limit);
}

// cuOccupancyAvailableDynamicSMemPerBlock. Errors: as cuOccupancyMaxActiveBlocksPerMultiprocessor.
CUresult CUDAAPI cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, CUfunction handle, int count,
                                                         int threads) {
  const Changing call;
  if (call.error) return call.error;
  if (bytes == nullptr || count <= 0 || threads <= 0) return CUDA_ERROR_INVALID_VALUE;
  const Function* function = nullptr;
  if (const CUresult error = function_for(call, handle, function)) return error;
  if (blocks_per_multiprocessor(*function, threads, 0) < count) return CUDA_ERROR_INVALID_VALUE;
  const Device& device = function->module->context().device();
  const auto figure = [&](CUdevice_attribute attribute) {
    return static_cast<std::size_t>(std::max(0, device.attribute(attribute).value_or(0)));
  };
  const std::size_t share =
      figure(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) / static_cast<std::size_t>(count);
  // Measured: not more than a launch would be given, and what the system takes of each block is not deducted.
  const std::size_t taken = static_shared(*function);
  const std::size_t most = function->settings().most_dynamic_shared(taken);
  *bytes = share > taken ? std::min(share - taken, most) : 0;
  return CUDA_SUCCESS;
}
