// SPDX-License-Identifier: MIT
// Graphs where they meet a stream: made ready there, uploaded, launched.
//
// Compiled twice; see copy.cpp. Everything else of graphs is ../graph.cpp.
#include "runtime.hpp"

using namespace cudart;

// cudaGraphInstantiateWithParams. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                                     cudaGraphInstantiateParams* parameters) {
  return with_context([&] {
    return cuGraphInstantiateWithParams(executable, graph, same<CUDA_GRAPH_INSTANTIATE_PARAMS>(parameters));
  });
}

// cudaGraphUpload. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return with_context([&] { return cuGraphUpload(executable, stream); });
}

// cudaGraphLaunch. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return with_context([&] { return cuGraphLaunch(executable, stream); });
}
