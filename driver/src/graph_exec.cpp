// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Graph Management": instantiating, launching, updating, drawing.
//
// An executable is a copy of its graph: changing or destroying the graph leaves it as it was (truth capture,
// step 50). A launch is one operation of its stream, core/graph_run.hpp.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <type_traits>

#include "core/capture.hpp"
#include "core/graph_call.hpp"
#include "core/graph_run.hpp"
#include "core/log.hpp"
#include "core/per_thread_variants.hpp"

using namespace driver;

namespace {

constexpr unsigned long long kNownInstantiationFlags =
    CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
    CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;

// What cuGraphInstantiateWithParams tells beside its result.
struct Outcome {
  CUgraphInstantiateResult result = CUDA_GRAPH_INSTANTIATE_SUCCESS;
  CUgraphNode node = nullptr;
};

bool can_be_chosen(const Node& node) {
  switch (node.type()) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
    case CU_GRAPH_NODE_TYPE_MEMCPY:
    case CU_GRAPH_NODE_TYPE_MEMSET:
    case CU_GRAPH_NODE_TYPE_EMPTY:
    case CU_GRAPH_NODE_TYPE_GRAPH:
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      return true;
    default:
      return false;
  }
}

// Measured: every handle has to have its node, and the graphs of conditional nodes hold what a device can do
// by itself.
Outcome check_conditionals(const Graph& graph, bool chosen) {
  const bool all_used =
      std::all_of(graph.values.begin(), graph.values.end(), [](const auto& value) { return value->used; });
  if (!all_used) return {CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED, nullptr};
  for (const auto& node : graph.nodes()) {
    if (chosen && !can_be_chosen(*node))
      return {CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED, node->handle()};
    std::vector<std::shared_ptr<Graph>> inside;
    if (const auto* child = std::get_if<ChildWork>(&node->work)) inside = {child->graph};
    const auto* const choice = std::get_if<ConditionalWork>(&node->work);
    if (choice != nullptr) inside = choice->conditional->bodies;
    for (const auto& one : inside) {
      const Outcome outcome = check_conditionals(*one, chosen || choice != nullptr);
      if (outcome.result != CUDA_GRAPH_INSTANTIATE_SUCCESS) return outcome;
    }
  }
  return {};
}

CUresult instantiate(CUgraphExec* handle, CUgraph graph_handle, unsigned long long flags, Outcome& outcome) {
  Context* context = nullptr;  // needed, though nothing says so: measured
  if (const CUresult error = current_context(context)) return error;
  if (const CUresult error = unsafe_call()) return error;
  const ChangingGraphs call;
  if (call.error) return call.error;
  call.graphs.retired.clear();
  Graph* const graph = call.graphs.graph(graph_handle);
  if (handle == nullptr) return refuse(CUDA_ERROR_INVALID_VALUE, "Executable graph pointer cannot be NULL");
  if (graph == nullptr || (flags & ~kNownInstantiationFlags) != 0) return CUDA_ERROR_INVALID_VALUE;
  // Kernels that launch graphs are not supported here.
  if ((flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0) return CUDA_ERROR_NOT_SUPPORTED;
  std::vector<PlannedStep> steps;
  if (!graph->plan(steps)) return refuse(CUDA_ERROR_INVALID_VALUE, "Graph cycle detected");
  outcome = check_conditionals(*graph, false);
  if (outcome.result != CUDA_GRAPH_INSTANTIATE_SUCCESS) return CUDA_ERROR_INVALID_VALUE;
  // Measured: a graph with memory nodes has one executable at a time. The manual says it of conditional ones.
  const bool taken =
      (graph->has_memory() || graph->has_conditionals()) &&
      std::any_of(call.graphs.executables.begin(), call.graphs.executables.end(),
                  [graph](const auto& made) { return made.first->pattern.lock().get() == graph; });
  if (taken) return CUDA_ERROR_NOT_SUPPORTED;
  auto executable = std::make_unique<Executable>(graph->clone(), *graph, flags);
  *handle = executable->handle();
  call.graphs.executables[executable.get()] = std::move(executable);
  graph->instantiated = true;
  return CUDA_SUCCESS;
}

CUresult instantiate_with(CUgraphExec* handle, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Outcome outcome;
  const CUresult error = instantiate(handle, graph, parameters->flags, outcome);
  parameters->hErrNode_out = outcome.node;
  parameters->result_out =
      error == CUDA_SUCCESS || outcome.result != CUDA_GRAPH_INSTANTIATE_SUCCESS ? outcome.result
      : error == CUDA_ERROR_NOT_SUPPORTED ? CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED
                                          : CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
  return error;
}

// The oldest form writes what was wrong into a buffer.
CUresult instantiate_with_log(CUgraphExec* handle, CUgraph graph, CUgraphNode* culprit, char* log,
                              std::size_t size) {
  if (culprit != nullptr) *culprit = nullptr;
  if (log != nullptr && size != 0) *log = '\0';
  Outcome outcome;
  return instantiate(handle, graph, 0, outcome);
}

bool has_memory(CUgraphExec handle) {
  const OnGraphs call;
  if (call.error) return false;
  const Executable* const executable = call.graphs.executable(handle);
  return executable != nullptr && executable->has_memory;
}

// Memory that comes and goes changes what others find, so such a launch has Driver's lock for itself.
template <typename DriverCall>
CUresult launch_with(CUgraphExec handle, CUstream stream, Context*& home) {
  const DriverCall call;
  if (call.error) return call.error;
  Queue* const queue = find_queue(stream, *call.context);
  std::shared_ptr<GraphRun> run;
  {
    Graphs& graphs = Graphs::get();
    const std::lock_guard lock(graphs.lock);
    const Executable* const executable = graphs.executable(handle);
    if (executable == nullptr) return no_executable();
    if (queue == nullptr) return no_stream(stream);
    home = &queue->home;
    // Measured: a capture does not take a graph up.
    if (queue->capture != nullptr) return queue->capture->forbid();
    if (executable->has_memory && !std::is_same_v<DriverCall, Changing>) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = GraphRun::create(*executable, run)) return error;
  }
  try {
    run->announce_events();
    return queue->enqueue(run);
  } catch (const std::bad_alloc&) {
    run->skip(CUDA_ERROR_OUT_OF_MEMORY);  // no call must wait for its events
    throw;
  }
}

