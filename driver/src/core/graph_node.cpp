// SPDX-License-Identifier: MIT
// See graph_node.hpp: from a node's parameters to its work, and back.
#include "core/graph_node.hpp"

#include <array>
#include <cstdio>
#include <set>

#include "core/box.hpp"
#include "core/call.hpp"
#include "core/code.hpp"
#include "core/conditional.hpp"
#include "core/launching.hpp"
#include "core/log.hpp"
#include "core/stream.hpp"
#include "core/word_operation.hpp"

namespace driver {
namespace {

// Makes a context current for the time of a call, when another one is.
class Within {
 public:
  explicit Within(CUcontext context) {
    CUcontext current = nullptr;
    if (context == nullptr || (cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == context)) return;
    error = cuCtxPushCurrent_v2(context);
    pushed_ = error == CUDA_SUCCESS;
  }
  ~Within() {
    if (pushed_) cuCtxPopCurrent_v2(nullptr);
  }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;
  CUresult error = CUDA_SUCCESS;

 private:
  bool pushed_ = false;
};

// Measured: a function brings its own context along, whichever is current or said; a kernel of a library
// works in the one that is said.
CUcontext context_for(const CUDA_KERNEL_NODE_PARAMS_v3& said) {
  const ReadingAnywhere call;
  const Function* const function = call.error == CUDA_SUCCESS ? Code::get().function(said.func) : nullptr;
  return function != nullptr ? function->module->context().handle() : said.ctx;
}

CUresult kernel_work(const CUDA_KERNEL_NODE_PARAMS_v3& said, Work& work) {
  const Within there(context_for(said));
  if (there.error) return there.error;
  if (said.func == nullptr && said.kern == nullptr)
    return refuse(CUDA_ERROR_INVALID_HANDLE, "Either func or kern must be set in the parameter struct");
  KernelWork kernel;
  kernel.function = said.func;
  kernel.kernel = said.kern;
  const CUfunction handle = said.func != nullptr ? said.func : reinterpret_cast<CUfunction>(said.kern);
  const Shape shape{{said.gridDimX, said.gridDimY, said.gridDimZ},
                    {said.blockDimX, said.blockDimY, said.blockDimZ},
                    said.sharedMemBytes};
  PreparedLaunch prepared;
  const CUresult error = prepare_launch(handle, shape, CU_STREAM_LEGACY, {said.kernelParams, said.extra},
                                        Blocks::Independent, prepared);
  // More parameters than the kernel has: a launch returns 701, a node 1 (measured on an H200).
  if (error == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES) return CUDA_ERROR_INVALID_VALUE;
  if (error) return error;
  kernel.context = &prepared.queue->home;
  kernel.launch = std::move(prepared.launch);
  work = std::move(kernel);
  return CUDA_SUCCESS;
}

CUresult copy_work(const CUDA_MEMCPY3D& shape, CUcontext context, Work& work) {
  const Within there(context);
  if (there.error) return there.error;
  const Reading call;
  if (call.error) return call.error;
  Place to;
  Place from;
  Extent extent;
  if (const CUresult error = box_of(shape, to, from, extent)) return error;
  to.user = from.user = call.context;
  if (!resolve(to, extent, Use::Write, Dormant::Taken) || !resolve(from, extent, Use::Read, Dormant::Taken)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  work = CopyWork{shape, call.context};
  return CUDA_SUCCESS;
}

CUresult fill_work(const CUDA_MEMSET_NODE_PARAMS_v2& shape, Work& work) {
  const Within there(shape.ctx);
  if (there.error) return there.error;
  const Reading call;
  if (call.error) return call.error;
  const unsigned size = shape.elementSize;
  if (size != 1 && size != 2 && size != 4) return CUDA_ERROR_INVALID_VALUE;
  if (shape.width == 0 || shape.height == 0 || shape.dst % size != 0) return CUDA_ERROR_INVALID_VALUE;
  const Extent extent{.width = std::uint64_t{shape.width} * size, .height = shape.height};
  if (shape.height > 1 && shape.pitch < extent.width) return CUDA_ERROR_INVALID_VALUE;
  Place to{
      .side = Side::Device, .address = shape.dst, .pitch = shape.height > 1 ? shape.pitch : extent.width};
  to.user = call.context;
  if (!resolve(to, extent, Use::Write, Dormant::Taken)) return CUDA_ERROR_INVALID_VALUE;
  work = FillWork{shape, call.context};
  return CUDA_SUCCESS;
}

CUresult child_work(const CUDA_CHILD_GRAPH_NODE_PARAMS& said, Work& work) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  const std::lock_guard lock(Graphs::get().lock);
  const Graph* const graph = Graphs::get().graph(said.graph);
  if (graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (graph->has_memory()) return CUDA_ERROR_NOT_SUPPORTED;  // measured
  if (said.ownership != CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE) return CUDA_ERROR_NOT_SUPPORTED;
  work = ChildWork{graph->clone()};
  return CUDA_SUCCESS;
}

// The devices that may use what a node allocates, besides its own. Measured: only to read and write, which a
// list can say of the own one, too; without access no device is named (truth peer_pool_graph, steps 3 and 13
// to 16).
CUresult guests_of(const CUDA_MEM_ALLOC_NODE_PARAMS_v2& said, const Device& own, std::uint64_t& guests) {
  if (said.accessDescs == nullptr) return CUDA_SUCCESS;
  std::set<int> named;
  for (std::size_t i = 0; i < said.accessDescCount; ++i) {
    const CUmemAccessDesc& access = said.accessDescs[i];
    // Measured: a device can be named once only.
    if (!named.insert(access.location.id).second) return CUDA_ERROR_INVALID_VALUE;
    const Device* const device = Driver::get().device(access.location.id);
    if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (access.flags == CU_MEM_ACCESS_FLAGS_PROT_NONE || access.flags == CU_MEM_ACCESS_FLAGS_PROT_READ)
      return CUDA_ERROR_NOT_SUPPORTED;
    if (access.flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) return CUDA_ERROR_INVALID_VALUE;
    if (device != &own) guests |= guest_bit(*device);
  }
  return CUDA_SUCCESS;
}

CUresult memory_work(CUDA_MEM_ALLOC_NODE_PARAMS_v2& said, Work& work) {
  const Changing call;
  if (call.error) return call.error;
  // Measured: memory of the host, and such as other processes could import, 801.
  const CUmemLocationType type = said.poolProps.location.type;
  if (type == CU_MEM_LOCATION_TYPE_HOST || type == CU_MEM_LOCATION_TYPE_HOST_NUMA ||
      said.poolProps.handleTypes != CU_MEM_HANDLE_TYPE_NONE)
    return CUDA_ERROR_NOT_SUPPORTED;
  const bool on_device = said.poolProps.allocType == CU_MEM_ALLOCATION_TYPE_PINNED &&
                         said.poolProps.location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
                         said.poolProps.location.id == call.context->device().ordinal();
  if (!on_device || said.bytesize == 0) return CUDA_ERROR_INVALID_VALUE;
  std::uint64_t guests = 0;
  if (const CUresult error = guests_of(said, call.context->device(), guests)) return error;
  CUDA_MEM_ALLOC_NODE_PARAMS kept{};
  kept.poolProps = said.poolProps;
  kept.accessDescs = said.accessDescs;
  kept.accessDescCount = said.accessDescs != nullptr ? said.accessDescCount : 0;
  kept.bytesize = said.bytesize;
  auto memory = std::make_shared<GraphMemory>(kept);
  if (const CUresult error = GraphMemory::allocate(memory, *call.context, guests)) return error;
  said.dptr = memory->parameters().dptr;
  work = AllocateWork{std::move(memory)};
  return CUDA_SUCCESS;
}

CUresult conditional_work(CUDA_CONDITIONAL_NODE_PARAMS& said, Work& work) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  const std::lock_guard lock(Graphs::get().lock);
  auto value = ConditionalValue::find(said.handle);
  if (value == nullptr || value->used) return CUDA_ERROR_INVALID_VALUE;
  const bool fits = said.type == CU_GRAPH_COND_TYPE_IF ? said.size == 1 || said.size == 2
                    : said.type == CU_GRAPH_COND_TYPE_WHILE
                        ? said.size == 1
                        : said.type == CU_GRAPH_COND_TYPE_SWITCH && said.size != 0;
  if (!fits) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (const CUresult error = given_context(said.ctx, context)) return error;
  if (context != &value->context) return CUDA_ERROR_INVALID_VALUE;
  std::vector<std::shared_ptr<Graph>> bodies(said.size);
  for (auto& body : bodies) body = std::make_shared<Graph>();
  auto made = std::make_shared<Conditional>(std::move(value), said.type, std::move(bodies));
  work = ConditionalWork{std::move(made)};
  return CUDA_SUCCESS;
}

template <typename SemaphoresWork, typename Said>
CUresult semaphores_work(const Said& said, Work& work) {
  if (said.numExtSems != 0 && (said.extSemArray == nullptr || said.paramsArray == nullptr))
    return CUDA_ERROR_INVALID_VALUE;
  SemaphoresWork kept;
  kept.semaphores.assign(said.extSemArray, said.extSemArray + said.numExtSems);
  kept.parameters.assign(said.paramsArray, said.paramsArray + said.numExtSems);
  work = std::move(kept);
  return CUDA_SUCCESS;
}

template <typename Said, typename SemaphoresWork>
void describe_semaphores(SemaphoresWork& work, Said& said) {
  said.extSemArray = work.semaphores.data();
  said.paramsArray = work.parameters.data();
  said.numExtSems = static_cast<unsigned>(work.semaphores.size());
}

CUresult event_work(CUevent event, bool record, Work& work) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (Event::find(event) == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (record) {
    work = RecordWork{event};
  } else {
    work = WaitWork{event};
  }
  return CUDA_SUCCESS;
}

// Measured: addresses are looked at when the graph is launched (truth words_node, step 27).
CUresult word_work(const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2& said, Work& work) {
  const auto wrong = [](const char* reason) { return refuse(CUDA_ERROR_INVALID_VALUE, reason); };
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (said.ctx == nullptr) return wrong("Context cannot be NULL");
  Context* context = nullptr;
  if (const CUresult error = given_context(said.ctx, context)) return error;
  if (said.flags != 0) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "Invalid global flags 0x%x", said.flags);
    return wrong(text.data());
  }
  if (said.count > WordOperation::kMost) return wrong("Count exceeds limit of 255 operations");
  if (said.paramArray == nullptr) return wrong("paramArray cannot be NULL");
  if (const CUresult error = WordOperation::check(said.paramArray, said.count)) return error;
  work = WordWork{{said.paramArray, said.paramArray + said.count}, said.flags, context};
  return CUDA_SUCCESS;
}

