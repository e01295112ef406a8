// SPDX-License-Identifier: MIT
// How an entry point about graphs begins: it checks that the driver is ready, takes the driver's lock, and
// then the lock of the graphs. Entry points of other chapters begin with core/call.hpp.
#pragma once

#include <algorithm>
#include <mutex>
#include <string_view>

#include "core/call.hpp"
#include "core/graph.hpp"

namespace driver {

template <typename DriverCall>
class GraphCall {
 public:
  GraphCall() : error(call_.error), graphs(Graphs::get()) {
    if (error == CUDA_SUCCESS) lock_ = std::unique_lock(graphs.lock);
  }

 private:
  DriverCall call_;

 public:
  CUresult error;
  Graphs& graphs;
  // Null unless the call needs one.
  Context* context() const { return call_.context; }

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

// The handles that are none, with the reasons that calls about graphs give for the log (truth logs_graph,
// words_node_params).
CUresult no_graph(CUgraph handle, std::string_view what);
CUresult no_executable();
CUresult no_node(CUgraphNode handle);

using OnGraphs = GraphCall<ReadingAnywhere>;
using ChangingGraphs = GraphCall<ChangingAnywhere>;

// The nodes that a program passes; false if one is invalid, is of another graph, or occurs twice.
bool find_nodes(const Graph& graph, const CUgraphNode* handles, std::size_t count, std::vector<Node*>& nodes);

// Edges with data are for launches that overlap with their dependants, which are not supported here.
inline bool plain_edges(const CUgraphEdgeData* data, std::size_t count) {
  return data == nullptr || std::all_of(data, data + count, [](const CUgraphEdgeData& edge) {
           return edge.from_port == 0 && edge.to_port == 0 && edge.type == CU_GRAPH_DEPENDENCY_TYPE_DEFAULT;
         });
}

}  // namespace driver
