// Exercise 24, one way to do it: captured and instantiated once, and one node changed before each launch.
#include "check.hpp"

constexpr std::size_t kBytes = 64;

namespace rounds {  // change this namespace only

CUstream in = nullptr;
CUcontext of = nullptr;
CUgraph graph = nullptr;
CUgraphNode fill_node = nullptr;
CUgraphExec executable = nullptr;
CUDA_MEMSET_NODE_PARAMS fill = {};

// Prepares the work of a round: fill `from` with the number of the round, then copy `from` to `to`.
void open(CUstream stream, CUdeviceptr from, CUdeviceptr to) {
  std::size_t count = 1;
  in = stream;
  check(cuCtxGetCurrent(&of));
  check(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  check(cuMemsetD8Async(from, 0, kBytes, stream));
  check(cuMemcpyDtoDAsync(to, from, kBytes, stream));
  check(cuStreamEndCapture(stream, &graph));
  check(cuGraphGetRootNodes(graph, &fill_node, &count));
  check(cuGraphMemsetNodeGetParams(fill_node, &fill));
  check(cuGraphInstantiate(&executable, graph, 0));
}

// Does one round, and returns when it is done.
void run(unsigned char round) {
  fill.value = round;
  check(cuGraphExecMemsetNodeSetParams(executable, fill_node, &fill, of));
  check(cuGraphLaunch(executable, in));
  check(cuStreamSynchronize(in));
}

// Destroys what open() has made.
void close() {
  check(cuGraphExecDestroy(executable));
  check(cuGraphDestroy(graph));
}

}  // namespace rounds

// Whether the first byte and the last one are this number.
bool holds(CUdeviceptr memory, unsigned char number) {
  unsigned char bytes[kBytes] = {};
  check(cuMemcpyDtoH(bytes, memory, kBytes));
  return bytes[0] == number && bytes[kBytes - 1] == number;
}

int main() {
  CUcontext context = nullptr;
  CUdeviceptr from = 0, to = 0;
  CUstream stream = nullptr;
  int right = 0;
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  for (CUdeviceptr* memory : {&from, &to}) {
    check(cuMemAlloc(memory, kBytes));
    check(cuMemsetD8(*memory, 0, kBytes));
  }
  check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));

  rounds::open(stream, from, to);
  claim("open() does no work yet", holds(from, 0) && holds(to, 0));
  for (unsigned char round = 1; round <= 5; ++round) {
    rounds::run(round);
    if (holds(from, round) && holds(to, round)) ++right;
  }
  claim("after each of the five rounds, its number was in both buffers", right == 5);
  rounds::close();

  check(cuStreamDestroy(stream));
  for (CUdeviceptr memory : {from, to}) check(cuMemFree(memory));
  check(cuCtxDestroy(context));
}
