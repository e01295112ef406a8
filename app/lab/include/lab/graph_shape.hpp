// SPDX-License-Identifier: MIT
// The nodes of graphs and their edges, as far as driver calls show them: nodes that were added one by one,
// and those that captured calls became.
//
// Plain values; the rules about calls are in src/model/apply_graph.cpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "lab/work.hpp"

namespace lab {

using NodeSet = std::uint32_t;  // a bit for each node of a shape, by its index

struct GraphNode {
  std::uint64_t handle = 0;  // 0: captured, so the program has no handle yet
  std::uint64_t event = 0;   // seq of the call that added it
  std::uint64_t bytes = 0;
  ObjectId object;    // kernel, event, graph in it; None: not known
  NodeSet after = 0;  // those that it depends on
  WorkKind kind = WorkKind::Other;
  bool removed = false;

  bool operator==(const GraphNode&) const = default;
};

// Only the first nodes are kept, so that a graph of a million nodes takes no more room than one of 32.
struct GraphShape {
  static constexpr std::size_t kMostNodes = 32;
  std::uint64_t count = 0;  // nodes, those that are not kept included
  std::vector<GraphNode> nodes;

  void add(const GraphNode& node);
  bool operator==(const GraphShape&) const = default;
};

// A graph that is being captured: calls on these streams add nodes to it.
struct Capture {
  StreamKey origin;  // where it began, and has to end
  GraphShape shape;
  std::map<StreamKey, NodeSet> streams;       // what the next node of each depends on
  std::map<std::uint32_t, NodeSet> recorded;  // by ObjectId::number of an event: the same at its record

  bool operator==(const Capture&) const = default;
};

struct GraphChange {
  enum class What : std::uint8_t {
    Begin,    // a capture in `stream`; `number` identifies it
    Join,     // `stream` waits for what `after` of the node says, and is part of the capture from now on
    Record,   // an event, `node.object`, in `stream`
    Capture,  // `node`, in `stream`
    End,      // into `graph`; 0: without one
    Add,      // `node` to `graph`
    Set,      // the node with its handle, whose edges stay
    Connect,  // the node with the handle of `node` also depends on `node.after`
    Disconnect,
    Remove,  // the node with the handle of `node`
    Copy,    // the shape of `graph` is that of graph `number`, with other handles
    Forget   // `graph` ended
  };
  What what = What::Add;
  StreamKey stream;
  std::uint64_t number = 0;
  std::uint32_t graph = 0;  // ObjectId::number
  GraphNode node;
};

struct Graphs {
  std::map<std::uint32_t, GraphShape> shapes;  // by ObjectId::number
  std::map<std::uint64_t, Capture> captures;   // those that have not ended

  void apply(const GraphChange& change);
  void clear();
  const GraphShape* shape(ObjectId graph) const;
  const Capture* capture_of(const StreamKey& stream, std::uint64_t* number = nullptr) const;
  // The graph with a node of this handle; 0: none is known.
  std::uint32_t graph_with(std::uint64_t node) const;
  std::size_t bytes() const;
  bool operator==(const Graphs&) const = default;
};

// The index of the node with this handle; kMostNodes: none.
std::size_t node_index(const GraphShape& shape, std::uint64_t handle);

}  // namespace lab
