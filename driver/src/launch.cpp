// Entry points of the manual's chapter "Execution Control": what functions are, and launching them.
//
// A launch runs to its end before it returns; what went wrong in the kernel is told by the next call that
// waits, and by every call after it (truth sticky_illegal_address, sticky_trap).
#include <algorithm>
#include <cstring>

#include "core/call.hpp"
#include "core/code.hpp"
#include "core/kernel_operation.hpp"
#include "core/runner.hpp"
#include "core/stream.hpp"
#include "ptx/interpret.hpp"

using namespace driver;

namespace {

constexpr unsigned kMostThreads = 1024;
constexpr unsigned kMostBlockZ = 64;
constexpr unsigned kMostGridYZ = 65535;
constexpr unsigned kStaticSharedLimit = 48 * 1024;
constexpr int kMostOptInShared = 99 * 1024;

struct Shape {
  unsigned grid[3], block[3], shared;
};

bool possible(const Shape& shape, const Function& function) {
  const unsigned* block = shape.block;
  if (std::any_of(shape.grid, shape.grid + 3, [](unsigned n) { return n == 0; })) return false;
  if (std::any_of(block, block + 3, [](unsigned n) { return n == 0; })) return false;
  if (shape.grid[0] > 0x7fffffff || shape.grid[1] > kMostGridYZ || shape.grid[2] > kMostGridYZ) return false;
  if (block[0] > kMostThreads || block[1] > kMostThreads || block[2] > kMostBlockZ) return false;
  if (std::uint64_t{block[0]} * block[1] * block[2] > kMostThreads) return false;
  return shape.shared <= function.max_dynamic_shared;
}

// The parameter buffer from kernelParams (a pointer to each value) or from `extra` (one packed buffer).
CUresult gather(const ptx::Function& code, void** parameters, void** extra, std::vector<std::byte>& buffer) {
  buffer.assign(code.parameter_bytes, std::byte{0});
  if (parameters != nullptr && extra != nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (extra != nullptr) {
    const void* packed = nullptr;
    const std::size_t* size = nullptr;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
      if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
        packed = extra[1];
      else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
        size = static_cast<const std::size_t*>(extra[1]);
      else
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (packed == nullptr || size == nullptr) return CUDA_ERROR_INVALID_VALUE;
    // Too much is refused, too little is taken without a word (truth launch_rest, steps 8 and 9).
    if (*size > buffer.size()) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    std::memcpy(buffer.data(), packed, *size);
    return CUDA_SUCCESS;
  }
  if (parameters == nullptr) return code.parameters.empty() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  for (std::size_t i = 0; i < code.parameters.size(); ++i) {
    const ptx::Parameter& parameter = code.parameters[i];
    std::memcpy(buffer.data() + parameter.offset, parameters[i], parameter.size);
  }
  return CUDA_SUCCESS;
}

// A CUfunction of this context, or a CUkernel, which has one in every context.
CUresult function_for(const void* handle, Context& context, Function*& function) {
  function = Code::get().function(static_cast<CUfunction>(const_cast<void*>(handle)));
  if (function == nullptr) {
    Kernel* kernel = Code::get().kernel(handle);
    if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    Module* module = nullptr;
    if (const CUresult error = kernel->library->module_in(context, module)) return error;
    function = module->function(kernel->code->name);
  }
  // Launched with another context current: 400 (truth module, step 40).
  return &function->module->context() == &context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

// Everything of a launch that needs the driver's lock.
CUresult prepare(CUfunction handle, const Shape& shape, CUstream stream, void** parameters, void** extra,
                 KernelLaunch& launch, std::shared_ptr<Runner>& runner, std::shared_ptr<Lane>& lane) {
  const Changing call;
  if (call.error) return call.error;
  Function* function = nullptr;
  if (const CUresult error = function_for(handle, *call.context, function)) return error;
  if (!possible(shape, *function)) return CUDA_ERROR_INVALID_VALUE;
  // The real driver crashes on a made-up stream (pitfall 12); this one says what is wrong. A stream of
  // another context answers the same (truth streams_events, step 32).
  Lane* const found = find_lane(stream, *call.context);
  if (found == nullptr || &found->home != call.context) return CUDA_ERROR_INVALID_HANDLE;
  if (const CUresult error = gather(*function->code, parameters, extra, launch.parameters)) return error;
  launch.program = function->module->program();
  launch.kernel = function->code->name;
  std::copy(shape.grid, shape.grid + 3, launch.grid);
  std::copy(shape.block, shape.block + 3, launch.block);
  launch.dynamic_shared = shape.shared;
  runner = call.context->runner;
  lane = found->shared_from_this();
  return CUDA_SUCCESS;
}

CUresult launch(CUfunction handle, const Shape& shape, CUstream stream, void** parameters, void** extra) {
  KernelLaunch launch;
  std::shared_ptr<Runner> runner;
  std::shared_ptr<Lane> lane;
  if (const CUresult error = prepare(handle, shape, stream, parameters, extra, launch, runner, lane)) {
    return error;
  }
  return lane->enqueue(std::make_shared<KernelOperation>(std::move(runner), std::move(launch)));
}

Function* plain_function(CUfunction handle) {
  return Code::get().function(handle);
}

}  // namespace

// cuLaunchKernel. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE, INVALID_IMAGE,
// INVALID_VALUE, LAUNCH_FAILED, LAUNCH_OUT_OF_RESOURCES, LAUNCH_TIMEOUT, LAUNCH_INCOMPATIBLE_TEXTURING,
// SHARED_OBJECT_INIT_FAILED, NOT_FOUND.
CUresult CUDAAPI cuLaunchKernel(CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                unsigned int block_x, unsigned int block_y, unsigned int block_z,
                                unsigned int shared_bytes, CUstream stream, void** parameters, void** extra) {
  return launch(f, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes}, stream, parameters,
                extra);
}

CUresult CUDAAPI cuLaunchKernel_ptsz(CUfunction f, unsigned int grid_x, unsigned int grid_y,
                                     unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                     unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                     void** parameters, void** extra) {
  return launch(f, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes},
                or_per_thread(stream), parameters, extra);
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
