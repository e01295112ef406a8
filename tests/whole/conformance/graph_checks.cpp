// SPDX-License-Identifier: MIT
// Graphs made by hand: nodes, edges, instantiating, launching, changing what was instantiated. Must not
// depend on capture.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "graph_support.hpp"

namespace conformance {
namespace {

TEST(graph, nodes_and_edges_can_be_listed) {
  const Graph graph;
  const CUgraphNode a = graph.empty({}), b = graph.empty({a}), c = graph.empty({a}), d = graph.empty({b, c});
  std::size_t count = 99;
  SUCCEEDS(cuGraphGetNodes(graph, nullptr, &count));
  EQUAL(4, count);
  std::vector<CUgraphNode> nodes(6, a);
  count = 6;
  SUCCEEDS(cuGraphGetNodes(graph, nodes.data(), &count));
  EQUAL(4, count);
  EQUAL(true, nodes[4] == nullptr && nodes[5] == nullptr);
  for (const CUgraphNode node : {a, b, c, d}) HOLDS(std::count(nodes.begin(), nodes.begin() + 4, node) == 1);
  SUCCEEDS(cuGraphGetRootNodes(graph, nullptr, &count));
  EQUAL(1, count);
  SUCCEEDS(cuGraphGetRootNodes(graph, nodes.data(), &count));
  HOLDS(nodes[0] == a);
  EQUAL(4, edge_count(graph));
  EQUAL(2, dependency_count(d));
  EQUAL(2, dependent_count(a));
  EQUAL(0, dependent_count(d));
  CUgraphNodeType type{};
  SUCCEEDS(cuGraphNodeGetType(a, &type));
  EQUAL(CU_GRAPH_NODE_TYPE_EMPTY, type);
}

TEST(graph, edges_are_added_and_removed) {
  const Graph graph;
  const CUgraphNode a = graph.empty({}), b = graph.empty({}), c = graph.empty({});
  SUCCEEDS(add_edge(graph, a, b));
  SUCCEEDS(add_edge(graph, b, c));
  EQUAL(2, edge_count(graph));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, add_edge(graph, a, b));
  SUCCEEDS(remove_edge(graph, a, b));
  EQUAL(1, edge_count(graph));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, remove_edge(graph, a, b));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, add_edge(graph, a, a));
  const Graph other;
  const CUgraphNode elsewhere = other.empty({});
  ANSWERS(CUDA_ERROR_INVALID_VALUE, add_edge(graph, a, elsewhere));
}

TEST(graph, a_circle_cannot_be_instantiated) {
  const Graph graph;
  const CUgraphNode a = graph.empty({}), b = graph.empty({a});
  const CUresult closing = add_edge(graph, b, a);
  CUgraphExec executable = nullptr;
  ANSWERS(CUDA_SUCCESS, closing);
  if (closing == CUDA_SUCCESS) ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuGraphInstantiate(&executable, graph, 0));
}

TEST(graph, destroying_a_node_takes_its_edges_along) {
  const Graph graph;
  const CUgraphNode a = graph.empty({}), b = graph.empty({a}), c = graph.empty({b});
  SUCCEEDS(cuGraphDestroyNode(b));
  std::size_t count = 99;
  SUCCEEDS(cuGraphGetNodes(graph, nullptr, &count));
  EQUAL(2, count);
  EQUAL(0, edge_count(graph));
  EQUAL(0, dependency_count(c));
  EQUAL(0, dependent_count(a));
}

TEST(graph, arguments_are_checked) {
  const Context context;
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUgraphExec executable = nullptr;
  std::size_t count = 0;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphCreate(nullptr, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphCreate(&graph, 1));
  NEEDS(cuGraphCreate(&graph, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(nullptr, graph, nullptr, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(&node, nullptr, nullptr, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(&node, graph, nullptr, 1));
  NEEDS(cuGraphAddEmptyNode(&node, graph, nullptr, 0));
  const CUgraphNode twice[] = {node, node};
  CUgraphNode next = nullptr;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(&next, graph, twice, 2));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphGetNodes(graph, nullptr, nullptr));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphGetNodes(nullptr, nullptr, &count));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(nullptr));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphDestroyNode(nullptr));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphNodeGetType(node, nullptr));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiate(nullptr, graph, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiate(&executable, nullptr, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiate(&executable, graph, 1 << 20));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphExecDestroy(nullptr));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(nullptr, nullptr));
  SUCCEEDS(cuGraphDestroy(graph));
}

