// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Graph Management": graphs, their structure, and user objects.
//
// A handle that is none gives 1, as the manual says of all of these calls; the real driver may crash.
#include <algorithm>
#include <array>
#include <cstdio>
#include <new>
#include <string>

#include "core/capture.hpp"
#include "core/graph_call.hpp"
#include "core/host_function.hpp"
#include "core/log.hpp"
#include "core/user_object.hpp"

using namespace driver;

namespace {

// The protocol of every list: without an array the number; with one as many as there is room for, null
// behind the last, and the number of those that are there.
template <typename Item, typename... Arrays>
CUresult give_list(const std::vector<Item>& items, std::size_t* count, Arrays... arrays) {
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const bool wanted = ((std::get<0>(arrays) != nullptr) || ...);
  if (wanted) {
    for (std::size_t at = 0; at < *count; ++at) {
      const auto give = [&](auto& pair) {
        auto& [array, pick] = pair;
        if (array != nullptr) array[at] = at < items.size() ? pick(items[at]) : nullptr;
      };
      (give(arrays), ...);
    }
    *count = std::min(*count, items.size());
  } else {
    *count = items.size();
  }
  return CUDA_SUCCESS;
}

CUgraphNode handle_of(Node* node) {
  return node->handle();
}

std::vector<Node*> nodes_of(const Graph& graph) {
  std::vector<Node*> result;
  for (const auto& node : graph.nodes()) result.push_back(node.get());
  return result;
}

using Edge = std::pair<Node*, Node*>;

CUresult list_edges(CUgraph handle, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* data,
                    std::size_t* count) {
  const OnGraphs call;
  if (call.error) return call.error;
  const Graph* const graph = call.graphs.graph(handle);
  if (graph == nullptr || (from == nullptr) != (to == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  std::vector<Edge> edges;
  for (const auto& node : graph->nodes()) {
    for (Node* const next : node->dependents) edges.emplace_back(node.get(), next);
  }
  if (data != nullptr && count != nullptr)
    std::fill_n(data, std::min(*count, edges.size()), CUgraphEdgeData{});
  return give_list(edges, count, std::pair(from, [](const Edge& edge) { return edge.first->handle(); }),
                   std::pair(to, [](const Edge& edge) { return edge.second->handle(); }));
}

enum class Edges { Come, Go };

template <typename Change>
CUresult change_edges(Edges which, CUgraph handle, const CUgraphNode* from, const CUgraphNode* to,
                      const CUgraphEdgeData* data, std::size_t count, Change change) {
  const OnGraphs call;
  if (call.error) return call.error;
  const Graph* const graph = call.graphs.graph(handle);
  if (graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (count == 0) return CUDA_SUCCESS;
  if (from == nullptr || to == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!plain_edges(data, count)) return CUDA_ERROR_NOT_SUPPORTED;
  // Measured: nothing can be taken out of a graph with memory nodes.
  if (which == Edges::Go && graph->has_memory()) return CUDA_ERROR_NOT_SUPPORTED;
  std::size_t at = 0;
  try {
    for (; at < count; ++at) {
      Node* const first = call.graphs.node(from[at]);
      Node* const second = call.graphs.node(to[at]);
      if (first == nullptr || second == nullptr) return CUDA_ERROR_INVALID_VALUE;
      if (first == second) {
        std::array<char, 80> text{};
        std::snprintf(text.data(), text.size(), "Index %zu: from and to are the same node (%p)", at,
                      static_cast<const void*>(from[at]));
        return refuse(CUDA_ERROR_INVALID_VALUE, text.data());
      }
      if (&first->graph != graph || &second->graph != graph) return CUDA_ERROR_INVALID_VALUE;
      if (!change(*first, *second)) return CUDA_ERROR_INVALID_VALUE;
    }
  } catch (const std::bad_alloc&) {  // only edges that come need memory
    while (at-- > 0) Graph::disconnect(*call.graphs.node(from[at]), *call.graphs.node(to[at]));
    throw;
  }
  return CUDA_SUCCESS;
}

CUresult list_neighbours(CUgraphNode handle, Neighbours Node::* which, CUgraphNode* nodes,
                         CUgraphEdgeData* data, std::size_t* count) {
  const OnGraphs call;
  if (call.error) return call.error;
  const Node* const node = call.graphs.node(handle);
  if (node == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const std::vector<Node*> list((node->*which).begin(), (node->*which).end());
  if (data != nullptr && count != nullptr)
    std::fill_n(data, std::min(*count, list.size()), CUgraphEdgeData{});
  return give_list(list, count, std::pair(nodes, &handle_of));
}

constexpr unsigned kMostReferences = 0x7fffffff;

struct UserObject {
  void* payload;
  CUhostFn destroy;
  unsigned references;
};

AssuredMap<CUuserObject, UserObject>& user_objects() {
  static auto* const all = new AssuredMap<CUuserObject, UserObject>;
  return *all;
}

}  // namespace

CUresult driver::no_graph(CUgraph handle, std::string_view what) {
  if (handle != nullptr) return CUDA_ERROR_INVALID_VALUE;
  return refuse(CUDA_ERROR_INVALID_VALUE,
                "The source graph pointer is NULL\n" + std::string(what) + " is not a valid source graph");
}

CUresult driver::no_executable() {
  return refuse(CUDA_ERROR_INVALID_VALUE, "Graph is not a valid executable graph");
}

CUresult driver::no_node(CUgraphNode handle) {
  return handle != nullptr ? CUDA_ERROR_INVALID_VALUE
                           : refuse(CUDA_ERROR_INVALID_VALUE, "Node cannot be NULL");
}

bool driver::find_nodes(const Graph& graph, const CUgraphNode* handles, std::size_t count,
                        std::vector<Node*>& nodes) {
  if (count != 0 && handles == nullptr) return false;
  for (std::size_t at = 0; at < count; ++at) {
    Node* const node = Graphs::get().node(handles[at]);
    if (node == nullptr || &node->graph != &graph) return false;
    nodes.push_back(node);
  }
  std::vector<Node*> sorted = nodes;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

bool driver::retain_user_object(CUuserObject object, unsigned count) {
  const auto found = user_objects().find(object);
  // Measured: from 2^31 on a count is none.
  if (found == user_objects().end() || count > kMostReferences) return false;
  found->second.references += count;
  return true;
}

bool driver::release_user_object(CUuserObject object, unsigned count) {
  const auto found = user_objects().find(object);
  if (found == user_objects().end() || found->second.references < count) return false;
  found->second.references -= count;
  if (found->second.references != 0) return true;
  const UserObject last = found->second;
  user_objects().erase(found);
  const InHostFunction marked;
  last.destroy(last.payload);
  return true;
}

// cuGraphCreate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE, OUT_OF_MEMORY.
CUresult CUDAAPI cuGraphCreate(CUgraph* handle, unsigned int flags) {
  const OnGraphs call;
  if (call.error) return call.error;
  if (handle == nullptr) return refuse(CUDA_ERROR_INVALID_VALUE, "Graph pointer cannot be NULL");
  if (flags != 0) {
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "Invalid flags specified: 0x%x", flags);
    return refuse(CUDA_ERROR_INVALID_VALUE, text.data());
  }
  auto graph = std::make_shared<Graph>();
  *handle = graph->handle();
  call.graphs.made[graph.get()] = graph;
  return CUDA_SUCCESS;
}

// cuGraphDestroy. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE. Executables made of it live on
// (truth capture, steps 49 and 50). Measured: 401 while a stream is captured into it.
CUresult CUDAAPI cuGraphDestroy(CUgraph handle) {
  const ChangingGraphs call;
  if (call.error) return call.error;
  call.graphs.retired.clear();
  const Graph* const graph = call.graphs.graph(handle);
  if (graph == nullptr) return no_graph(handle, "Graph");
  if (is_captured_into(*graph)) return CUDA_ERROR_ILLEGAL_STATE;
  if (call.graphs.made.erase(graph) == 0) return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

// cuGraphClone. Errors: INVALID_VALUE, OUT_OF_MEMORY. Measured: 801 for a graph with memory nodes or
// conditional handles.
CUresult CUDAAPI cuGraphClone(CUgraph* handle, CUgraph original) {
  const OnGraphs call;
  if (call.error) return call.error;
  const Graph* const graph = call.graphs.graph(original);
  if (handle == nullptr || graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (graph->has_memory() || !graph->values.empty()) return CUDA_ERROR_NOT_SUPPORTED;
  auto copy = graph->clone();
  *handle = copy->handle();
  call.graphs.made[copy.get()] = copy;
  return CUDA_SUCCESS;
}

// cuGraphNodeFindInClone. Errors: INVALID_VALUE.
CUresult CUDAAPI cuGraphNodeFindInClone(CUgraphNode* found, CUgraphNode original, CUgraph clone) {
  const OnGraphs call;
  if (call.error) return call.error;
  const Node* const node = call.graphs.node(original);
  const Graph* const graph = call.graphs.graph(clone);
  if (found == nullptr || node == nullptr || graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Node* const copy = graph->find_copy(node->number);
  if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *found = copy->handle();
  return CUDA_SUCCESS;
}

// cuGraphGetNodes. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE.
CUresult CUDAAPI cuGraphGetNodes(CUgraph handle, CUgraphNode* nodes, size_t* count) {
  const OnGraphs call;
  if (call.error) return call.error;
  const Graph* const graph = call.graphs.graph(handle);
  if (graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return give_list(nodes_of(*graph), count, std::pair(nodes, &handle_of));
}

// cuGraphGetRootNodes. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE.
CUresult CUDAAPI cuGraphGetRootNodes(CUgraph handle, CUgraphNode* nodes, size_t* count) {
  const OnGraphs call;
  if (call.error) return call.error;
  const Graph* const graph = call.graphs.graph(handle);
  if (graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  auto roots = nodes_of(*graph);
  std::erase_if(roots, [](const Node* node) { return !node->dependencies.empty(); });
  return give_list(roots, count, std::pair(nodes, &handle_of));
}

// cuGraphGetEdges. Errors: DEINITIALIZED, NOT_INITIALIZED, LOSSY_QUERY, INVALID_VALUE.
CUresult CUDAAPI cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
  return list_edges(graph, from, to, nullptr, count);
}

CUresult CUDAAPI cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* data,
                                    size_t* count) {
  return list_edges(graph, from, to, data, count);
}

// cuGraphNodeGetDependencies. Errors: DEINITIALIZED, NOT_INITIALIZED, LOSSY_QUERY, INVALID_VALUE.
CUresult CUDAAPI cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
  return list_neighbours(node, &Node::dependencies, nodes, nullptr, count);
}

CUresult CUDAAPI cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* data,
                                               size_t* count) {
  return list_neighbours(node, &Node::dependencies, nodes, data, count);
}

// cuGraphNodeGetDependentNodes. Errors: DEINITIALIZED, NOT_INITIALIZED, LOSSY_QUERY, INVALID_VALUE.
CUresult CUDAAPI cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
  return list_neighbours(node, &Node::dependents, nodes, nullptr, count);
}

CUresult CUDAAPI cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* data,
                                                 size_t* count) {
  return list_neighbours(node, &Node::dependents, nodes, data, count);
}

// cuGraphAddDependencies. Errors: INVALID_VALUE, also for an edge that is there already.
CUresult CUDAAPI cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                        size_t count) {
  return change_edges(Edges::Come, graph, from, to, nullptr, count, Graph::connect);
}

CUresult CUDAAPI cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                           const CUgraphEdgeData* data, size_t count) {
  return change_edges(Edges::Come, graph, from, to, data, count, Graph::connect);
}

// cuGraphRemoveDependencies. Errors: INVALID_VALUE, also for an edge that is not there.
CUresult CUDAAPI cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                           size_t count) {
  return change_edges(Edges::Go, graph, from, to, nullptr, count, Graph::disconnect);
}

