// SPDX-License-Identifier: MIT
// The nodes of graphs and their edges: built node by node, captured from streams as in lesson 24, cloned and
// changed.
#include "world.hpp"

using namespace lab_model_test;
using lab::ObjectKind;
using lab::WorkKind;

namespace {

constexpr std::uint64_t kS = 0x21, kT = 0x22, kE = 0x31, kF = 0x32, kG = 0x51;

// "kernel fill<0 copy<0,1": each node with those that it depends on.
std::string shape(const lab::State& state, std::uint32_t graph = 1) {
  const lab::GraphShape* found = state.graphs.shape({ObjectKind::Graph, graph});
  if (found == nullptr) return "-";
  std::string out;
  for (const lab::GraphNode& node : found->nodes) {
    if (!out.empty()) out += ' ';
    out += node.removed                    ? "removed"
           : node.kind == WorkKind::Kernel ? "kernel"
           : node.kind == WorkKind::Fill   ? "fill"
           : node.kind == WorkKind::Host   ? "host"
           : node.kind == WorkKind::Record ? "record"
           : node.kind == WorkKind::Other  ? "other"
                                           : "?";
    std::string after;
    for (std::size_t i = 0; i < found->nodes.size(); ++i)
      if (node.after >> i & 1) (after += after.empty() ? "<" : ",") += std::to_string(i);
    out += after;
  }
  return out;
}

struct Graphs : World {
  Graphs() {
    create(kA);
    create_stream(kS);
    create_stream(kT);
    create_event(kE);
    create_event(kF);
    call("cuGraphCreate").out_handle("phGraph", "CUgraph", kG);
  }
  support::Call& array(support::Call& call, std::string_view name, std::string text) {
    call.in(name, 0x7ffd0000, trace::ValueKind::Array).event().arguments.back().text = std::move(text);
    return call;
  }
  void add(std::string_view name, std::uint64_t node, const std::string& after = {}) {
    support::Call& made =
        call(name).out_handle("phGraphNode", "CUgraphNode", node).handle("hGraph", "CUgraph", kG);
    if (!after.empty()) array(made, "dependencies", after);
  }
  support::Call& fill(std::uint64_t stream) {
    return call("cuMemsetD8Async")
        .in("dstDevice", kMemory)
        .in("uc", 0)
        .in("N", 64)
        .handle("hStream", "CUstream", stream);
  }
  support::Call& begin(std::uint64_t stream) {
    return call("cuStreamBeginCapture").handle("hStream", "CUstream", stream).in("mode", 0);
  }
  support::Call& end(std::uint64_t stream, std::uint64_t graph) {
    return call("cuStreamEndCapture")
        .handle("hStream", "CUstream", stream)
        .out_handle("phGraph", "CUgraph", graph);
  }
  support::Call& wait(std::uint64_t stream, std::uint64_t event) {
    return call("cuStreamWaitEvent").handle("hStream", "CUstream", stream).handle("hEvent", "CUevent", event);
  }
};

}  // namespace

TEST(graph_shape, nodes_are_added_with_what_they_depend_on) {
  Graphs world;
  EXPECT_EQ(shape(world.fold()), "-");
  world.add("cuGraphAddMemsetNode", 0x61);
  world.add("cuGraphAddKernelNode", 0x62, "[0x61]");
  world.add("cuGraphAddHostNode", 0x63, "[0x61, 0x62]");
  EXPECT_EQ(shape(world.fold()), "fill kernel<0 host<0,1");
}

TEST(graph_shape, a_failed_call_adds_no_node_and_another_graph_stays_as_it_was) {
  Graphs world;
  world.call("cuGraphCreate").out_handle("phGraph", "CUgraph", 0x52);
  world.add("cuGraphAddMemsetNode", 0x61);
  world.call("cuGraphAddMemsetNode")
      .out_handle("phGraphNode", "CUgraphNode", 0x64)
      .handle("hGraph", "CUgraph", kG)
      .result(1);
  EXPECT_EQ(shape(world.fold(), 1), "fill");
  EXPECT_EQ(shape(world.fold(), 2), "-");
}