CUresult launch(CUgraphExec handle, CUstream stream) {
  Context* home = nullptr;
  const CUresult error = has_memory(handle) ? launch_with<Changing>(handle, stream, home)
                                            : launch_with<Reading>(handle, stream, home);
  return error != CUDA_SUCCESS ? error : after_launch(*home);
}

// There is nothing to bring to the device before the first launch; what can be wrong is found out.
CUresult upload(CUgraphExec handle, CUstream stream) {
  const Reading call;
  if (call.error) return call.error;
  const std::lock_guard lock(Graphs::get().lock);
  if (Graphs::get().executable(handle) == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Queue* const queue = find_queue(stream, *call.context);
  if (queue == nullptr) return no_stream(stream);
  return queue->capture != nullptr ? queue->capture->forbid() : CUDA_SUCCESS;  // measured
}

CUresult update(CUgraphExec handle, CUgraph graph_handle, CUgraphNode& culprit,
                CUgraphExecUpdateResult& outcome) {
  const ChangingGraphs call;
  if (call.error) return call.error;
  culprit = nullptr;
  outcome = CU_GRAPH_EXEC_UPDATE_ERROR;
  const Executable* const executable = call.graphs.executable(handle);
  const Graph* const graph = call.graphs.graph(graph_handle);
  if (executable == nullptr || graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  outcome = executable->graph->take_over(*graph, culprit);
  return outcome == CU_GRAPH_EXEC_UPDATE_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
}

// The copy in an executable of a node that can be switched off: a kernel, a copy or a fill.
Node* switchable(const OnGraphs& call, CUgraphExec handle, CUgraphNode node_handle) {
  const Executable* const executable = call.graphs.executable(handle);
  const Node* const node = call.graphs.node(node_handle);
  if (executable == nullptr || node == nullptr) return nullptr;
  Node* const copy = executable->graph->find_copy(node->number);
  if (copy == nullptr) return nullptr;
  const Work& work = copy->work;
  const bool can = std::holds_alternative<KernelWork>(work) || std::holds_alternative<CopyWork>(work) ||
                   std::holds_alternative<FillWork>(work);
  return can ? copy : nullptr;
}

std::string label(const Node& node) {
  if (const auto* kernel = std::get_if<KernelWork>(&node.work)) return kernel->launch.kernel;
  switch (node.type()) {
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return "MEMCPY";
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return "MEMSET";
    case CU_GRAPH_NODE_TYPE_HOST:
      return "HOST";
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return "GRAPH";
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return "EVENT_WAIT";
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return "EVENT_RECORD";
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return "MEM_ALLOC";
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      return "MEM_FREE";
    default:
      return "EMPTY";
  }
}

// A child is a cluster below its node.
void draw(std::ostream& out, const Graph& graph, const std::string& prefix) {
  std::size_t number = 0;
  std::map<const Node*, std::string> names;
  for (const auto& node : graph.nodes()) {
    std::string& name = names[node.get()];
    name = prefix + "node_" + std::to_string(number++);
    out << '"' << name << "\" [shape=\""
        << (node->type() == CU_GRAPH_NODE_TYPE_KERNEL ? "octagon" : "rectangle") << "\" label=\""
        << number - 1 << "\\n"
        << label(*node) << "\"];\n";
    if (const auto* child = std::get_if<ChildWork>(&node->work)) {
      out << "subgraph \"cluster_" << name << "\" {\n";
      draw(out, *child->graph, name + "_");
      out << "}\n";
    }
  }
  for (const auto& node : graph.nodes()) {
    for (const Node* const next : node->dependents) {
      out << '"' << names[node.get()] << "\" -> \"" << names[next] << "\";\n";
    }
  }
}

}  // namespace

// cuGraphInstantiate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE; also for a graph with a circle.
CUresult CUDAAPI cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph,
                                             unsigned long long flags) {
  Outcome outcome;
  return instantiate(executable, graph, flags, outcome);
}

