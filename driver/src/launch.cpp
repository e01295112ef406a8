// Entry points of the manual's chapter "Execution Control": launching, and what functions are.
//
// What goes wrong in a kernel is told by the next call that waits, and by every call after it (truth
// sticky_illegal_address, sticky_trap).
#include <algorithm>

#include "core/call.hpp"
#include "core/code.hpp"
#include "core/launching.hpp"
#include "core/stream.hpp"
#include "core/twins.hpp"
#include "ptx/interpret.hpp"

using namespace driver;

namespace {

constexpr unsigned kMostThreads = 1024;
constexpr unsigned kStaticSharedLimit = 48 * 1024;
constexpr int kMostOptInShared = 99 * 1024;

// The attributes of a launch that this driver follows; others that the manual knows ask for what has no
// effect on a result (a priority, a carveout, overlap), or for clusters, which this device does not have.
CUresult read_attributes(const CUlaunchConfig& config, Blocks& blocks) {
  if (config.numAttrs != 0 && config.attrs == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config.attrs[i];
    switch (attribute.id) {
      case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        blocks = attribute.value.cooperative != 0 ? Blocks::Cooperative : Blocks::Independent;
        break;
      case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION: {
        const auto& cluster = attribute.value.clusterDim;
        if (cluster.x > 1 || cluster.y > 1 || cluster.z > 1) return CUDA_ERROR_NOT_SUPPORTED;
        break;
      }
      case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
      case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
      case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
        return CUDA_ERROR_NOT_SUPPORTED;
      default:
        if (attribute.id < 0 || attribute.id > CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
          return CUDA_ERROR_INVALID_VALUE;
    }
  }
  return CUDA_SUCCESS;
}

CUresult launch_by(const CUlaunchConfig* config, CUstream stream, CUfunction handle,
                   const Arguments& arguments) {
  if (const CUresult error = Driver::ready()) return error;
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Blocks blocks = Blocks::Independent;
  if (const CUresult error = read_attributes(*config, blocks)) return error;
  const Shape shape{{config->gridDimX, config->gridDimY, config->gridDimZ},
                    {config->blockDimX, config->blockDimY, config->blockDimZ},
                    config->sharedMemBytes};
  return launch(handle, shape, stream, arguments, blocks);
}

Function* plain_function(CUfunction handle) {
  return Code::get().function(handle);
}

}  // namespace

// cuLaunchKernel. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE, INVALID_IMAGE,
// INVALID_VALUE, LAUNCH_FAILED, LAUNCH_OUT_OF_RESOURCES, LAUNCH_TIMEOUT, LAUNCH_INCOMPATIBLE_TEXTURING,
// SHARED_OBJECT_INIT_FAILED, NOT_FOUND.
ON_STREAM(cuLaunchKernel,
          (CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
           unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, CUstream stream,
           void** parameters, void** extra),
          launch(f, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes}, stream,
                 {parameters, extra}))

// cuLaunchCooperativeKernel. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE,
// INVALID_IMAGE, INVALID_VALUE, LAUNCH_FAILED, LAUNCH_OUT_OF_RESOURCES, LAUNCH_TIMEOUT,
// LAUNCH_INCOMPATIBLE_TEXTURING, COOPERATIVE_LAUNCH_TOO_LARGE, SHARED_OBJECT_INIT_FAILED, NOT_FOUND.
// Measured: cooperative, step 1 (more blocks than fit at once) is 720.
ON_STREAM(cuLaunchCooperativeKernel,
          (CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
           unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, CUstream stream,
           void** parameters),
          launch(f, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes}, stream,
                 {parameters, nullptr}, Blocks::Cooperative))

// cuLaunchKernelEx. Errors: as cuLaunchKernel's, and COOPERATIVE_LAUNCH_TOO_LARGE.
CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** parameters,
                                  void** extra) {
  return launch_by(config, config != nullptr ? config->hStream : nullptr, f, {parameters, extra});
}

CUresult CUDAAPI cuLaunchKernelEx_ptsz(const CUlaunchConfig* config, CUfunction f, void** parameters,
                                       void** extra) {
  return launch_by(config, or_per_thread(config != nullptr ? config->hStream : nullptr), f,
                   {parameters, extra});
}

// cuFuncGetName. Errors: INVALID_VALUE.
CUresult CUDAAPI cuFuncGetName(const char** name, CUfunction handle) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Function* function = plain_function(handle);
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *name = function->code->name.c_str();
  return CUDA_SUCCESS;
}

// cuFuncGetModule. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, NOT_FOUND.
CUresult CUDAAPI cuFuncGetModule(CUmodule* module, CUfunction handle) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Function* function = plain_function(handle);
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *module = function->module->handle();
  return CUDA_SUCCESS;
}

// cuFuncGetParamInfo. Errors: INVALID_VALUE. Measured: behind the last parameter 1 (launch_rest, step 25).
CUresult CUDAAPI cuFuncGetParamInfo(CUfunction handle, std::size_t index, std::size_t* offset,
                                    std::size_t* size) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  const Function* function = plain_function(handle);
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (offset == nullptr || index >= function->code->parameters.size()) return CUDA_ERROR_INVALID_VALUE;
  *offset = function->code->parameters[index].offset;
  if (size != nullptr) *size = function->code->parameters[index].size;
  return CUDA_SUCCESS;
}

// cuFuncGetAttribute. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction handle) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Function* function = plain_function(handle);
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const ptx::Module& tree = function->module->image().tree;
  const Device& device = function->module->context().device();
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = function->code->max_threads != 0 ? static_cast<int>(function->code->max_threads)
                                                : int{kMostThreads};
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(ptx::shared_bytes(tree, *function->code));
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(ptx::local_bytes(*function->code));
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: {
      std::uint64_t bytes = 0;
      for (const ptx::Variable& variable : tree.variables)
        bytes += variable.space == ptx::Space::Const ? variable.size : 0;
      *value = static_cast<int>(bytes);
      return CUDA_SUCCESS;
    }
    // The target that the PTX was written for, as the real driver says (truth module, step 29).
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *value = tree.target_number;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = *device.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
               *device.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = static_cast<int>(function->max_dynamic_shared);
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
}

// cuFuncSetAttribute. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  Function* function = plain_function(handle);
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return CUDA_ERROR_NOT_SUPPORTED;
  const int taken = static_cast<int>(ptx::shared_bytes(function->module->image().tree, *function->code));
  if (value < 0 || value > kMostOptInShared - taken) return CUDA_ERROR_INVALID_VALUE;
  function->max_dynamic_shared =
      std::max(static_cast<unsigned>(value), kStaticSharedLimit - static_cast<unsigned>(taken));
  return CUDA_SUCCESS;
}