void describe_kernel(Node& node, CUDA_KERNEL_NODE_PARAMS_v3& said) {
  auto& kernel = std::get<KernelWork>(node.work);
  KernelLaunch& launch = kernel.launch;
  const CUfunction found = find_function(launch);
  said = {};
  said.func = kernel.function != nullptr || kernel.kernel != nullptr ? kernel.function : found;
  said.kern = kernel.kernel;
  said.ctx = kernel.context->handle();
  said.gridDimX = launch.grid[0] / launch.grid_unit[0];
  said.gridDimY = launch.grid[1] / launch.grid_unit[1];
  said.gridDimZ = launch.grid[2] / launch.grid_unit[2];
  said.blockDimX = launch.block[0];
  said.blockDimY = launch.block[1];
  said.blockDimZ = launch.block[2];
  said.sharedMemBytes = launch.dynamic_shared;
  node.parameter_addresses.clear();
  if (const Function* const function = Code::get().function(found)) {
    for (const ptx::Parameter& parameter : function->code->parameters) {
      node.parameter_addresses.push_back(launch.parameters.data() + parameter.offset);
    }
  }
  said.kernelParams = node.parameter_addresses.empty() ? nullptr : node.parameter_addresses.data();
}

}  // namespace

CUfunction find_function(const KernelLaunch& launch) {
  for (Function* const function : Code::get().functions_) {
    if (function->module->program() == launch.program && function->code->name == launch.kernel) {
      return reinterpret_cast<CUfunction>(function);
    }
  }
  return nullptr;
}