TEST(graph, launching_runs_every_node_behind_those_it_depends_on) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(4);
  const Graph graph;
  const CUgraphNode set = graph.fill({}, p, 6);
  const CUgraphNode add = graph.kernel({set}, module.function("add"), p, 1);
  graph.kernel({add}, module.function("multiply"), p, 6);
  const CUgraphExec executable = graph.instantiate();
  CUstream const stream = make_stream();
  for (int round = 0; round < 3; ++round) {
    write(p, 0);
    SUCCEEDS(cuGraphLaunch(executable, stream));
    SUCCEEDS(cuStreamSynchronize(stream));
    EQUAL(42, read<int>(p));
  }
  SUCCEEDS(cuGraphUpload(executable, stream));
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  SUCCEEDS(cuGraphLaunch(executable, stream));
  SUCCEEDS(cuCtxSynchronize());
  SUCCEEDS(cuGraphExecDestroy(executable));
}

TEST(graph, a_launch_keeps_its_place_in_the_stream) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(4);
  const Graph graph;
  graph.kernel({}, module.function("multiply"), p, 10);
  const CUgraphExec executable = graph.instantiate();
  CUstream const stream = make_stream();
  SUCCEEDS(spin(module, 50, stream));
  SUCCEEDS(launch(module.function("add"), {.stream = stream}, p, 4U));
  SUCCEEDS(cuGraphLaunch(executable, stream));
  SUCCEEDS(launch(module.function("add"), {.stream = stream}, p, 2U));
  SUCCEEDS(cuStreamSynchronize(stream));
  EQUAL(42, read<int>(p));
}

