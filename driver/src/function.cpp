// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Execution Control" that get and set properties of functions; the same
// for kernels of libraries, whose handles refer to the function in the current context.
#include <algorithm>

#include "core/call.hpp"
#include "core/cluster.hpp"
#include "core/code.hpp"
#include "core/log.hpp"
#include "core/occupancy.hpp"
#include "ptx/interpret.hpp"

using namespace driver;

namespace {

constexpr int kStaticSharedLimit = FunctionSettings::kUsualShared;

CUresult parameter(const ptx::Function& code, std::size_t index, std::size_t* offset, std::size_t* size) {
  if (offset == nullptr || index >= code.parameters.size()) return CUDA_ERROR_INVALID_VALUE;
  *offset = code.parameters[index].offset;
  if (size != nullptr) *size = code.parameters[index].size;
  return CUDA_SUCCESS;
}

std::uint64_t constant_bytes(const ptx::Module& tree) {
  std::uint64_t bytes = 0;
  for (const ptx::Variable& variable : tree.variables)
    bytes += variable.space == ptx::Space::Const ? variable.size : 0;
  return bytes;
}

// What is asked: a function, or a kernel on a device.
struct Asked {
  const Image& image;
  const ptx::Function& code;
  const Device& device;
  FunctionSettings settings;
  std::uint64_t shared;  // static, in bytes
};

Asked asked(const Function& function) {
  return {function.module->image(), *function.code, function.module->context().device(), function.settings(),
          static_shared(function)};
}

Asked asked(Kernel& kernel, const Device& device) {
  const Image& image = kernel.library->image();
  return {image, *kernel.code, device, kernel.settings[device.ordinal()],
          ptx::shared_bytes(image.tree, *kernel.code)};
}

// Truth launch_limits, steps 22 to 81.
CUresult ask(const Asked& function, CUfunction_attribute attribute, int& value) {
  const ptx::Module& tree = function.image.tree;
  const ptx::Function& code = function.code;
  const int shared = static_cast<int>(function.shared);
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      value = static_cast<int>(most_threads_of(code));
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      value = shared;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      value = static_cast<int>(constant_bytes(tree));
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      value = static_cast<int>(ptx::local_bytes(code));
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      value = estimated_registers(code, function.image.most_registers);
      return CUDA_SUCCESS;
    // The target that the PTX was written for, as the real driver says (truth module, step 29).
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      value = tree.target_number;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      value = capability_of(function.device);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      value = static_cast<int>(function.settings.most_dynamic_shared(function.shared));
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      value = function.settings.carveout;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      value = 0;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
      value = code.explicit_cluster ? 1 : 0;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: {
      const auto axis = static_cast<std::size_t>(attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
      const bool by_code = code.required_cluster[0] != 0;
      value = static_cast<int>(by_code ? code.required_cluster[axis]
                                       : function.settings.cluster.required.at(axis));
      return CUDA_SUCCESS;
    }
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      value = function.settings.cluster.non_portable ? 1 : 0;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      value = function.settings.cluster.policy;
      return CUDA_SUCCESS;
    default:
      return refuse(CUDA_ERROR_INVALID_VALUE,
                    "Invalid CUfunction_attribute value " + std::to_string(attribute));
  }
}

// Truth occupancy_clusters, steps 114 to 174; cluster_kernel, step 31.
CUresult set_cluster(const Asked& function, ClusterSettings& settings, CUfunction_attribute attribute,
                     int value) {
  if (!has_clusters(function.device)) return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: {
      const auto axis = static_cast<std::size_t>(attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
      if (value < 0) return CUDA_ERROR_INVALID_VALUE;
      // What the code requires can only be said again (truth cluster_required).
      if (function.code.required_cluster[0] != 0)
        return function.code.required_cluster[axis] == static_cast<unsigned>(value)
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_INVALID_VALUE;
      settings.required.at(axis) = static_cast<unsigned>(value);
      return CUDA_SUCCESS;
    }
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      settings.non_portable = value != 0;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      if (value < CU_CLUSTER_SCHEDULING_POLICY_DEFAULT || value > CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING)
        return CUDA_ERROR_INVALID_VALUE;
      settings.policy = value;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// Truth launch_limits, steps 82 to 85; launch_rest, steps 27 to 29.
CUresult set(const Asked& function, FunctionSettings& settings, CUfunction_attribute attribute, int value) {
  if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) {
    if (value < -1 || value > 100) return CUDA_ERROR_INVALID_VALUE;
    settings.carveout = value;
    return CUDA_SUCCESS;
  }
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    return set_cluster(function, settings.cluster, attribute, value);
  const int taken = static_cast<int>(function.shared);
  const int most = function.device.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
                       .value_or(kStaticSharedLimit);
  if (value < 0) return CUDA_ERROR_INVALID_VALUE;
  if (value > most - taken)
    return refuse(CUDA_ERROR_INVALID_VALUE, "Requested dynamic shared memory size is larger than limit");
  settings.max_dynamic_shared = static_cast<unsigned>(value);
  return CUDA_SUCCESS;
}

// What is said of a kernel on a device is kept with the kernel, and its functions there begin with it.
CUresult kernel_on(CUkernel handle, CUdevice device_handle, Kernel*& kernel, Device*& device) {
  kernel = Code::get().kernel(handle);
  if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  device = Driver::get().device(device_handle);
  return device != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

bool is_cache_config(CUfunc_cache config) {
  return config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL;
}

}  // namespace

// cuFuncGetName. Errors: INVALID_VALUE. Measured: no function gives 1, as it does to cuFuncGetModule.
CUresult CUDAAPI cuFuncGetName(const char** name, CUfunction handle) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (name == nullptr || handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Function* function = Code::get().function(handle);
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *name = function->code->name.c_str();
  return CUDA_SUCCESS;
}

// cuFuncGetModule. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, NOT_FOUND.
CUresult CUDAAPI cuFuncGetModule(CUmodule* module, CUfunction handle) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (module == nullptr || handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Function* function = Code::get().function(handle);
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *module = function->module->handle();
  return CUDA_SUCCESS;
}

// cuFuncGetParamInfo. Errors: INVALID_VALUE. Measured: behind the last parameter 1 (launch_rest, step 25),
// and of no function.
CUresult CUDAAPI cuFuncGetParamInfo(CUfunction handle, std::size_t index, std::size_t* offset,
                                    std::size_t* size) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Function* function = Code::get().function(handle);
  return function == nullptr ? CUDA_ERROR_INVALID_HANDLE : parameter(*function->code, index, offset, size);
}

// cuKernelGetParamInfo. Errors: INVALID_VALUE. Measured: it needs a current context, and no kernel gives 1.
CUresult CUDAAPI cuKernelGetParamInfo(CUkernel handle, std::size_t index, std::size_t* offset,
                                      std::size_t* size) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (const CUresult error = current_context(context)) return error;
  const Kernel* kernel = Code::get().kernel(handle);
  return kernel == nullptr ? CUDA_ERROR_INVALID_HANDLE : parameter(*kernel->code, index, offset, size);
}

