// SPDX-License-Identifier: MIT
// The manual's chapters "Execution Control" and "Occupancy", except launches, which are in
// on_stream/launch.cpp.
//
// Each call works on the driver's function for the program's kernel in the current context.
#include "code.hpp"

using namespace cudart;

namespace {

// An attribute of the runtime's struct.
template <class T>
CUresult read(T& value, CUfunction_attribute attribute, CUfunction function) {
  int number = 0;
  const CUresult error = cuFuncGetAttribute(&number, attribute, function);
  value = static_cast<T>(number);
  return error;
}

// What is one call of the driver about the function.
template <class Call>
cudaError_t with_function(const void* host, Call call) {
  return with_context([&] {
    CUfunction function = nullptr;
    const CUresult error = find_function(host, function);
    return error != CUDA_SUCCESS ? error : call(function);
  });
}

}  // namespace

// cudaFuncGetAttributes. Errors: InvalidDeviceFunction.
cudaError_t CUDARTAPI cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* host) {
  return with_context([&] {
    if (attributes == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUfunction function = nullptr;
    CUresult error = find_function(host, function);
    *attributes = {};
    const auto get = [&](auto& value, CUfunction_attribute attribute) {
      if (error == CUDA_SUCCESS) error = read(value, attribute, function);
    };
    get(attributes->sharedSizeBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    get(attributes->constSizeBytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
    get(attributes->localSizeBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
    get(attributes->maxThreadsPerBlock, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    get(attributes->numRegs, CU_FUNC_ATTRIBUTE_NUM_REGS);
    get(attributes->ptxVersion, CU_FUNC_ATTRIBUTE_PTX_VERSION);
    get(attributes->binaryVersion, CU_FUNC_ATTRIBUTE_BINARY_VERSION);
    get(attributes->cacheModeCA, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA);
    get(attributes->maxDynamicSharedSizeBytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    get(attributes->preferredShmemCarveout, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
    get(attributes->clusterDimMustBeSet, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET);
    get(attributes->requiredClusterWidth, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
    get(attributes->requiredClusterHeight, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT);
    get(attributes->requiredClusterDepth, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH);
    get(attributes->clusterSchedulingPolicyPreference,
        CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE);
    get(attributes->nonPortableClusterSizeAllowed, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
    return error;
  });
}

// cudaFuncSetAttribute. Errors: InvalidDeviceFunction, InvalidValue.
cudaError_t CUDARTAPI cudaFuncSetAttribute(const void* host, cudaFuncAttribute attribute, int value) {
  return with_function(host, [&](CUfunction function) {
    return cuFuncSetAttribute(function, static_cast<CUfunction_attribute>(attribute), value);
  });
}

// cudaFuncSetCacheConfig. Errors: InvalidDeviceFunction.
cudaError_t CUDARTAPI cudaFuncSetCacheConfig(const void* host, cudaFuncCache config) {
  return with_function(host, [&](CUfunction function) {
    return cuFuncSetCacheConfig(function, static_cast<CUfunc_cache>(config));
  });
}

// cudaFuncSetSharedMemConfig. Errors: InvalidDeviceFunction, InvalidValue.
cudaError_t CUDARTAPI cudaFuncSetSharedMemConfig(const void* host, cudaSharedMemConfig config) {
  return with_function(host, [&](CUfunction function) {
    return cuFuncSetSharedMemConfig(function, static_cast<CUsharedconfig>(config));
  });
}

// cudaFuncGetName. Errors: InvalidValue, InvalidDeviceFunction.
cudaError_t CUDARTAPI cudaFuncGetName(const char** name, const void* host) {
  return with_function(host, [&](CUfunction function) { return cuFuncGetName(name, function); });
}

// cudaFuncGetParamInfo. Errors: InvalidValue, InvalidDeviceFunction.
cudaError_t CUDARTAPI cudaFuncGetParamInfo(const void* host, size_t index, size_t* offset, size_t* size) {
  return with_function(
      host, [&](CUfunction function) { return cuFuncGetParamInfo(function, index, offset, size); });
}

// cudaOccupancyMaxActiveBlocksPerMultiprocessor. Errors: InvalidDevice, InvalidDeviceFunction, InvalidValue,
// Unknown.
cudaError_t CUDARTAPI cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* host,
                                                                    int block_size, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, host, block_size, shared,
                                                                cudaOccupancyDefault);
}

// cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags. Errors: as above.
cudaError_t CUDARTAPI cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* host,
                                                                             int block_size, size_t shared,
                                                                             unsigned int flags) {
  return with_function(host, [&](CUfunction function) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, shared, flags);
  });
}

// cudaOccupancyAvailableDynamicSMemPerBlock. Errors: as above.
cudaError_t CUDARTAPI cudaOccupancyAvailableDynamicSMemPerBlock(size_t* size, const void* host, int blocks,
                                                                int block_size) {
  return with_function(host, [&](CUfunction function) {
    return cuOccupancyAvailableDynamicSMemPerBlock(size, function, blocks, block_size);
  });
}