TEST(graph, arguments_of_kernels_are_copied_when_the_node_is_made) {
  const Context context;
  const Module module;
  CUdeviceptr p = zeros(8);
  const Graph graph;
  unsigned value = 7;
  void* arguments[] = {&p, &value};
  CUDA_KERNEL_NODE_PARAMS parameters = kernel_parameters(module.function("store"), arguments);
  CUgraphNode node = nullptr;
  NEEDS(cuGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
  value = 9;
  const CUgraphExec executable = graph.instantiate();
  value = 11;
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  EQUAL(7, read<int>(p));
  CUDA_KERNEL_NODE_PARAMS back{};
  SUCCEEDS(cuGraphKernelNodeGetParams(node, &back));
  EQUAL(1, back.gridDimX);
  EQUAL(true, back.func == parameters.func);
  EQUAL(7, *static_cast<unsigned*>(back.kernelParams[1]));
}

TEST(graph, nodes_are_changed_before_and_executables_after_instantiating) {
  const Context context;
  const Module module;
  CUdeviceptr p = zeros(8);
  unsigned value = 1;
  void* arguments[] = {&p, &value};
  CUDA_KERNEL_NODE_PARAMS parameters = kernel_parameters(module.function("store"), arguments);
  const Graph graph;
  const CUgraphNode node = graph.kernel({}, module.function("store"), p, 5);
  const CUgraphExec executable = graph.instantiate();
  value = 2;
  SUCCEEDS(cuGraphKernelNodeSetParams(node, &parameters));
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  EQUAL(5, read<int>(p));
  value = 3;
  SUCCEEDS(cuGraphExecKernelNodeSetParams(executable, node, &parameters));
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  EQUAL(3, read<int>(p));
  const CUgraphExec again = graph.instantiate();
  SUCCEEDS(cuGraphLaunch(again, nullptr));
  EQUAL(2, read<int>(p));
}

TEST(graph, copies_fills_and_host_functions_are_nodes) {
  const Context context;
  const CUdeviceptr p = zeros(64), q = zeros(64);
  const Graph graph;
  std::atomic<int> runs{0};
  std::array<unsigned, 16> back{};
  const CUgraphNode fill = graph.fill({}, p, 0x01010101, 16);
  const CUgraphNode across = graph.copy({fill}, q, p, 64);
  CUDA_HOST_NODE_PARAMS host{};
  host.fn = [](void* data) { ++*static_cast<std::atomic<int>*>(data); };
  host.userData = &runs;
  CUgraphNode node = nullptr;
  SUCCEEDS(cuGraphAddHostNode(&node, graph, &across, 1, &host));
  CUDA_MEMCPY3D home{};
  home.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  home.srcDevice = q;
  home.dstMemoryType = CU_MEMORYTYPE_HOST;
  home.dstHost = back.data();
  home.WidthInBytes = 64;
  home.Height = home.Depth = 1;
  CUgraphNode last = nullptr;
  SUCCEEDS(cuGraphAddMemcpyNode(&last, graph, &node, 1, &home, context));
  const CUgraphExec executable = graph.instantiate();
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  SUCCEEDS(cuCtxSynchronize());
  EQUAL(2, runs.load());
  EQUAL(0x01010101, back[15]);
  CUDA_MEMSET_NODE_PARAMS filled{};
  SUCCEEDS(cuGraphMemsetNodeGetParams(fill, &filled));
  EQUAL(16, filled.width);
  EQUAL(4, filled.elementSize);
  CUDA_MEMCPY3D copied{};
  SUCCEEDS(cuGraphMemcpyNodeGetParams(across, &copied));
  EQUAL(64, copied.WidthInBytes);
  CUDA_HOST_NODE_PARAMS hosted{};
  SUCCEEDS(cuGraphHostNodeGetParams(node, &hosted));
  EQUAL(true, hosted.userData == &runs);
  filled.value = 0x02020202;
  SUCCEEDS(cuGraphExecMemsetNodeSetParams(executable, fill, &filled, context));
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  SUCCEEDS(cuCtxSynchronize());
  EQUAL(0x02020202, back[0]);
}

TEST(graph, a_graph_can_be_a_node) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(4);
  const Graph inner;
  const CUgraphNode first = inner.kernel({}, module.function("add"), p, 3);
  inner.kernel({first}, module.function("multiply"), p, 5);
  const Graph outer;
  const CUgraphNode before = outer.fill({}, p, 1);
  CUgraphNode node = nullptr;
  SUCCEEDS(cuGraphAddChildGraphNode(&node, outer, &before, 1, inner));
  outer.kernel({node}, module.function("add"), p, 22);
  CUgraph embedded = nullptr;
  SUCCEEDS(cuGraphChildGraphNodeGetGraph(node, &embedded));
  HOLDS(embedded != nullptr && embedded != static_cast<CUgraph>(inner));
  std::size_t count = 0;
  SUCCEEDS(cuGraphGetNodes(embedded, nullptr, &count));
  EQUAL(2, count);
  const CUgraphExec executable = outer.instantiate();
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  EQUAL((1 + 3) * 5 + 22, read<int>(p));
}

TEST(graph, a_clone_knows_its_original) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(4);
  const Graph graph;
  const CUgraphNode fill = graph.fill({}, p, 4);
  const CUgraphNode add = graph.kernel({fill}, module.function("add"), p, 38);
  CUgraph clone = nullptr;
  CUgraphNode found = nullptr;
  SUCCEEDS(cuGraphClone(&clone, graph));
  SUCCEEDS(cuGraphNodeFindInClone(&found, add, clone));
  HOLDS(found != nullptr && found != add);
  CUgraphNodeType type{};
  SUCCEEDS(cuGraphNodeGetType(found, &type));
  EQUAL(CU_GRAPH_NODE_TYPE_KERNEL, type);
  SUCCEEDS(cuGraphDestroyNode(add));
  CUgraphExec executable = nullptr;
  SUCCEEDS(cuGraphInstantiate(&executable, clone, 0));
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  EQUAL(42, read<int>(p));
  SUCCEEDS(cuGraphDestroy(clone));
  SUCCEEDS(cuGraphExecDestroy(executable));
}

TEST(graph, an_executable_outlives_its_graph) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(4);
  CUgraphExec executable = nullptr;
  {
    const Graph graph;
    graph.kernel({}, module.function("add"), p, 21);
    executable = graph.instantiate();
  }
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  EQUAL(42, read<int>(p));
  SUCCEEDS(cuGraphExecDestroy(executable));
}

