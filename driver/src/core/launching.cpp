// SPDX-License-Identifier: MIT
// See launching.hpp. Checks whether the launch is possible, and finds its parameters and its stream.
#include "core/launching.hpp"

#include <algorithm>
#include <cstring>

#include "core/call.hpp"
#include "core/green_context.hpp"
#include "core/log.hpp"
#include "core/occupancy.hpp"
#include "ptx/interpret.hpp"

namespace driver {
namespace {

constexpr unsigned kMostBlockZ = 64;
constexpr unsigned kMostGridX = 0x7fffffff;
constexpr unsigned kMostGridYz = 65535;

std::string triple(const unsigned* three) {
  return "(" + std::to_string(three[0]) + "," + std::to_string(three[1]) + "," + std::to_string(three[2]) +
         ")";
}

// Says in the log why.
bool impossible(const std::string& reason) {
  refuse(CUDA_ERROR_INVALID_VALUE, reason);
  return false;
}

// Truth launch_limits, steps 1 to 19: what is too large, a block of another shape than .reqntid, and more
// threads than .maxntid are all INVALID_VALUE.
bool possible(const Shape& shape, const Function& function) {
  const unsigned* const block = shape.block;
  const auto is_zero = [](unsigned n) { return n == 0; };
  constexpr unsigned kMostGrid[] = {kMostGridX, kMostGridYz, kMostGridYz};
  if (std::any_of(block, block + 3, is_zero)) {
    return impossible("Block dimensions " + triple(block) +
                      " include one or more zero values. All dimensions must be nonzero");
  }
  for (int i = 0; i < 3; ++i) {
    const auto axis = [i] { return std::string("Grid Dimension ") + "XYZ"[i]; };
    if (shape.grid[i] == 0) return impossible(axis() + " must be nonzero");
    if (shape.grid[i] > kMostGrid[i]) {
      return impossible(axis() + " of " + std::to_string(shape.grid[i]) + " exceeds maximum value of " +
                        std::to_string(kMostGrid[i]));
    }
  }
  // The real driver spells it so (truth logs_launch, step 14).
  if (block[0] > kMostThreads || block[1] > kMostThreads || block[2] > kMostBlockZ) {
    constexpr unsigned kMost[] = {kMostThreads, kMostThreads, kMostBlockZ};
    return impossible("One or more of block dimensions of " + triple(block) +
                      " exceeds correspsonding maximum value of " + triple(kMost));
  }
  const std::uint64_t threads = std::uint64_t{block[0]} * block[1] * block[2];
  const ptx::Function& code = *function.code;
  if (threads > kMostThreads || (code.max_threads != 0 && threads > code.max_threads)) return false;
  if (code.required_threads[0] != 0 && !std::equal(block, block + 3, code.required_threads)) return false;
  const auto most_shared = function.settings().most_dynamic_shared(static_shared(function));
  return shape.shared <= most_shared ||
         impossible("Requested dynamic shared memory size of " + std::to_string(shape.shared) +
                    " bytes exceeds maximum dynamic shared memory size of " + std::to_string(most_shared) +
                    " bytes");
}

CUresult no_parameters(const ptx::Function& code) {
  return refuse(CUDA_ERROR_INVALID_VALUE, "CUDA kernel " + code.name + " has " +
                                              std::to_string(code.parameters.size()) +
                                              " parameters but none provided at launch");
}

// The parameter buffer from kernelParams (a pointer to each value) or from `extra` (one packed buffer).
CUresult gather(const ptx::Function& code, const Arguments& arguments, std::vector<std::byte>& buffer) {
  void** const parameters = arguments.parameters;
  void** extra = arguments.extra;
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
    if (packed == nullptr || size == nullptr) return no_parameters(code);
    // Too little is accepted. Nothing at all, or more than any kernel may have, is an invalid value, and less
    // than that but too much for this kernel is 701 (truth launch_rest, steps 8 and 9; measured on an H200
    // for kernels with 8 to 32,764 bytes).
    if (*size > Runner::kMostParameterBytes || (*size == 0 && !buffer.empty()))
      return CUDA_ERROR_INVALID_VALUE;
    if (*size > buffer.size()) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    std::memcpy(buffer.data(), packed, *size);
    return CUDA_SUCCESS;
  }
  if (parameters == nullptr && !code.parameters.empty()) {
    return no_parameters(code);
  }
  for (std::size_t i = 0; i < code.parameters.size(); ++i) {
    const ptx::Parameter& parameter = code.parameters[i];
    std::memcpy(buffer.data() + parameter.offset, parameters[i], parameter.size);
  }
  return CUDA_SUCCESS;
}

// A CUfunction of the stream's context, or a CUkernel, which has one in every context.
CUresult function_for(const void* handle, Context& context, Function*& function) {
  function = Code::get().function(static_cast<CUfunction>(const_cast<void*>(handle)));
  if (function == nullptr) {
    Kernel* kernel = Code::get().kernel(handle);
    if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    Module* module = nullptr;
    if (const CUresult error = kernel->library->module_in(context, module)) return error;
    function = module->function(kernel->code->name);
  }
  // Of another context than the stream: 400 (truth module, step 40; streams_events, step 32). Which one is
  // current does not matter (truth green_stream_current_other, steps 23 and 30).
  if (&function->module->context() != &context)
    return refuse(CUDA_ERROR_INVALID_HANDLE,
                  "CUDA Stream must be associated with the same CUDA Context that loaded CUFunction " +
                      function->code->name);
  function->loaded.store(true, std::memory_order_relaxed);
  return CUDA_SUCCESS;
}

// A CUkernel that has no function in the context yet.
template <typename Call>
bool loads_code(const Call& call, const void* handle) {
  if (call.error != CUDA_SUCCESS ||
      Code::get().function(static_cast<CUfunction>(const_cast<void*>(handle))) != nullptr)
    return false;
  const Kernel* const kernel = Code::get().kernel(handle);
  return kernel != nullptr && !kernel->library->is_loaded_in(*call.context);
}

// The grid of a kernel with .blocksareclusters is given in clusters. Measured: truth blocks_are_clusters,
// steps 28 to 36.
bool count_blocks(const Function& function, Shape& shape, unsigned* unit) {
  if (!function.code->blocks_are_clusters) return true;
  constexpr unsigned kMostGrid[] = {kMostGridX, kMostGridYz, kMostGridYz};
  for (int i = 0; i < 3; ++i) {
    unit[i] = std::max(1U, function.code->required_cluster[i]);
    if (shape.grid[i] > kMostGrid[i] / unit[i])
      return impossible("Grid Dimension " + std::string(1, "XYZ"[i]) + " has too many clusters");
    shape.grid[i] *= unit[i];
  }
  return true;
}

unsigned most_resident_clusters(const Function& function, const Shape& shape, unsigned size,
                                const Context& context) {
  const int threads = static_cast<int>(shape.block[0] * shape.block[1] * shape.block[2]);
  return static_cast<unsigned>(most_active_clusters(function, threads, shape.shared, size, context));
}

CUresult all_fit_at_once(const Function& function, const Shape& shape, const ClusterSize& cluster,
                         const Context& owner) {
  const unsigned size = blocks_of(cluster);
  const std::uint64_t most = size == 1
                                 ? most_resident_blocks(function, shape, owner)
                                 : std::uint64_t{size} * most_resident_clusters(function, shape, size, owner);
  if (std::uint64_t{shape.grid[0]} * shape.grid[1] * shape.grid[2] <= most) return CUDA_SUCCESS;
  return refuse(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                "Requested cooperative grid dimensions " + triple(shape.grid) +
                    " exceed occupancy limit for this kernel on this device of " + std::to_string(most) +
                    " blocks");
}

// Everything of a launch that needs the driver's lock.
template <typename Call>
CUresult prepare(const Call& call, CUfunction handle, Shape shape, CUstream stream,
                 const Arguments& arguments, Blocks blocks, PreparedLaunch& prepared) {
  if (call.error) return call.error;
  // The real driver crashes on an invalid stream; this one returns an error.
  Queue* const queue = find_queue(stream, *call.context);
  Function* function = nullptr;
  if (const CUresult error = function_for(handle, queue != nullptr ? queue->home : *call.context, function))
    return error;
  const bool has_threads = std::count(shape.block, shape.block + 3, 0U) == 0;
  if (blocks == Blocks::CooperativeOnSeveral && queue != nullptr && has_threads) {
    if (const CUresult error = all_fit_at_once(*function, shape, {1, 1, 1}, queue->set.owner())) return error;
  }
  if (!possible(shape, *function)) return CUDA_ERROR_INVALID_VALUE;
  if (queue == nullptr) return no_stream(stream);
  KernelLaunch& launch = prepared.launch;
  if (!count_blocks(*function, shape, launch.grid_unit)) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult error =
          cluster_of_launch(*function, shape.cluster, shape.grid, launch.cluster, launch.explicit_cluster))
    return error;
  if (blocks != Blocks::Independent) {
    if (const CUresult error = all_fit_at_once(*function, shape, launch.cluster, queue->set.owner()))
      return error;
  }
  if (const CUresult error = gather(*function->code, arguments, launch.parameters)) return error;
  launch.program = function->module->program();
  launch.kernel = function->code->name;
  std::copy(shape.grid, shape.grid + 3, launch.grid);
  std::copy(shape.block, shape.block + 3, launch.block);
  launch.dynamic_shared = shape.shared;
  launch.cooperative = blocks != Blocks::Independent;
  launch.priority = shape.priority.value_or(queue->priority);
  const Context& owner = queue->set.owner();
  launch.processors = multiprocessor_count(owner.device());
  if (owner.kind() == ContextKind::Green) launch.own_processors = share_of(owner).words();
  prepared.runner = queue->home.runner;
  prepared.queue = queue->shared_from_this();
  return CUDA_SUCCESS;
}

}  // namespace

