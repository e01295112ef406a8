// How an entry point about graphs begins: is the driver ready, its lock, and the lock of the graphs behind
// it.
#pragma once

#include <mutex>

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
  // Before anything is enqueued; Driver's lock stays.
  void unlock_graphs() { lock_.unlock(); }

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

using OnGraphs = GraphCall<ReadingAnywhere>;
using ChangingGraphs = GraphCall<ChangingAnywhere>;

// The nodes that a program names; false when one is none, is of another graph, or is there twice.
bool find_nodes(const Graph& graph, const CUgraphNode* handles, std::size_t count, std::vector<Node*>& nodes);

}  // namespace driver
