// SPDX-License-Identifier: MIT
// See lab/graph_shape.hpp.
#include "lab/graph_shape.hpp"

#include <algorithm>
#include <utility>

namespace lab {

std::size_t node_index(const GraphShape& shape, std::uint64_t handle) {
  if (handle == 0) return GraphShape::kMostNodes;
  for (std::size_t i = 0; i < shape.nodes.size(); ++i)
    if (shape.nodes[i].handle == handle && !shape.nodes[i].removed) return i;
  return GraphShape::kMostNodes;
}

void GraphShape::add(const GraphNode& node) {
  ++count;
  if (nodes.size() < kMostNodes) nodes.push_back(node);
}

const GraphShape* Graphs::shape(ObjectId graph) const {
  const auto found = shapes.find(graph.number);
  return graph.kind != ObjectKind::Graph || found == shapes.end() ? nullptr : &found->second;
}

const Capture* Graphs::capture_of(const StreamKey& stream, std::uint64_t* number) const {
  for (const auto& [each, capture] : captures) {
    if (!capture.streams.contains(stream)) continue;
    if (number != nullptr) *number = each;
    return &capture;
  }
  return nullptr;
}

std::uint32_t Graphs::graph_with(std::uint64_t node) const {
  for (const auto& [graph, shape] : shapes)
    if (node_index(shape, node) != GraphShape::kMostNodes) return graph;
  return 0;
}

void Graphs::apply(const GraphChange& change) {
  using What = GraphChange::What;
  switch (change.what) {
    case What::Begin: {
      // A stream is part of one capture at a time: the end of an older one was not recorded.
      std::erase_if(captures, [&](const auto& one) { return one.second.origin == change.stream; });
      Capture& capture = captures[change.number];
      capture.origin = change.stream;
      capture.streams[change.stream] = change.node.after;
      if (const auto known = shapes.find(change.graph); known != shapes.end()) capture.shape = known->second;
      return;
    }
    case What::Forget:
      shapes.erase(change.graph);
      return;
    case What::Copy:
      if (const auto from = shapes.find(static_cast<std::uint32_t>(change.number)); from != shapes.end()) {
        GraphShape copy = from->second;
        for (GraphNode& node : copy.nodes) node.handle = 0;
        shapes[change.graph] = std::move(copy);
      }
      return;
    default:
      break;
  }
  if (const auto found = captures.find(change.number); found != captures.end()) {
    Capture& capture = found->second;
    switch (change.what) {
      case What::Join:
        capture.streams[change.stream] |= change.node.after;
        return;
      case What::Record:
        capture.recorded[change.node.object.number] = capture.streams[change.stream];
        return;
      case What::Capture: {
        NodeSet& tail = capture.streams[change.stream];
        GraphNode node = change.node;
        node.after = tail;
        if (const std::size_t index = capture.shape.nodes.size(); index < GraphShape::kMostNodes)
          tail = NodeSet{1} << index;
        capture.shape.add(node);
        return;
      }
      case What::End:
        if (change.graph != 0) shapes[change.graph] = std::move(capture.shape);
        captures.erase(found);
        return;
      default:
        break;
    }
  }
  if (change.what == What::Add) return shapes[change.graph].add(change.node);
  const auto found = shapes.find(change.graph);
  if (found == shapes.end()) return;
  GraphShape& shape = found->second;
  const std::size_t index = node_index(shape, change.node.handle);
  if (index == GraphShape::kMostNodes) return;
  GraphNode& node = shape.nodes[index];
  switch (change.what) {
    case What::Set: {
      const NodeSet after = node.after;
      node = change.node;
      node.after = after;
      break;
    }
    case What::Connect:
      node.after |= change.node.after;
      break;
    case What::Disconnect:
      node.after &= ~change.node.after;
      break;
    case What::Remove:
      node.removed = true;
      node.after = 0;
      for (GraphNode& other : shape.nodes) other.after &= ~(NodeSet{1} << index);
      --shape.count;
      break;
    default:
      break;
  }
}

void Graphs::clear() {
  shapes.clear();
  captures.clear();
}

std::size_t Graphs::bytes() const {
  constexpr std::size_t kMapNode = 40;
  std::size_t total = 0;
  const auto of_shape = [](const GraphShape& shape) {
    return sizeof(shape) + shape.nodes.capacity() * sizeof(GraphNode);
  };
  for (const auto& [graph, shape] : shapes) total += kMapNode + of_shape(shape);
  for (const auto& [number, capture] : captures)
    total += kMapNode + of_shape(capture.shape) + sizeof(capture) +
             (capture.streams.size() + capture.recorded.size()) * 2 * kMapNode;
  return total;
}

}  // namespace lab