// cuFuncGetAttribute. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction handle) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Function* function = Code::get().function(handle);
  return function == nullptr ? CUDA_ERROR_INVALID_HANDLE : ask(asked(*function), attribute, *value);
}

// cuFuncSetAttribute. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  Function* function = Code::get().function(handle);
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  FunctionSettings settings = function->settings();
  const CUresult error = set(asked(*function), settings, attribute, value);
  if (error) return error;
  if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
    function->own_carveout = settings.carveout;
  else if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    function->own_max_dynamic_shared = settings.max_dynamic_shared;
  else
    function->own_cluster = settings.cluster;
  return CUDA_SUCCESS;
}

// cuKernelGetAttribute. Errors: INVALID_VALUE, INVALID_HANDLE, OUT_OF_MEMORY. Measured: it needs no current
// context, and an unknown device gives 101.
CUresult CUDAAPI cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel handle,
                                      CUdevice device_handle) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Kernel* kernel = nullptr;
  Device* device = nullptr;
  if (const CUresult error = kernel_on(handle, device_handle, kernel, device)) return error;
  return ask(asked(*kernel, *device), attribute, *value);
}

// cuKernelSetAttribute. Errors: INVALID_VALUE, INVALID_HANDLE, OUT_OF_MEMORY. Measured: as above; the value
// also applies to the kernel's functions on that device, except those that have a value of their own from
// cuFuncSetAttribute. Such a value does not change the kernel.
CUresult CUDAAPI cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel handle,
                                      CUdevice device_handle) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  Kernel* kernel = nullptr;
  Device* device = nullptr;
  if (const CUresult error = kernel_on(handle, device_handle, kernel, device)) return error;
  return set(asked(*kernel, *device), kernel->settings[device->ordinal()], attribute, value);
}

// cuFuncSetCacheConfig. Errors: INVALID_VALUE, DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT. A wish
// that changes no result.
CUresult CUDAAPI cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache config) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (Code::get().function(handle) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return is_cache_config(config) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// cuKernelSetCacheConfig. Errors: INVALID_VALUE, INVALID_HANDLE, OUT_OF_MEMORY. Measured: an unknown device
// gives 101.
CUresult CUDAAPI cuKernelSetCacheConfig(CUkernel handle, CUfunc_cache config, CUdevice device_handle) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  Kernel* kernel = nullptr;
  Device* device = nullptr;
  if (const CUresult error = kernel_on(handle, device_handle, kernel, device)) return error;
  return is_cache_config(config) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// cuFuncSetSharedMemConfig. Errors: INVALID_VALUE, DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT. Banks are
// four bytes wide whatever is wished.
CUresult CUDAAPI cuFuncSetSharedMemConfig(CUfunction handle, CUsharedconfig config) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (Code::get().function(handle) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const bool known =
      config >= CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE && config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE;
  return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// cuFuncIsLoaded. Errors: INVALID_VALUE. Measured: a function from cuModuleGetFunction or cuKernelGetFunction
// is loaded, one from cuModuleEnumerateFunctions only after cuFuncLoad or a launch, and asking for an
// attribute does not load it (is_loaded, step 6; loading, steps 13 to 39). With CUDA_MODULE_LOADING=EAGER all
// are loaded (loading_EAGER).
CUresult CUDAAPI cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction handle) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Function* function = Code::get().function(handle);
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *state = function->loaded.load(std::memory_order_relaxed) ? CU_FUNCTION_LOADING_STATE_LOADED
                                                            : CU_FUNCTION_LOADING_STATE_UNLOADED;
  return CUDA_SUCCESS;
}

// cuFuncLoad. Errors: INVALID_VALUE.
CUresult CUDAAPI cuFuncLoad(CUfunction handle) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  Function* const function = Code::get().function(handle);
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  function->loaded.store(true, std::memory_order_relaxed);
  return CUDA_SUCCESS;
}