CUresult CUDAAPI cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                              const CUgraphEdgeData* data, size_t count) {
  return change_edges(Edges::Go, graph, from, to, data, count, Graph::disconnect);
}

// cuGraphDestroyNode. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE. A graph that allocates memory
// keeps its nodes.
CUresult CUDAAPI cuGraphDestroyNode(CUgraphNode handle) {
  const ChangingGraphs call;
  if (call.error) return call.error;
  Node* const node = call.graphs.node(handle);
  if (node == nullptr) return no_node(handle);
  if (node->graph.has_memory()) return CUDA_ERROR_NOT_SUPPORTED;
  node->graph.remove(*node);
  return CUDA_SUCCESS;
}

// cuGraphNodeGetType. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE.
CUresult CUDAAPI cuGraphNodeGetType(CUgraphNode handle, CUgraphNodeType* type) {
  const OnGraphs call;
  if (call.error) return call.error;
  const Node* const node = call.graphs.node(handle);
  if (node == nullptr || type == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *type = node->type();
  return CUDA_SUCCESS;
}

// cuUserObjectCreate. Errors: INVALID_VALUE. The flag is not optional, says the manual.
CUresult CUDAAPI cuUserObjectCreate(CUuserObject* object, void* payload, CUhostFn destroy,
                                    unsigned int references, unsigned int flags) {
  const OnGraphs call;
  if (call.error) return call.error;
  if (object == nullptr || destroy == nullptr || references == 0) return CUDA_ERROR_INVALID_VALUE;
  if (flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC) return CUDA_ERROR_INVALID_VALUE;
  static std::uintptr_t next = 0;
  next += 16;
  *object = reinterpret_cast<CUuserObject>(next);
  user_objects()[*object] = {payload, destroy, references};
  return CUDA_SUCCESS;
}

// cuUserObjectRetain. Errors: INVALID_VALUE.
CUresult CUDAAPI cuUserObjectRetain(CUuserObject object, unsigned int count) {
  const OnGraphs call;
  if (call.error) return call.error;
  return count != 0 && retain_user_object(object, count) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// cuUserObjectRelease. Errors: INVALID_VALUE.
CUresult CUDAAPI cuUserObjectRelease(CUuserObject object, unsigned int count) {
  const OnGraphs call;
  if (call.error) return call.error;
  return count != 0 && release_user_object(object, count) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// cuGraphRetainUserObject. Errors: INVALID_VALUE. With the flag the caller's own references move to the
// graph.
CUresult CUDAAPI cuGraphRetainUserObject(CUgraph handle, CUuserObject object, unsigned int count,
                                         unsigned int flags) {
  const OnGraphs call;
  if (call.error) return call.error;
  Graph* const graph = call.graphs.graph(handle);
  if (graph == nullptr || count == 0 || (flags & ~unsigned{CU_GRAPH_USER_OBJECT_MOVE}) != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const bool known = flags != 0 ? user_objects().contains(object) : retain_user_object(object, count);
  if (!known) return CUDA_ERROR_INVALID_VALUE;
  graph->user_objects[object] += count;
  return CUDA_SUCCESS;
}

// cuGraphReleaseUserObject. Errors: INVALID_VALUE.
CUresult CUDAAPI cuGraphReleaseUserObject(CUgraph handle, CUuserObject object, unsigned int count) {
  const OnGraphs call;
  if (call.error) return call.error;
  Graph* const graph = call.graphs.graph(handle);
  if (graph == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
  const auto held = graph->user_objects.find(object);
  if (held == graph->user_objects.end()) return CUDA_ERROR_INVALID_VALUE;
  if (held->second < count) return CUDA_SUCCESS;  // measured: it is no error, and has no effect
  held->second -= count;
  if (held->second == 0) graph->user_objects.erase(held);
  return release_user_object(object, count) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
