// SPDX-License-Identifier: MIT
// Graphs for the conformance suite: nodes in one line, and the calls that CUDA 13 gave data for each edge.
// Must not depend on what is checked.
#pragma once

#include "support.hpp"

namespace conformance {

inline CUDA_KERNEL_NODE_PARAMS kernel_parameters(CUfunction function, void** arguments) {
  CUDA_KERNEL_NODE_PARAMS parameters{};
  parameters.func = function;
  parameters.gridDimX = parameters.gridDimY = parameters.gridDimZ = 1;
  parameters.blockDimX = parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.kernelParams = arguments;
  return parameters;
}

class Graph {
 public:
  using Nodes = std::vector<CUgraphNode>;

  Graph() { NEEDS(cuGraphCreate(&handle_, 0)); }
  explicit Graph(CUgraph handle) : handle_(handle) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { cuGraphDestroy(handle_); }

  CUgraphNode empty(const Nodes& behind) const {
    CUgraphNode node = nullptr;
    NEEDS(cuGraphAddEmptyNode(&node, handle_, behind.data(), behind.size()));
    return node;
  }
  // A kernel with an address and a number.
  CUgraphNode kernel(const Nodes& behind, CUfunction function, CUdeviceptr address, unsigned number) const {
    void* arguments[] = {&address, &number};
    const CUDA_KERNEL_NODE_PARAMS parameters = kernel_parameters(function, arguments);
    CUgraphNode node = nullptr;
    NEEDS(cuGraphAddKernelNode(&node, handle_, behind.data(), behind.size(), &parameters));
    return node;
  }
  CUgraphNode fill(const Nodes& behind, CUdeviceptr address, unsigned value, std::size_t words = 1) const {
    CUDA_MEMSET_NODE_PARAMS parameters{};
    parameters.dst = address;
    parameters.value = value;
    parameters.elementSize = 4;
    parameters.width = words;
    parameters.height = 1;
    CUgraphNode node = nullptr;
    NEEDS(cuGraphAddMemsetNode(&node, handle_, behind.data(), behind.size(), &parameters, current()));
    return node;
  }
  CUgraphNode copy(const Nodes& behind, CUdeviceptr to, CUdeviceptr from, std::size_t size) const {
    CUDA_MEMCPY3D parameters{};
    parameters.srcMemoryType = parameters.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    parameters.srcDevice = from;
    parameters.dstDevice = to;
    parameters.WidthInBytes = size;
    parameters.Height = parameters.Depth = 1;
    CUgraphNode node = nullptr;
    NEEDS(cuGraphAddMemcpyNode(&node, handle_, behind.data(), behind.size(), &parameters, current()));
    return node;
  }
  [[nodiscard]] CUgraphExec instantiate() const {
    CUgraphExec executable = nullptr;
    NEEDS(cuGraphInstantiate(&executable, handle_, 0));
    return executable;
  }
  operator CUgraph() const { return handle_; }  // NOLINT(google-explicit-constructor)

 private:
  CUgraph handle_ = nullptr;
};

#if CUDA_VERSION >= 13000
inline CUresult add_edge(CUgraph graph, CUgraphNode from, CUgraphNode to) {
  return cuGraphAddDependencies(graph, &from, &to, nullptr, 1);
}
inline CUresult remove_edge(CUgraph graph, CUgraphNode from, CUgraphNode to) {
  return cuGraphRemoveDependencies(graph, &from, &to, nullptr, 1);
}
inline std::size_t edge_count(CUgraph graph) {
  std::size_t count = 99;
  SUCCEEDS(cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
  return count;
}
inline std::size_t dependency_count(CUgraphNode node) {
  std::size_t count = 99;
  SUCCEEDS(cuGraphNodeGetDependencies(node, nullptr, nullptr, &count));
  return count;
}
inline std::size_t dependent_count(CUgraphNode node) {
  std::size_t count = 99;
  SUCCEEDS(cuGraphNodeGetDependentNodes(node, nullptr, nullptr, &count));
  return count;
}
#else
inline CUresult add_edge(CUgraph graph, CUgraphNode from, CUgraphNode to) {
  return cuGraphAddDependencies(graph, &from, &to, 1);
}
inline CUresult remove_edge(CUgraph graph, CUgraphNode from, CUgraphNode to) {
  return cuGraphRemoveDependencies(graph, &from, &to, 1);
}
inline std::size_t edge_count(CUgraph graph) {
  std::size_t count = 99;
  SUCCEEDS(cuGraphGetEdges(graph, nullptr, nullptr, &count));
  return count;
}
inline std::size_t dependency_count(CUgraphNode node) {
  std::size_t count = 99;
  SUCCEEDS(cuGraphNodeGetDependencies(node, nullptr, &count));
  return count;
}
inline std::size_t dependent_count(CUgraphNode node) {
  std::size_t count = 99;
  SUCCEEDS(cuGraphNodeGetDependentNodes(node, nullptr, &count));
  return count;
}
#endif

}  // namespace conformance
