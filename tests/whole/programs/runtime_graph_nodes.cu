// Nodes that are described by one struct, copies to and from variables of the program, and the parameters of
// a node.
#include "check.hpp"

__device__ int numbers[4];

__global__ void add(int what) {
  numbers[threadIdx.x] += what;
}

static cudaGraphNode_t add_node(cudaGraph_t graph, const cudaGraphNode_t* after,
                                cudaGraphNodeParams& parameters) {
  cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphAddNode(&node, graph, after, nullptr, after == nullptr ? 0 : 1, &parameters));
#else
  CHECK(cudaGraphAddNode(&node, graph, after, after == nullptr ? 0 : 1, &parameters));
#endif
  return node;
}

static cudaGraphNodeParams kernel_node(void** arguments) {
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeKernel;
  parameters.kernel.func = reinterpret_cast<void*>(add);
  parameters.kernel.gridDim = dim3(1);
  parameters.kernel.blockDim = dim3(4);
  parameters.kernel.kernelParams = arguments;
  return parameters;
}

int main() {
  int start[4] = {1, 2, 3, 4}, end[4] = {}, ten = 10, *scratch = nullptr;
  CHECK(cudaMalloc(&scratch, sizeof end));
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t fill = nullptr, first = nullptr, kernel = nullptr, last = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeMemset;
  parameters.memset.dst = scratch;
  parameters.memset.elementSize = 1;
  parameters.memset.value = 5;
  parameters.memset.width = sizeof end;
  parameters.memset.height = 1;
  fill = add_node(graph, nullptr, parameters);
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&first, graph, &fill, 1, numbers, start, sizeof start, 0,
                                       cudaMemcpyHostToDevice));
  void* arguments[] = {&ten};
  parameters = kernel_node(arguments);
  kernel = add_node(graph, &first, parameters);
  CHECK(cudaGraphAddMemcpyNodeFromSymbol(&last, graph, &kernel, 1, end, numbers, sizeof end, 0,
                                         cudaMemcpyDeviceToHost));

  cudaGraphExec_t executable = nullptr;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
  std::printf("numbers %d %d %d %d\n", end[0], end[1], end[2], end[3]);

  int hundred = 100;
  arguments[0] = &hundred;
  parameters = kernel_node(arguments);
  CHECK(cudaGraphExecNodeSetParams(executable, kernel, &parameters));
  CHECK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(executable, last, end + 2, numbers, 2 * sizeof(int),
                                                   sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
  std::printf("changed %d %d %d %d\n", end[0], end[1], end[2], end[3]);

  cudaMemcpy3DParms told = {};
  CHECK(cudaGraphMemcpyNodeGetParams(last, &told));
  std::printf("the copy is told: to the host's %d, bytes %zu, rows %zu\n", told.dstPtr.ptr == end,
              told.extent.width, told.extent.height);
  int filled = 0;
  CHECK(cudaMemcpy(&filled, scratch, sizeof filled, cudaMemcpyDeviceToHost));
  std::printf("filled %x\n", static_cast<unsigned>(filled));
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(scratch));
}