CUresult update(CUgraphExec executable, CUgraph graph, CUgraphExecUpdateResult& outcome) {
  CUgraphExecUpdateResultInfo info{};
  const CUresult result = cuGraphExecUpdate(executable, graph, &info);
  outcome = info.result;
  return result;
}

TEST(graph, an_executable_takes_over_a_graph_of_the_same_shape) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(4);
  const Graph first, second, longer;
  first.kernel({first.fill({}, p, 1)}, module.function("add"), p, 1);
  second.kernel({second.fill({}, p, 40)}, module.function("add"), p, 2);
  longer.kernel({longer.kernel({longer.fill({}, p, 1)}, module.function("add"), p, 1)},
                module.function("add"), p, 1);
  const CUgraphExec executable = first.instantiate();
  CUgraphExecUpdateResult outcome{};
  SUCCEEDS(update(executable, second, outcome));
  EQUAL(CU_GRAPH_EXEC_UPDATE_SUCCESS, outcome);
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  EQUAL(42, read<int>(p));
  ANSWERS(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, update(executable, longer, outcome));
  EQUAL(CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, outcome);
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  EQUAL(42, read<int>(p));
}

TEST(graph, events_are_recorded_and_waited_for) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(4);
  CUevent const event = make_event(), other = make_event();
  CUstream const stream = make_stream(), waiting = make_stream();
  const Graph graph;
  CUgraphNode record = nullptr;
  const CUgraphNode add = graph.kernel({}, module.function("add"), p, 6);
  SUCCEEDS(cuGraphAddEventRecordNode(&record, graph, &add, 1, event));
  CUevent back = nullptr;
  SUCCEEDS(cuGraphEventRecordNodeGetEvent(record, &back));
  HOLDS(back == event);
  const CUgraphExec executable = graph.instantiate();
  SUCCEEDS(spin(module, 50, stream));
  SUCCEEDS(cuGraphLaunch(executable, stream));
  SUCCEEDS(cuStreamWaitEvent(waiting, event, 0));
  SUCCEEDS(launch(module.function("multiply"), {.stream = waiting}, p, 7U));
  SUCCEEDS(cuStreamSynchronize(waiting));
  EQUAL(42, read<int>(p));
  SUCCEEDS(cuGraphEventRecordNodeSetEvent(record, other));
  SUCCEEDS(cuGraphEventRecordNodeGetEvent(record, &back));
  HOLDS(back == other);
  const Graph waits;
  CUgraphNode wait = nullptr;
  SUCCEEDS(cuGraphAddEventWaitNode(&wait, waits, nullptr, 0, event));
  SUCCEEDS(cuGraphEventWaitNodeGetEvent(wait, &back));
  HOLDS(back == event);
  SUCCEEDS(cuGraphLaunch(waits.instantiate(), waiting));
  SUCCEEDS(cuStreamSynchronize(waiting));
}

TEST(graph, memory_can_live_from_one_node_to_another) {
  const Context context;
  const Module module;
  const CUdeviceptr result = zeros(4);
  const Graph graph;
  CUDA_MEM_ALLOC_NODE_PARAMS allocation{};
  allocation.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  allocation.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  allocation.bytesize = 4096;
  CUgraphNode made = nullptr, freed = nullptr;
  SUCCEEDS(cuGraphAddMemAllocNode(&made, graph, nullptr, 0, &allocation));
  HOLDS(allocation.dptr != 0);
  const CUgraphNode fill = graph.fill({made}, allocation.dptr, 42);
  const CUgraphNode copy = graph.copy({fill}, result, allocation.dptr, 4);
  SUCCEEDS(cuGraphAddMemFreeNode(&freed, graph, &copy, 1, allocation.dptr));
  CUdeviceptr address = 0;
  SUCCEEDS(cuGraphMemFreeNodeGetParams(freed, &address));
  EQUAL(true, address == allocation.dptr);
  const CUgraphExec executable = graph.instantiate();
  for (int round = 0; round < 2; ++round) {
    write(result, 0);
    SUCCEEDS(cuGraphLaunch(executable, nullptr));
    EQUAL(42, read<int>(result));
  }
}

