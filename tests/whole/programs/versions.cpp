// What CUDA 13 changed: the same work with the calls of 12 or of 13, depending on the header.
#include "sample.hpp"

namespace {

CUcontext make_context(CUdevice device) {
  CUcontext context = nullptr;
#if CUDA_VERSION >= 13000
  CHECK(cuCtxCreate(&context, nullptr, 0, device));
#else
  CHECK(cuCtxCreate(&context, 0, device));
#endif
  return context;
}

void prefer(CUdeviceptr values, std::size_t size, CUdevice device) {
#if CUDA_VERSION >= 13000
  CUmemLocation location = {};
  location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  location.id = device;
  CHECK(cuMemAdvise(values, size, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, location));
  CHECK(cuMemPrefetchAsync(values, size, location, 0, nullptr));
#else
  CHECK(cuMemAdvise(values, size, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device));
  CHECK(cuMemPrefetchAsync(values, size, device, nullptr));
#endif
}

void add_edges(CUgraph graph, const CUgraphNode* nodes) {
#if CUDA_VERSION >= 13000
  CHECK(cuGraphAddDependencies(graph, nodes, nodes + 1, nullptr, 2));
#else
  CHECK(cuGraphAddDependencies(graph, nodes, nodes + 1, 2));
#endif
}

std::size_t count_edges(CUgraph graph, CUgraphNode of) {
  std::size_t all = 0, before = 0;
#if CUDA_VERSION >= 13000
  CHECK(cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &all));
  CHECK(cuGraphNodeGetDependencies(of, nullptr, nullptr, &before));
#else
  CHECK(cuGraphGetEdges(graph, nullptr, nullptr, &all));
  CHECK(cuGraphNodeGetDependencies(of, nullptr, &before));
#endif
  return all * 10 + before;
}

}  // namespace

int main() {
  CHECK(cuInit(0));
  CUdevice device = 0;
  CHECK(cuDeviceGet(&device, 0));
  const CUcontext context = make_context(device);
  CUdeviceptr values = 0;
  CHECK(cuMemAllocManaged(&values, 4096, CU_MEM_ATTACH_GLOBAL));
  CHECK(cuMemsetD8(values, 7, 4096));
  prefer(values, 4096, device);
  CHECK(cuCtxSynchronize());
  int preferred = -5;
  CHECK(cuMemRangeGetAttribute(&preferred, sizeof preferred, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION,
                               values, 4096));
  std::printf("preferred device %d, values of %d\n", preferred, *reinterpret_cast<const char*>(values));

  CUgraph graph = nullptr;
  CUgraphNode nodes[3] = {};
  CHECK(cuGraphCreate(&graph, 0));
  for (CUgraphNode& node : nodes) CHECK(cuGraphAddEmptyNode(&node, graph, nullptr, 0));
  add_edges(graph, nodes);
  std::printf("edges and dependencies %zu\n", count_edges(graph, nodes[2]));

  CUevent start = nullptr, end = nullptr;
  CHECK(cuEventCreate(&start, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  CHECK(cuEventRecord(start, nullptr));
  CHECK(cuEventRecord(end, nullptr));
  CHECK(cuEventSynchronize(end));
  float milliseconds = -1;
  CHECK(cuEventElapsedTime(&milliseconds, start, end));
  CUuuid uuid = {};
  CHECK(cuDeviceGetUuid(&uuid, device));
  int version = 0;
  CHECK(cuDriverGetVersion(&version));
  std::printf("time %s, the driver is no older than the header: %d\n",
              milliseconds >= 0 ? "has passed" : "went back", version >= CUDA_VERSION);
  CHECK(cuGraphDestroy(graph));
  CHECK(cuCtxDestroy(context));
}