CUresult prepare_launch(CUfunction handle, const Shape& shape, CUstream stream, const Arguments& arguments,
                        Blocks blocks, PreparedLaunch& prepared) {
  // A kernel of a library may be loaded into the context now, and loading waits for the work there. Measured:
  // loading_waits_lazy_gate, step 25.
  ChangingFor call(stream);
  if (loads_code(call, handle)) {
    call.unlock();
    finish_current_work();
    const ChangingFor again(stream);
    return prepare(again, handle, shape, stream, arguments, blocks, prepared);
  }
  return prepare(call, handle, shape, stream, arguments, blocks, prepared);
}

CUresult post_launch(PreparedLaunch& prepared, CompletionPointer* end) {
  return prepared.queue->enqueue(
      std::make_shared<KernelOperation>(std::move(prepared.runner), std::move(prepared.launch)), end);
}

CUresult launch(CUfunction handle, const Shape& shape, CUstream stream, const Arguments& arguments,
                Blocks blocks) {
  PreparedLaunch prepared;
  if (const CUresult error = prepare_launch(handle, shape, stream, arguments, blocks, prepared)) return error;
  Context& home = prepared.queue->home;
  CompletionPointer end;  // stays null in a capture, where nothing runs
  const CUresult error =
      post_launch(prepared, home.launches_wait.load(std::memory_order_relaxed) ? &end : nullptr);
  return error != CUDA_SUCCESS || end == nullptr ? error : after_launch(home);
}

// Threads, blocks and shared memory of a multiprocessor are what bounds; registers are the compiler's
// business and not counted.
std::uint64_t most_resident_blocks(const Function& function, const Shape& shape, const Context& context) {
  const Device& device = context.device();
  const auto figure = [&](CUdevice_attribute attribute) {
    return static_cast<std::uint64_t>(std::max(0, device.attribute(attribute).value_or(0)));
  };
  constexpr std::uint64_t kWarp = 32;
  const std::uint64_t threads = std::uint64_t{shape.block[0]} * shape.block[1] * shape.block[2];
  if (threads > figure(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)) return 0;
  std::uint64_t blocks = figure(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  blocks = std::min(blocks, figure(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) /
                                ((threads + kWarp - 1) / kWarp * kWarp));
  const std::uint64_t shared =
      static_shared(function) + shape.shared + figure(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  if (shared != 0)
    blocks = std::min(blocks, figure(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) / shared);
  return blocks * share_of(context).count();
}

}  // namespace driver