TEST(graph, nodes_of_an_executable_can_be_switched_off) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(4);
  const Graph graph;
  const CUgraphNode add = graph.kernel({}, module.function("add"), p, 1);
  const CUgraphExec executable = graph.instantiate();
  unsigned enabled = 9;
  SUCCEEDS(cuGraphNodeGetEnabled(executable, add, &enabled));
  EQUAL(1, enabled);
  SUCCEEDS(cuGraphNodeSetEnabled(executable, add, 0));
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  EQUAL(0, read<int>(p));
  SUCCEEDS(cuGraphNodeSetEnabled(executable, add, 1));
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  EQUAL(1, read<int>(p));
}

TEST(graph, instantiating_tells_its_outcome) {
  const Graph graph;
  graph.empty({});
  CUgraphExec executable = nullptr;
  const Context context;
  CUDA_GRAPH_INSTANTIATE_PARAMS parameters{};
  parameters.flags = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
  SUCCEEDS(cuGraphInstantiateWithParams(&executable, graph, &parameters));
  EQUAL(CUDA_GRAPH_INSTANTIATE_SUCCESS, parameters.result_out);
  cuuint64_t flags = 0;
  SUCCEEDS(cuGraphExecGetFlags(executable, &flags));
  EQUAL(CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH, flags);
  SUCCEEDS(cuGraphExecDestroy(executable));
}

TEST(graph, can_be_drawn) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(4);
  const Graph graph;
  graph.kernel({graph.fill({}, p, 1)}, module.function("add"), p, 1);
  char name[] = "/tmp/conformance_dot_XXXXXX";
  const int file = mkstemp(name);
  HOLDS(file >= 0);
  SUCCEEDS(cuGraphDebugDotPrint(graph, name, 0));
  std::stringstream text;
  text << std::ifstream(name).rdbuf();
  std::remove(name);
  HOLDS(text.str().find("digraph") != std::string::npos);
  HOLDS(text.str().find("->") != std::string::npos);
}

TEST(graph, a_user_object_is_destroyed_with_its_last_reference) {
  static std::atomic<int> destroyed{0};
  CUuserObject object = nullptr;
  int payload = 0;
  NEEDS(cuUserObjectCreate(
      &object, &payload, [](void*) { ++destroyed; }, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  {
    const Graph graph;
    SUCCEEDS(cuGraphRetainUserObject(graph, object, 1, 0));
    SUCCEEDS(cuUserObjectRelease(object, 1));
    EQUAL(0, destroyed.load());
  }
  EQUAL(1, destroyed.load());
}

// ---- Memory of a graph

CUgraphNode allocating(CUgraph graph, CUdeviceptr& address, std::size_t size = 1 << 20) {
  CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
  parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  parameters.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  parameters.bytesize = size;
  CUgraphNode node = nullptr;
  NEEDS(cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &parameters));
  address = parameters.dptr;
  return node;
}

CUresult free_node(CUgraph graph, CUdeviceptr address, CUgraphNode behind = nullptr) {
  CUgraphNode node = nullptr;
  return cuGraphAddMemFreeNode(&node, graph, &behind, behind != nullptr ? 1 : 0, address);
}

// Whether the address can be used and asked about.
void check_memory(bool there, CUdeviceptr address) {
  const CUresult one = there ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  unsigned type = 0;
  CUdeviceptr base = 0;
  std::size_t size = 0;
  ANSWERS(one, cuMemsetD8(address, 1, 16));
  ANSWERS(one, cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
  ANSWERS(there ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &size, address));
}

TEST(graph, memory_is_there_from_a_launch_until_it_is_freed) {
  const Context context;
  CUstream const stream = make_stream();
  for (const bool in_order : {false, true}) {
    const auto release = [&](CUdeviceptr address) {
      return in_order ? cuMemFreeAsync(address, stream) : cuMemFree(address);
    };
    const Graph graph;
    CUdeviceptr address = 0;
    allocating(graph, address);
    check_memory(false, address);
    ANSWERS(CUDA_ERROR_INVALID_VALUE, release(address));
    const CUgraphExec executable = graph.instantiate();
    check_memory(false, address);
    for (int round = 0; round < 2; ++round) {
      SUCCEEDS(cuGraphLaunch(executable, stream));
      SUCCEEDS(cuStreamSynchronize(stream));
      check_memory(true, address);
      // Not before it is freed.
      ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(executable, stream));
      ANSWERS(CUDA_ERROR_INVALID_VALUE, release(address + 512));
      SUCCEEDS(release(address));
      ANSWERS(CUDA_ERROR_INVALID_VALUE, release(address));
      SUCCEEDS(cuStreamSynchronize(stream));
      check_memory(false, address);
    }
    SUCCEEDS(cuGraphExecDestroy(executable));
  }
}

