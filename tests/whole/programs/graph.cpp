// A graph by capture and one by hand, each launched three times.
#include "sample.hpp"

int main() {
  const sample::Device device;
  const CUmodule module = sample::load(R"(
extern "C" __global__ void add(int* v, int n) { atomicAdd(v, n); }
extern "C" __global__ void twice(int* v) { *v *= 2; })");
  CUfunction add = sample::kernel(module, "add"), twice = sample::kernel(module, "twice");
  CUstream stream = nullptr;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  sample::Values<int> value(1);
  CHECK(cuCtxSynchronize());
  int three = 3;
  CUgraph graph = nullptr;
  CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  sample::launch(add, 2, 4, stream, value.argument(), &three);
  sample::launch(twice, 1, 1, stream, value.argument());
  CHECK(cuStreamEndCapture(stream, &graph));
  std::size_t nodes = 0;
  CHECK(cuGraphGetNodes(graph, nullptr, &nodes));
  CUgraphExec run = nullptr;
  CHECK(cuGraphInstantiate(&run, graph, 0));
  for (int i = 0; i < 3; ++i) CHECK(cuGraphLaunch(run, stream));
  CHECK(cuStreamSynchronize(stream));
  std::printf("captured %zu nodes: %d\n", nodes, value.read()[0]);
  CHECK(cuGraphExecDestroy(run));
  CHECK(cuGraphDestroy(graph));

  CHECK(cuMemsetD32(value.address(), 0, 1));
  CHECK(cuGraphCreate(&graph, 0));
  void* arguments[] = {value.argument(), &three};
  CUDA_KERNEL_NODE_PARAMS parameters = {};
  parameters.gridDimX = parameters.gridDimY = parameters.gridDimZ = 1;
  parameters.blockDimX = parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.kernelParams = arguments;
  parameters.func = add;
  CUgraphNode first = nullptr, second = nullptr;
  CHECK(cuGraphAddKernelNode(&first, graph, nullptr, 0, &parameters));
  parameters.func = twice;
  CHECK(cuGraphAddKernelNode(&second, graph, &first, 1, &parameters));
  CHECK(cuGraphInstantiate(&run, graph, 0));
  for (int i = 0; i < 3; ++i) CHECK(cuGraphLaunch(run, stream));
  CHECK(cuStreamSynchronize(stream));
  std::printf("by hand: %d\n", value.read()[0]);
  CHECK(cuGraphExecDestroy(run));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuStreamDestroy(stream));
}