CUresult CUDAAPI cuGraphInstantiate(CUgraphExec* executable, CUgraph graph, CUgraphNode* culprit, char* log,
                                    size_t size) {
  return instantiate_with_log(executable, graph, culprit, log, size);
}

CUresult CUDAAPI cuGraphInstantiate_v2(CUgraphExec* executable, CUgraph graph, CUgraphNode* culprit,
                                       char* log, size_t size) {
  return instantiate_with_log(executable, graph, culprit, log, size);
}

CUresult CUDAAPI cuGraphInstantiateWithParams(CUgraphExec* executable, CUgraph graph,
                                              CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  return instantiate_with(executable, graph, parameters);
}

CUresult CUDAAPI cuGraphInstantiateWithParams_ptsz(CUgraphExec* executable, CUgraph graph,
                                                   CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  return instantiate_with(executable, graph, parameters);
}

// cuGraphExecGetFlags. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE.
CUresult CUDAAPI cuGraphExecGetFlags(CUgraphExec handle, cuuint64_t* flags) {
  const OnGraphs call;
  if (call.error) return call.error;
  const Executable* const executable = call.graphs.executable(handle);
  if (executable == nullptr || flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *flags = executable->flags;
  return CUDA_SUCCESS;
}

// cuGraphUpload, cuGraphLaunch. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE.
ON_STREAM(cuGraphUpload, (CUgraphExec executable, CUstream stream), upload(executable, stream))
ON_STREAM(cuGraphLaunch, (CUgraphExec executable, CUstream stream), launch(executable, stream))

// cuGraphExecDestroy. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE. A launch under way goes on.
CUresult CUDAAPI cuGraphExecDestroy(CUgraphExec handle) {
  const ChangingGraphs call;
  if (call.error) return call.error;
  call.graphs.retired.clear();
  const Executable* const executable = call.graphs.executable(handle);
  if (executable == nullptr) return no_executable();
  call.graphs.executables.erase(executable);
  return CUDA_SUCCESS;
}

// cuGraphExecUpdate. Errors: DEINITIALIZED, NOT_INITIALIZED, GRAPH_EXEC_UPDATE_FAILURE.
CUresult CUDAAPI cuGraphExecUpdate(CUgraphExec executable, CUgraph graph, CUgraphNode* culprit,
                                   CUgraphExecUpdateResult* outcome) {
  if (culprit == nullptr || outcome == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return update(executable, graph, *culprit, *outcome);
}

CUresult CUDAAPI cuGraphExecUpdate_v2(CUgraphExec executable, CUgraph graph,
                                      CUgraphExecUpdateResultInfo* info) {
  CUgraphExecUpdateResultInfo unwanted;  // measured: no place for it is fine
  CUgraphExecUpdateResultInfo& told = info != nullptr ? *info : unwanted;
  told.errorFromNode = nullptr;
  return update(executable, graph, told.errorNode, told.result);
}

// cuGraphNodeSetEnabled, cuGraphNodeGetEnabled. Errors: INVALID_VALUE.
CUresult CUDAAPI cuGraphNodeSetEnabled(CUgraphExec executable, CUgraphNode node, unsigned int enabled) {
  const OnGraphs call;
  if (call.error) return call.error;
  Node* const copy = switchable(call, executable, node);
  if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
  copy->enabled = enabled != 0;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphNodeGetEnabled(CUgraphExec executable, CUgraphNode node, unsigned int* enabled) {
  const OnGraphs call;
  if (call.error) return call.error;
  const Node* const copy = switchable(call, executable, node);
  if (copy == nullptr || enabled == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *enabled = copy->enabled ? 1 : 0;
  return CUDA_SUCCESS;
}

// cuGraphDebugDotPrint. Errors: INVALID_VALUE, OPERATING_SYSTEM. What the flags ask for beyond the kinds of
// nodes and the names of kernels is left out.
CUresult CUDAAPI cuGraphDebugDotPrint(CUgraph handle, const char* path, unsigned int) {
  const OnGraphs call;
  if (call.error) return call.error;
  const Graph* const graph = call.graphs.graph(handle);
  if (graph == nullptr || path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::ostringstream text;  // whole before the file is touched
  text << "digraph dot {\n";
  draw(text, *graph, "graph_");
  text << "}\n";
  if (!text) return CUDA_ERROR_OUT_OF_MEMORY;
  std::ofstream out(path);
  out << std::move(text).str();
  return out.flush() ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}
