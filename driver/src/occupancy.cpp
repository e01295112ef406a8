// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Occupancy": how many blocks of a kernel fit on a multiprocessor, and
// which block size fills it best. The arithmetic is core/occupancy.hpp's.
#include <algorithm>

#include "core/call.hpp"
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

}  // namespace

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