TEST(graph_shape, edges_and_nodes_come_and_go) {
  Graphs world;
  for (const std::uint64_t node : {0x61, 0x62, 0x63}) world.add("cuGraphAddMemsetNode", node);
  const auto edges = [&world](std::string_view name, const std::string& from, const std::string& to) {
    support::Call& call = world.call(name).handle("hGraph", "CUgraph", kG);
    world.array(call, "from", from);
    world.array(call, "to", to);
  };
  edges("cuGraphAddDependencies", "[0x61, 0x62]", "[0x62, 0x63]");
  EXPECT_EQ(shape(world.fold()), "fill fill<0 fill<1");
  edges("cuGraphRemoveDependencies", "[0x61]", "[0x62]");
  EXPECT_EQ(shape(world.fold()), "fill fill fill<1");
  world.call("cuGraphDestroyNode").handle("hNode", "CUgraphNode", 0x62);
  EXPECT_EQ(shape(world.fold()), "fill removed fill");
  EXPECT_EQ(world.fold().graphs.shapes.begin()->second.count, 2u);
}

TEST(graph_shape, captured_calls_become_nodes_and_no_work) {
  Graphs world;
  world.begin(kS);
  world.fill(kS);
  world.launch(0x41, kS);
  EXPECT_TRUE(world.fold().work.streams.empty());
  world.fill(kT);  // this stream is not captured
  EXPECT_EQ(world.fold().work.streams.size(), 1u);
  world.end(kS, 0x53);
  EXPECT_EQ(shape(world.fold(), 2), "fill kernel<0");
  world.fill(kS);
  EXPECT_EQ(world.fold().work.streams.size(), 2u);
}

TEST(graph_shape, an_event_takes_a_second_stream_into_the_capture) {
  Graphs world;
  world.begin(kS);
  world.fill(kS);
  world.record(kE, kS);
  world.wait(kT, kE);
  world.launch(0x41, kT);
  world.fill(kS);
  world.record(kF, kT);
  world.wait(kS, kF);
  world.launch(0x41, kS);
  EXPECT_TRUE(world.fold().work.streams.empty());
  world.end(kS, 0x53);
  EXPECT_EQ(shape(world.fold(), 2), "fill kernel<0 fill<0 kernel<1,2");
}

TEST(graph_shape, an_invalid_capture_ends_without_a_graph) {
  Graphs world;
  world.begin(kS);
  world.fill(kS);
  world.end(kS, 0).result(901);
  world.fill(kS);
  const auto state = world.fold();
  EXPECT_TRUE(state.graphs.captures.empty());
  EXPECT_EQ(state.work.streams.size(), 1u);
  EXPECT_TRUE(state.graphs.shapes.empty());
}

TEST(graph_shape, the_wrong_stream_does_not_end_a_capture) {
  Graphs world;
  world.begin(kS);
  world.end(kT, 0).result(903);
  EXPECT_EQ(world.fold().graphs.captures.size(), 1u);
}

TEST(graph_shape, a_clone_has_the_same_nodes_and_a_destroyed_graph_none) {
  Graphs world;
  world.add("cuGraphAddMemsetNode", 0x61);
  world.call("cuGraphClone")
      .out_handle("phGraphClone", "CUgraph", 0x54)
      .handle("originalGraph", "CUgraph", kG);
  world.call("cuGraphDestroy").handle("hGraph", "CUgraph", kG);
  EXPECT_EQ(shape(world.fold(), 1), "-");
  EXPECT_EQ(shape(world.fold(), 2), "fill");
}

TEST(graph_shape, of_a_large_graph_the_first_nodes_are_kept_and_all_are_counted) {
  Graphs world;
  for (std::uint64_t i = 0; i < 500; ++i) world.add("cuGraphAddEmptyNode", 0x1000 + i);
  const auto state = world.fold();
  EXPECT_EQ(state.graphs.shapes.begin()->second.count, 500u);
  EXPECT_EQ(state.graphs.shapes.begin()->second.nodes.size(), lab::GraphShape::kMostNodes);
}

TEST(graph_shape, the_model_reaches_each_moment_as_the_fold_does) {
  Graphs world;
  for (std::uint64_t i = 0; i < 600; ++i) {
    if (i % 40 == 0) world.begin(kS);
    if (i % 40 == 30) world.end(kS, 0x100 + i % 4);
    if (i % 3 == 0) world.fill(kS);
    if (i % 5 == 0) world.add("cuGraphAddEmptyNode", 0x1000 + i);
    if (i % 50 == 49) world.call("cuGraphDestroyNode").handle("hNode", "CUgraphNode", 0x1000 + i - 9);
  }
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  model.follow();
  lab::State state;
  std::vector<lab::Graphs> each{state.graphs};
  for (support::Call& call : world.calls()) {
    lab::apply(state, call.event());
    each.push_back(state.graphs);
  }
  for (std::size_t moment = each.size(); moment-- > 0;)
    ASSERT_TRUE(model.at(moment).graphs == each[moment]) << moment;
}