TEST(graph, memory_outlives_its_graph_when_it_was_not_freed) {
  const Context context;
  CUstream const stream = make_stream();
  CUdeviceptr address = 0;
  {
    const Graph graph;
    allocating(graph, address);
    const CUgraphExec executable = graph.instantiate();
    SUCCEEDS(cuGraphLaunch(executable, stream));
    SUCCEEDS(cuGraphExecDestroy(executable));
  }
  SUCCEEDS(cuStreamSynchronize(stream));
  check_memory(true, address);
  SUCCEEDS(cuMemFree(address));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFree(address));
}

TEST(graph, memory_has_neither_a_context_nor_a_pool_to_be_told) {
  const Context context;
  const Graph graph;
  CUdeviceptr address = 0;
  allocating(graph, address);
  const CUgraphExec executable = graph.instantiate();
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  CUcontext owner = context;
  CUmemoryPool pool = reinterpret_cast<CUmemoryPool>(&owner);
  SUCCEEDS(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, address));
  HOLDS(owner == nullptr);
  SUCCEEDS(cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, address));
  HOLDS(pool == nullptr);
  SUCCEEDS(cuMemFree(address));
  SUCCEEDS(cuGraphExecDestroy(executable));
}

TEST(graph, with_memory_has_one_executable_and_no_copies) {
  const Context context;
  CUstream const stream = make_stream();
  const Graph graph, outer;
  CUdeviceptr address = 0;
  allocating(graph, address);
  CUgraphExec executable = graph.instantiate(), second = nullptr;
  CUgraph clone = nullptr;
  CUgraphNode child = nullptr;
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuGraphInstantiate(&second, graph, 0));
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuGraphClone(&clone, graph));
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
  SUCCEEDS(cuGraphLaunch(executable, stream));
  SUCCEEDS(cuGraphExecDestroy(executable));
  // The next one finds what the one before has allocated.
  executable = graph.instantiate();
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(executable, stream));
  SUCCEEDS(cuMemFree(address));
  SUCCEEDS(cuGraphLaunch(executable, stream));
  SUCCEEDS(cuMemFree(address));
  CUgraphExecUpdateResultInfo outcome{};
  SUCCEEDS(cuGraphExecUpdate(executable, graph, &outcome));
  SUCCEEDS(cuGraphExecDestroy(executable));
}

TEST(graph, with_memory_loses_no_nodes_and_edges) {
  const Context context;
  const Graph graph;
  CUdeviceptr address = 0;
  const CUgraphNode first = allocating(graph, address);
  const CUgraphNode behind = graph.empty({first}), apart = graph.empty({});
  SUCCEEDS(add_edge(graph, behind, apart));
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, remove_edge(graph, behind, apart));
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, remove_edge(graph, first, behind));
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuGraphDestroyNode(apart));
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuGraphDestroyNode(first));
}