CUresult work_of(CUgraphNodeParams& parameters, Work& work) {
  if (const CUresult error = Driver::ready()) return error;
  switch (parameters.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return kernel_work(parameters.kernel, work);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return copy_work(parameters.memcpy.copyParams, parameters.memcpy.copyCtx, work);
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return fill_work(parameters.memset, work);
    case CU_GRAPH_NODE_TYPE_HOST:
      if (parameters.host.fn == nullptr) return CUDA_ERROR_INVALID_VALUE;
      work = HostWork{{parameters.host.fn, parameters.host.userData}};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return child_work(parameters.graph, work);
    case CU_GRAPH_NODE_TYPE_EMPTY:
      work = EmptyWork{};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return event_work(parameters.eventWait.event, false, work);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return event_work(parameters.eventRecord.event, true, work);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return memory_work(parameters.alloc, work);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      work = FreeWork{parameters.free.dptr, {}};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      return word_work(parameters.memOp, work);
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
      return semaphores_work<SignalSemaphoresWork>(parameters.extSemSignal, work);
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
      return semaphores_work<WaitSemaphoresWork>(parameters.extSemWait, work);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      return conditional_work(parameters.conditional, work);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult parameters_of(Node& node, CUgraphNodeParams& parameters) {
  if (node.type() != parameters.type) return CUDA_ERROR_INVALID_VALUE;
  if (std::holds_alternative<KernelWork>(node.work)) {
    describe_kernel(node, parameters.kernel);
  } else if (const auto* copy = std::get_if<CopyWork>(&node.work)) {
    parameters.memcpy.copyParams = copy->shape;
    parameters.memcpy.copyCtx = copy->context->handle();
  } else if (const auto* fill = std::get_if<FillWork>(&node.work)) {
    parameters.memset = fill->shape;
  } else if (const auto* host = std::get_if<HostWork>(&node.work)) {
    parameters.host = {host->parameters.fn, host->parameters.userData};
  } else if (const auto* child = std::get_if<ChildWork>(&node.work)) {
    parameters.graph.graph = child->graph->handle();
  } else if (const auto* record = std::get_if<RecordWork>(&node.work)) {
    parameters.eventRecord.event = record->event;
  } else if (const auto* wait = std::get_if<WaitWork>(&node.work)) {
    parameters.eventWait.event = wait->event;
  } else if (const auto* allocate = std::get_if<AllocateWork>(&node.work)) {
    const CUDA_MEM_ALLOC_NODE_PARAMS& kept = allocate->memory->parameters();
    parameters.alloc = {};
    parameters.alloc.poolProps = kept.poolProps;
    parameters.alloc.bytesize = kept.bytesize;
    parameters.alloc.dptr = kept.dptr;
  } else if (auto* words = std::get_if<WordWork>(&node.work)) {
    words->said.reserve(1);  // of no operations, too, there is an array (truth words_captured, step 50)
    parameters.memOp = {words->context->handle(), static_cast<unsigned>(words->said.size()),
                        words->said.data(), words->flags};
  } else if (const auto* free = std::get_if<FreeWork>(&node.work)) {
    parameters.free.dptr = free->address;
  } else if (auto* signal = std::get_if<SignalSemaphoresWork>(&node.work)) {
    describe_semaphores(*signal, parameters.extSemSignal);
  } else if (auto* wait_for = std::get_if<WaitSemaphoresWork>(&node.work)) {
    describe_semaphores(*wait_for, parameters.extSemWait);
  }
  return CUDA_SUCCESS;
}

}  // namespace driver
