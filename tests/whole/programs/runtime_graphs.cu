// A graph of nodes and one that was captured; both are launched twice.
#include "check.hpp"

__global__ void add(int* value, int what) {
  *value += what;
}

int main() {
  int *value, back = 0, what = 11;
  CHECK(cudaMalloc(&value, sizeof(int)));
  cudaGraph_t graph;
  cudaGraphNode_t clear, first, second, copy;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams zero = {};
  zero.dst = value;
  zero.elementSize = 4;
  zero.width = 1;
  zero.height = 1;
  CHECK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &zero));
  void* arguments[] = {&value, &what};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(1);
  kernel.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&first, graph, &clear, 1, &kernel));
  CHECK(cudaGraphAddKernelNode(&second, graph, &first, 1, &kernel));
  CHECK(
      cudaGraphAddMemcpyNode1D(&copy, graph, &second, 1, &back, value, sizeof(int), cudaMemcpyDeviceToHost));
  size_t count = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::printf("nodes %zu, result %d\n", count, back);

  cudaGraph_t captured;
  CHECK(cudaMemset(value, 0, sizeof(int)));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(value, 3);
  add<<<1, 1, 0, stream>>>(value, 4);
  CHECK(cudaMemcpyAsync(&back, value, sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamEndCapture(stream, &captured));
  CHECK(cudaGraphGetNodes(captured, nullptr, &count));
  cudaGraphExec_t again;
  CHECK(cudaGraphInstantiate(&again, captured, 0));
  CHECK(cudaGraphLaunch(again, stream));
  CHECK(cudaGraphLaunch(again, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::printf("captured nodes %zu, result %d\n", count, back);

  cudaKernelNodeParams told = {};
  CHECK(cudaGraphKernelNodeGetParams(first, &told));
  std::printf("the kernel is told as it was given: %d\n", told.func == kernel.func);
  what = 29;
  CHECK(cudaGraphExecKernelNodeSetParams(executable, second, &kernel));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::printf("changed: %d\n", back);
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
}