TEST(graph, can_free_by_itself_what_its_last_launch_left) {
  const Context context;
  CUstream const stream = make_stream();
  const Graph graph;
  CUdeviceptr address = 0;
  allocating(graph, address);
  CUgraphExec executable = nullptr;
  NEEDS(cuGraphInstantiate(&executable, graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
  for (int round = 0; round < 3; ++round) SUCCEEDS(cuGraphLaunch(executable, stream));
  SUCCEEDS(cuMemFreeAsync(address, stream));
  SUCCEEDS(cuGraphLaunch(executable, stream));
  SUCCEEDS(cuGraphExecDestroy(executable));
  check_memory(true, address);
  SUCCEEDS(cuMemFree(address));
}

TEST(graph, that_frees_its_memory_leaves_none_and_can_be_launched_again) {
  const Context context;
  CUstream const stream = make_stream();
  const Graph graph, other;
  CUdeviceptr address = 0;
  const CUgraphNode first = allocating(graph, address);
  const CUgraphNode filled = graph.fill({first}, address, 7);
  SUCCEEDS(free_node(graph, address, filled));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, free_node(graph, address, filled));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, free_node(graph, address + 512, filled));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, free_node(other, address));
  const CUgraphExec executable = graph.instantiate();
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFree(address));
  for (int round = 0; round < 2; ++round) {
    SUCCEEDS(cuGraphLaunch(executable, stream));
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFree(address));
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(address, stream));
  }
  SUCCEEDS(cuStreamSynchronize(stream));
  check_memory(false, address);
  SUCCEEDS(cuGraphExecDestroy(executable));
}

TEST(graph, frees_what_another_graph_has_allocated) {
  const Context context;
  CUstream const stream = make_stream();
  const Graph graph, freeing;
  CUdeviceptr address = 0;
  allocating(graph, address);
  SUCCEEDS(free_node(freeing, address));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, free_node(freeing, address));
  const CUgraphExec allocates = graph.instantiate(), frees = freeing.instantiate();
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(frees, stream));  // nothing is there
  for (int round = 0; round < 2; ++round) {
    SUCCEEDS(cuGraphLaunch(allocates, stream));
    SUCCEEDS(cuGraphLaunch(frees, stream));
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(frees, stream));
  }
  CUgraph clone = nullptr;
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuGraphClone(&clone, freeing));
  SUCCEEDS(cuStreamSynchronize(stream));
}

TEST(graph, frees_its_own_memory_only_before_it_is_instantiated) {
  const Context context;
  const Graph graph, other;
  CUdeviceptr address = 0;
  const CUgraphNode first = allocating(graph, address);
  const CUgraphExec executable = graph.instantiate();
  ANSWERS(CUDA_ERROR_INVALID_VALUE, free_node(graph, address, first));
  SUCCEEDS(free_node(other, address));
  SUCCEEDS(cuGraphExecDestroy(executable));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, free_node(graph, address, first));
}

TEST(graph, frees_its_own_memory_only_while_no_other_graph_frees_it) {
  const Context context;
  const Graph graph, other, third;
  CUdeviceptr address = 0;
  const CUgraphNode first = allocating(graph, address);
  SUCCEEDS(free_node(other, address));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, free_node(graph, address, first));
  SUCCEEDS(free_node(third, address));
}

TEST(graph, frees_nothing_that_no_graph_allocated) {
  const Context context;
  const Graph graph;
  CUdeviceptr ordered = 0;
  SUCCEEDS(cuMemAllocAsync(&ordered, 4096, nullptr));
  for (const CUdeviceptr address : {allocate(4096), ordered, CUdeviceptr{0}, CUdeviceptr{0x1234}}) {
    ANSWERS(CUDA_ERROR_INVALID_VALUE, free_node(graph, address));
  }
}

TEST(graph, runs_a_function_of_another_context) {
  const Context first;
  const Module module;
  const CUdeviceptr p = zeros(4);
  CUfunction const add = module.function("add");
  const Context second;
  const Graph graph;
  const CUgraphNode node = graph.kernel({}, add, p, 42);
  CUDA_KERNEL_NODE_PARAMS said{};
  SUCCEEDS(cuGraphKernelNodeGetParams(node, &said));
  HOLDS(said.func == add);
  HOLDS(said.ctx == static_cast<CUcontext>(first));
  const CUgraphExec executable = graph.instantiate();
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  SUCCEEDS(cuCtxSynchronize());
  EQUAL(42, read<int>(p));
  // A plain launch does not.
  ANSWERS(CUDA_ERROR_INVALID_HANDLE, launch(add, {}, p, 1U));
  SUCCEEDS(cuGraphExecDestroy(executable));
}

}  // namespace
}  // namespace conformance
