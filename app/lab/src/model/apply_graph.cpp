// SPDX-License-Identifier: MIT
// Nodes of graphs and their edges: added one by one, or by the calls on a stream that is captured, which put
// no work into the stream. Nothing is known of the kind of a node of cuGraphAddNode, whose parameters are not
// recorded.
#include <algorithm>
#include <charconv>

#include "model/streams.hpp"

namespace lab {
namespace {

using Edit = GraphChange::What;

// The handles in "[0x10, 0x20]"; those that a recording left out are not there.
std::vector<std::uint64_t> handles_in(const trace::Argument* array) {
  std::vector<std::uint64_t> handles;
  if (array == nullptr) return handles;
  const std::string_view text = array->text;
  for (std::size_t at = text.find("0x"); at != std::string_view::npos; at = text.find("0x", at + 2)) {
    std::uint64_t value = 0;
    std::from_chars(text.data() + at + 2, text.data() + text.size(), value, 16);
    if (value != 0) handles.push_back(value);
  }
  return handles;
}

NodeSet nodes_in(const GraphShape* shape, const trace::Argument* array) {
  NodeSet set = 0;
  if (shape == nullptr) return set;
  for (const std::uint64_t handle : handles_in(array))
    if (const std::size_t index = node_index(*shape, handle); index < GraphShape::kMostNodes)
      set |= NodeSet{1} << index;
  return set;
}

std::optional<Object> graph_in(Step& step, std::string_view parameter) {
  return step.ledger.object_of(ObjectKind::Graph, step.passed(parameter));
}

struct Adds {
  Function call;
  WorkKind kind;
};
constexpr Adds kAdds[] = {
    {Function::cuGraphAddKernelNode, WorkKind::Kernel},
    {Function::cuGraphAddMemcpyNode, WorkKind::Copy},
    {Function::cuGraphAddMemsetNode, WorkKind::Fill},
    {Function::cuGraphAddHostNode, WorkKind::Host},
    {Function::cuGraphAddChildGraphNode, WorkKind::Graph},
    {Function::cuGraphAddEventRecordNode, WorkKind::Record},
    {Function::cuGraphAddEventWaitNode, WorkKind::Wait},
    {Function::cuGraphAddMemAllocNode, WorkKind::Allocate},
    {Function::cuGraphAddMemFreeNode, WorkKind::Free},
    {Function::cuGraphAddEmptyNode, WorkKind::Other},
    {Function::cuGraphAddExternalSemaphoresSignalNode, WorkKind::Other},
    {Function::cuGraphAddExternalSemaphoresWaitNode, WorkKind::Other},
    {Function::cuGraphAddBatchMemOpNode, WorkKind::Other},
    {Function::cuGraphAddNode, WorkKind::Other},
};
constexpr Adds kSets[] = {
    {Function::cuGraphKernelNodeSetParams, WorkKind::Kernel},
    {Function::cuGraphMemsetNodeSetParams, WorkKind::Fill},
    {Function::cuGraphMemcpyNodeSetParams, WorkKind::Copy},
    {Function::cuGraphEventRecordNodeSetEvent, WorkKind::Record},
    {Function::cuGraphEventWaitNodeSetEvent, WorkKind::Wait},
};

// What the parameters of a node say about it.
GraphNode node_of(Step& step, WorkKind kind) {
  GraphNode node;
  node.event = step.event.seq;
  node.kind = kind;
  const auto object = [&](ObjectKind of, std::string_view parameter) {
    const auto found = step.ledger.object_of(of, step.passed(parameter));
    return found ? found->id : ObjectId{};
  };
  switch (kind) {
    case WorkKind::Kernel:
      if (const trace::Argument* params = step.argument("nodeParams"))
        for (const std::string_view field : {"func", "kern"})
          if (!node.object) node.object = kernel_of(step, params->field_number(field).value_or(0));
      break;
    case WorkKind::Fill:
      if (const trace::Argument* params =
              step.argument(step.argument("memsetParams") != nullptr ? "memsetParams" : "nodeParams"))
        node.bytes = params->field_number("width").value_or(0) * params->field_number("height").value_or(0) *
                     params->field_number("elementSize").value_or(0);
      break;
    case WorkKind::Graph:
      node.object = object(ObjectKind::Graph, "childGraph");
      break;
    case WorkKind::Record:
    case WorkKind::Wait:
      node.object = object(ObjectKind::Event, "event");
      break;
    default:
      break;
  }
  return node;
}

void add_node(Step& step, WorkKind kind) {
  const auto graph = graph_in(step, "hGraph");
  if (!graph) return;
  GraphChange change;
  change.what = Edit::Add;
  change.graph = graph->id.number;
  change.node = node_of(step, kind);
  change.node.handle = step.written("phGraphNode").value_or(0);
  change.node.after = nodes_in(step.ledger.graphs().shape(graph->id), step.argument("dependencies"));
  step.ledger.change(change);
  if (kind == WorkKind::Record && change.node.object) make_unclear(step, change.node.object);
}

void set_node(Step& step, WorkKind kind) {
  GraphChange change;
  change.what = Edit::Set;
  change.node = node_of(step, kind);
  change.node.handle = step.passed("hNode");
  change.graph = step.ledger.graphs().graph_with(change.node.handle);
  if (change.graph != 0) step.ledger.change(change);
  if (kind == WorkKind::Record && change.node.object) make_unclear(step, change.node.object);
}

void remove_node(Step& step) {
  GraphChange change;
  change.what = Edit::Remove;
  change.node.handle = step.passed("hNode");
  change.graph = step.ledger.graphs().graph_with(change.node.handle);
  if (change.graph != 0) step.ledger.change(change);
}

void change_edges(Step& step, Edit what) {
  const auto graph = graph_in(step, "hGraph");
  const GraphShape* shape = graph ? step.ledger.graphs().shape(graph->id) : nullptr;
  if (shape == nullptr) return;
  const std::vector<std::uint64_t> from = handles_in(step.argument("from")),
                                   to = handles_in(step.argument("to"));
  std::vector<GraphChange> changes;
  for (std::size_t i = 0; i < from.size() && i < to.size(); ++i) {
    const std::size_t index = node_index(*shape, from[i]);
    if (index == GraphShape::kMostNodes) continue;
    GraphChange change;
    change.what = what;
    change.graph = graph->id.number;
    change.node.handle = to[i];
    change.node.after = NodeSet{1} << index;
    changes.push_back(change);
  }
  for (const GraphChange& change : changes) step.ledger.change(change);
}

void clone(Step& step) {
  const auto from = graph_in(step, "originalGraph");
  const auto to = step.ledger.object_of(ObjectKind::Graph, step.written("phGraphClone").value_or(0));
  if (!from || !to || step.ledger.graphs().shape(from->id) == nullptr) return;
  GraphChange change;
  change.what = Edit::Copy;
  change.graph = to->id.number;
  change.number = from->id.number;
  step.ledger.change(change);
}

void begin_capture(Step& step) {
  const auto stream = meant_stream(step);
  if (!stream) return;
  GraphChange change;
  change.what = Edit::Begin;
  change.stream = stream->key;
  change.number = step.event.seq;
  if (const auto graph = graph_in(step, "hGraph")) {
    change.graph = graph->id.number;
    change.node.after = nodes_in(step.ledger.graphs().shape(graph->id), step.argument("dependencies"));
  }
  step.ledger.change(change);
}

}  // namespace

bool capture(Step& step, const MeantStream& stream, const WorkItem& item) {
  GraphChange change;
  if (step.ledger.graphs().capture_of(stream.key, &change.number) == nullptr) return false;
  change.what = Edit::Capture;
  change.stream = stream.key;
  change.node.event = item.event;
  change.node.kind = item.kind;
  change.node.object = item.object;
  change.node.bytes = item.kind == WorkKind::Wait ? 0 : item.amount;
  step.ledger.change(change);
  return true;
}

bool capture_record(Step& step, const MeantStream& stream, ObjectId event) {
  GraphChange change;
  if (step.ledger.graphs().capture_of(stream.key, &change.number) == nullptr) return false;
  if (const auto recorded = step.ledger.object(event)) forget_work_of(step, *recorded);
  change.what = Edit::Record;
  change.stream = stream.key;
  change.node.object = event;
  step.ledger.change(change);
  return true;
}

// The other stream takes part in the capture from here on.
bool capture_wait(Step& step, const MeantStream& stream, ObjectId event) {
  for (const auto& [number, capture] : step.ledger.graphs().captures) {
    const auto recorded = capture.recorded.find(event.number);
    if (recorded == capture.recorded.end()) continue;
    GraphChange change;
    change.what = Edit::Join;
    change.stream = stream.key;
    change.number = number;
    change.node.after = recorded->second;
    step.ledger.change(change);
    return true;
  }
  return step.ledger.graphs().capture_of(stream.key) != nullptr;
}

void end_capture(Step& step) {
  const auto stream = meant_stream(step);
  GraphChange change;
  const Capture* capture = stream ? step.ledger.graphs().capture_of(stream->key, &change.number) : nullptr;
  if (capture == nullptr || capture->origin != stream->key) return;
  change.what = Edit::End;
  if (const auto graph = step.ledger.object_of(ObjectKind::Graph, step.written("phGraph").value_or(0)))
    change.graph = graph->id.number;
  step.ledger.change(change);
}

void forget_graph(Step& step, const Object& ended) {
  if (ended.id.kind != ObjectKind::Graph || step.ledger.graphs().shape(ended.id) == nullptr) return;
  GraphChange change;
  change.what = Edit::Forget;
  change.graph = ended.id.number;
  step.ledger.change(change);
}

std::vector<Rule> graph_rules() {
  std::vector<Rule> rules = {
      {Function::cuStreamBeginCapture, begin_capture},
      {Function::cuStreamBeginCaptureToGraph, begin_capture},
      {Function::cuStreamEndCapture, end_capture},
      {Function::cuGraphClone, clone},
      {Function::cuGraphDestroyNode, remove_node},
      {Function::cuGraphAddDependencies, [](Step& step) { change_edges(step, Edit::Connect); }},
      {Function::cuGraphRemoveDependencies, [](Step& step) { change_edges(step, Edit::Disconnect); }},
  };
  rules.push_back({Function::cuGraphExecEventRecordNodeSetEvent, [](Step& step) {
                     const auto event = step.ledger.object_of(ObjectKind::Event, step.passed("event"));
                     if (event) make_unclear(step, event->id);
                   }});
  for (const Adds& each : kAdds)
    rules.push_back({each.call, [&each](Step& step) { add_node(step, each.kind); }});
  for (const Adds& each : kSets)
    rules.push_back({each.call, [&each](Step& step) { set_node(step, each.kind); }});
  return rules;
}

}  // namespace lab
