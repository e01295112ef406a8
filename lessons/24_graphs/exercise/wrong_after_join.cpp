// Exercise 24, a wrong answer: the first stream waits for the second one before it fills.
#include "check.hpp"

constexpr std::size_t kBytes = 64, kHalf = 32;

namespace recording {

// Captures two fills that may run at the same time: `stream` fills the first half, `other` the second.
CUgraph of_two_fills(CUstream stream, CUstream other, CUdeviceptr memory) {
  CUgraph graph = nullptr;
  CUevent fork = nullptr, join = nullptr;
  for (CUevent* one : {&fork, &join}) check(cuEventCreate(one, CU_EVENT_DISABLE_TIMING));
  check(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  check(cuEventRecord(fork, stream));
  check(cuStreamWaitEvent(other, fork, CU_EVENT_WAIT_DEFAULT));
  check(cuMemsetD8Async(memory + kHalf, 2, kHalf, other));
  check(cuEventRecord(join, other));
  check(cuStreamWaitEvent(stream, join, CU_EVENT_WAIT_DEFAULT));
  check(cuMemsetD8Async(memory, 1, kHalf, stream));
  check(cuStreamEndCapture(stream, &graph));
  for (CUevent one : {fork, join}) check(cuEventDestroy(one));
  return graph;
}

}  // namespace recording

int main() {
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  CUstream stream = nullptr, other = nullptr;
  CUgraphExec executable = nullptr;
  unsigned char bytes[kBytes];
  std::size_t roots = 0;
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  check(cuMemAlloc(&memory, kBytes));
  for (CUstream* one : {&stream, &other}) check(cuStreamCreate(one, CU_STREAM_NON_BLOCKING));

  CUgraph graph = recording::of_two_fills(stream, other, memory);
  check(cuGraphInstantiate(&executable, graph, 0));
  check(cuCtxSynchronize());
  check(cuMemsetD8(memory, 0, kBytes));
  check(cuGraphLaunch(executable, stream));
  check(cuStreamSynchronize(stream));
  check(cuMemcpyDtoH(bytes, memory, kBytes));
  claim("the launch has filled the first half with 1", bytes[0] == 1);
  claim("and the second half with 2", bytes[kBytes - 1] == 2);
  // A root node depends on no other node. If both fills are root nodes, there is no order between them.
  check(cuGraphGetRootNodes(graph, nullptr, &roots));
  claim("neither fill waits for the other", roots == 2);

  check(cuGraphExecDestroy(executable));
  check(cuGraphDestroy(graph));
  for (CUstream one : {stream, other}) check(cuStreamDestroy(one));
  check(cuMemFree(memory));
  check(cuCtxDestroy(context));
}
