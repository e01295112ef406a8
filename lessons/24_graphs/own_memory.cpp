// Lesson 24, second part: a graph that allocates memory, and the three ways to free it.
#include "check.hpp"

constexpr std::size_t kBytes = 64;

void graph_with_memory(CUcontext context) {
  CUstream stream = nullptr;
  CUgraph owner = nullptr, freeing = nullptr, whole = nullptr;
  CUgraphNode allocation = nullptr, fill = nullptr, release = nullptr;
  CUgraphExec allocates = nullptr, frees = nullptr, does_both = nullptr, second = nullptr;
  CUDA_MEM_ALLOC_NODE_PARAMS request = {};
  CUDA_MEMSET_NODE_PARAMS seven = {};
  unsigned char byte = 0;
  cuuint64_t reserved = 0;

  // step: own_memory
  // The address is known with the node, but the memory is there from a launch on.
  check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  check(cuGraphCreate(&owner, 0));
  request.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  request.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE, request.poolProps.location.id = 0;
  request.bytesize = kBytes;
  check(cuGraphAddMemAllocNode(&allocation, owner, nullptr, 0, &request));
  seven.dst = request.dptr, seven.value = 7, seven.elementSize = 1, seven.width = kBytes, seven.height = 1;
  check(cuGraphAddMemsetNode(&fill, owner, &allocation, 1, &seven, context));
  check(cuGraphInstantiate(&allocates, owner, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&byte, request.dptr, 1));
  check(cuGraphLaunch(allocates, stream));
  check(cuStreamSynchronize(stream));
  check(cuMemcpyDtoH(&byte, request.dptr, 1));
  claim("the launch has allocated the memory and filled it", byte == 7);

  // step: freed
  // The memory stays after the launch, and until it is freed the graph cannot be launched again. A graph that
  // allocates has only one executable graph at a time.
  expect(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(allocates, stream));
  expect(CUDA_ERROR_NOT_SUPPORTED, cuGraphInstantiate(&second, owner, 0));
  check(cuMemFreeAsync(request.dptr, stream));
  check(cuGraphLaunch(allocates, stream));

  // step: free_node
  // A node of another graph can free the memory, too.
  check(cuGraphCreate(&freeing, 0));
  check(cuGraphAddMemFreeNode(&release, freeing, nullptr, 0, request.dptr));
  check(cuGraphInstantiate(&frees, freeing, 0));
  check(cuGraphLaunch(frees, stream));
  check(cuStreamSynchronize(stream));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&byte, request.dptr, 1));

  // step: both_nodes
  // A graph that allocates and frees leaves nothing behind, and can be launched at any time.
  check(cuGraphCreate(&whole, 0));
  check(cuGraphAddMemAllocNode(&allocation, whole, nullptr, 0, &request));
  seven.dst = request.dptr;
  check(cuGraphAddMemsetNode(&fill, whole, &allocation, 1, &seven, context));
  check(cuGraphAddMemFreeNode(&release, whole, &fill, 1, request.dptr));
  check(cuGraphInstantiate(&does_both, whole, 0));
  for (int i = 0; i < 2; ++i) check(cuGraphLaunch(does_both, stream));
  check(cuStreamSynchronize(stream));

  // step: trimmed
  // Memory that was freed stays reserved for the next launch. One call gives it back.
  check(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &reserved));
  claim("the memory was freed, and is still reserved", reserved >= kBytes);
  check(cuDeviceGraphMemTrim(0));
  check(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &reserved));
  claim("after the trim nothing is reserved", reserved == 0);
  for (CUgraphExec one : {allocates, frees, does_both}) check(cuGraphExecDestroy(one));
  for (CUgraph one : {owner, freeing, whole}) check(cuGraphDestroy(one));
  check(cuStreamDestroy(stream));
  check(cuCtxDestroy(context));
}
