// SPDX-License-Identifier: MIT
// Conditional nodes of graphs, as far as no kernel sets their values: that needs a device runtime, which the
// real driver links and this program does not bring along.
#include "graph_support.hpp"

#if CUDA_VERSION >= 13000
namespace conformance {
namespace {

CUgraphConditionalHandle handle_for(CUgraph graph, unsigned value) {
  CUgraphConditionalHandle handle = 0;
  NEEDS(cuGraphConditionalHandleCreate(&handle, graph, current(), value, CU_GRAPH_COND_ASSIGN_DEFAULT));
  return handle;
}

CUgraphNodeParams conditional(CUgraphConditionalHandle handle, CUgraphConditionalNodeType type,
                              unsigned size) {
  CUgraphNodeParams parameters{};
  parameters.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  parameters.conditional.handle = handle;
  parameters.conditional.type = type;
  parameters.conditional.size = size;
  parameters.conditional.ctx = current();
  return parameters;
}

// Which of the node's graphs run: one adds 1, the next 10, then 100.
unsigned sum_of(CUgraphConditionalNodeType type, unsigned size, unsigned value) {
  const Module module;
  const CUdeviceptr sum = zeros(4);
  const Graph graph;
  CUgraphNodeParams parameters = conditional(handle_for(graph, value), type, size);
  CUgraphNode node = nullptr;
  NEEDS(cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  for (unsigned at = 0, adds = 1; at < size; ++at, adds *= 10) {
    unsigned number = adds;
    CUdeviceptr address = sum;
    void* arguments[] = {&address, &number};
    const CUDA_KERNEL_NODE_PARAMS kernel = kernel_parameters(module.function("add"), arguments);
    CUgraphNode inside = nullptr;
    NEEDS(cuGraphAddKernelNode(&inside, parameters.conditional.phGraph_out[at], nullptr, 0, &kernel));
  }
  const CUgraphExec executable = graph.instantiate();
  NEEDS(cuGraphLaunch(executable, nullptr));
  NEEDS(cuCtxSynchronize());
  SUCCEEDS(cuGraphExecDestroy(executable));
  return read<unsigned>(sum);
}

TEST(conditional, the_value_chooses_which_graph_runs) {
  const Context context;
  EQUAL(0U, sum_of(CU_GRAPH_COND_TYPE_IF, 1, 0));
  EQUAL(1U, sum_of(CU_GRAPH_COND_TYPE_IF, 1, 5));
  EQUAL(10U, sum_of(CU_GRAPH_COND_TYPE_IF, 2, 0));
  EQUAL(1U, sum_of(CU_GRAPH_COND_TYPE_IF, 2, 1));
  EQUAL(0U, sum_of(CU_GRAPH_COND_TYPE_WHILE, 1, 0));
  EQUAL(1U, sum_of(CU_GRAPH_COND_TYPE_SWITCH, 3, 0));
  EQUAL(100U, sum_of(CU_GRAPH_COND_TYPE_SWITCH, 3, 2));
  EQUAL(0U, sum_of(CU_GRAPH_COND_TYPE_SWITCH, 3, 3));
}

TEST(conditional, a_node_needs_a_handle_of_its_own) {
  const Context context;
  const Graph graph;
  CUgraphNode node = nullptr;
  CUgraphNodeParams parameters = conditional(handle_for(graph, 1), CU_GRAPH_COND_TYPE_IF, 1);
  NEEDS(cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  HOLDS(parameters.conditional.phGraph_out[0] != nullptr);
  CUgraphNodeType type{};
  SUCCEEDS(cuGraphNodeGetType(node, &type));
  EQUAL(CU_GRAPH_NODE_TYPE_CONDITIONAL, type);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
}

}  // namespace
}  // namespace conformance
#endif
