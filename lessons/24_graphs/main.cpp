// Lesson 24: a graph is work that is described once and launched as often as needed. It is built node by
// node or captured from a stream, and can be updated. Then the errors 900 to 907 of streams that capture, and
// a graph with memory of its own.
#include "check.hpp"
void graph_with_memory(CUcontext context);

constexpr std::size_t kBytes = 64, kHalf = 32;
constexpr CUstreamCaptureMode kMode = CU_STREAM_CAPTURE_MODE_GLOBAL;

// Launches the graph, waits, and returns the first byte and the last one as two digits: 1 and 2 as 12.
int launched(CUgraphExec executable, CUstream stream, CUdeviceptr memory) {
  unsigned char bytes[kBytes];
  check(cuGraphLaunch(executable, stream));
  check(cuStreamSynchronize(stream));
  check(cuMemcpyDtoH(bytes, memory, kBytes));
  return 10 * bytes[0] + bytes[kBytes - 1];
}

// Ends a capture that an error has made invalid. The stream can be used again afterwards.
void end_invalid(CUstream stream) {
  CUgraph graph = nullptr;
  expect(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
}

int main() {
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  CUstream stream = nullptr, other = nullptr, blocking = nullptr;
  CUevent fork = nullptr, join = nullptr;
  CUgraph built = nullptr, captured = nullptr, forked = nullptr, none = nullptr;
  CUgraphNode all = nullptr, half = nullptr;
  CUgraphExec executable = nullptr;
  unsigned char byte = 0;
  std::size_t nodes = 0;

  // step: start
  check(cuInit(0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  check(cuMemAlloc(&memory, kBytes));
  check(cuMemsetD8(memory, 0, kBytes));
  for (CUstream* one : {&stream, &other}) check(cuStreamCreate(one, CU_STREAM_NON_BLOCKING));
  check(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
  for (CUevent* one : {&fork, &join}) check(cuEventCreate(one, CU_EVENT_DISABLE_TIMING));

  // step: build
  // Two nodes: a fill of all bytes, and a fill of the first half, which depends on the first node.
  CUDA_MEMSET_NODE_PARAMS fill = {};
  fill.dst = memory, fill.elementSize = 1, fill.height = 1;
  check(cuGraphCreate(&built, 0));
  fill.value = 2, fill.width = kBytes;
  check(cuGraphAddMemsetNode(&all, built, nullptr, 0, &fill, context));
  fill.value = 1, fill.width = kHalf;
  check(cuGraphAddMemsetNode(&half, built, &all, 1, &fill, context));

  // step: launch
  // An executable graph is made once, and each launch does all of its work again.
  check(cuGraphInstantiate(&executable, built, 0));
  claim("the first half is 1, the second is 2", launched(executable, stream, memory) == 12);
  check(cuMemsetD8(memory, 0, kBytes));
  claim("launched again, it has filled again", launched(executable, stream, memory) == 12);

  // step: node
  // One node of the executable graph gets another value. The graph itself stays as it was built.
  fill.value = 3;
  check(cuGraphExecMemsetNodeSetParams(executable, half, &fill, context));
  claim("now the first half is 3", launched(executable, stream, memory) == 32);

  // step: capture
  // While the stream captures, a call adds a node to a graph, and no work is done.
  check(cuStreamBeginCapture(stream, kMode));
  check(cuMemsetD8Async(memory, 5, kBytes, stream));
  check(cuMemsetD8Async(memory, 4, kHalf, stream));
  check(cuStreamEndCapture(stream, &captured));
  check(cuGraphGetNodes(captured, nullptr, &nodes));
  claim("two calls have become two nodes", nodes == 2);
  check(cuMemcpyDtoH(&byte, memory, 1));
  claim("the memory still holds the 3: nothing was filled", byte == 3);

  // step: update
  // The captured graph has the shape of the built one. The executable graph takes over its parameters.
  CUgraphExecUpdateResultInfo outcome = {};
  check(cuGraphExecUpdate(executable, captured, &outcome));
  claim("it fills with 4 and 5, as was captured", launched(executable, stream, memory) == 45);

  // step: two_streams
  // An event takes a second stream into the capture, and another one brings it back.
  check(cuStreamBeginCapture(stream, kMode));
  check(cuEventRecord(fork, stream));
  check(cuStreamWaitEvent(other, fork, CU_EVENT_WAIT_DEFAULT));
  check(cuMemsetD8Async(memory, 6, kHalf, other));
  check(cuEventRecord(join, other));
  check(cuStreamWaitEvent(stream, join, CU_EVENT_WAIT_DEFAULT));
  check(cuStreamEndCapture(stream, &forked));
  expect(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(executable, forked, &outcome));
  claim("one node is another shape", outcome.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  claim("and the executable graph is what it was", launched(executable, stream, memory) == 45);

  // step: waiting
  // 900: there is nothing to wait for. 901: the capture is invalid now, and ends without a graph.
  check(cuStreamBeginCapture(stream, kMode));
  expect(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(stream));
  end_invalid(stream);

  // step: from_outside
  // 905: the event was recorded outside of the capture. 902: it was recorded in another capture.
  check(cuEventRecord(fork, other));
  check(cuStreamBeginCapture(stream, kMode));
  expect(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, cuStreamWaitEvent(stream, fork, CU_EVENT_WAIT_DEFAULT));
  end_invalid(stream);
  for (CUstream one : {stream, other}) check(cuStreamBeginCapture(one, kMode));
  check(cuEventRecord(join, other));
  expect(CUDA_ERROR_STREAM_CAPTURE_MERGE, cuStreamWaitEvent(stream, join, CU_EVENT_WAIT_DEFAULT));
  for (CUstream one : {stream, other}) end_invalid(one);

  // step: wrong_end
  // 904: the second stream has not come back. 903: the capture ends in the stream in which it began.
  for (const bool in_other : {false, true}) {
    check(cuStreamBeginCapture(stream, kMode));
    check(cuEventRecord(fork, stream));
    check(cuStreamWaitEvent(other, fork, CU_EVENT_WAIT_DEFAULT));
    check(cuMemsetD8Async(memory, 8, kHalf, other));
    if (!in_other) expect(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(stream, &none));
    if (in_other) expect(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, cuStreamEndCapture(other, &none));
  }
  end_invalid(stream);

  // step: legacy_stream
  // 906: the legacy stream would have to wait for the blocking stream, which captures.
  check(cuStreamBeginCapture(blocking, kMode));
  expect(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, cuMemsetD8Async(memory, 8, kBytes, nullptr));
  end_invalid(blocking);

  // step: captured_event
  // 907: the event marks a place in a graph. It will never be done, so nothing can be asked of it.
  check(cuStreamBeginCapture(stream, kMode));
  check(cuEventRecord(join, stream));
  expect(CUDA_ERROR_CAPTURED_EVENT, cuEventQuery(join));
  end_invalid(stream);

  // step: outlives
  // The executable graph needs none of the graphs that it was made from.
  for (CUgraph one : {built, captured, forked}) check(cuGraphDestroy(one));
  claim("without the graphs it still fills with 4 and 5", launched(executable, stream, memory) == 45);
  check(cuGraphExecDestroy(executable));
  for (CUevent one : {fork, join}) check(cuEventDestroy(one));
  for (CUstream one : {stream, other, blocking}) check(cuStreamDestroy(one));
  check(cuMemFree(memory));
  graph_with_memory(context);
}
