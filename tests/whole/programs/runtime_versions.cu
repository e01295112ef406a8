// What CUDA 13 changed: the same work with the calls of 12 or of 13, depending on the header.
#include "check.hpp"

__global__ void add(int* values, int what) {
  values[threadIdx.x] += what;
}

static void prefer_device(int* values, size_t size, cudaStream_t stream) {
#if CUDART_VERSION >= 13000
  cudaMemLocation device = {}, host = {};
  device.type = cudaMemLocationTypeDevice;
  host.type = cudaMemLocationTypeHost;
  CHECK(cudaMemAdvise(values, size, cudaMemAdviseSetPreferredLocation, device));
  CHECK(cudaMemPrefetchAsync(values, size, device, 0, stream));
  CHECK(cudaMemPrefetchAsync(values, size, host, 0, stream));
#else
  CHECK(cudaMemAdvise(values, size, cudaMemAdviseSetPreferredLocation, 0));
  CHECK(cudaMemPrefetchAsync(values, size, 0, stream));
  CHECK(cudaMemPrefetchAsync(values, size, cudaCpuDeviceId, stream));
#endif
}

static size_t dependencies_while_capturing(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* nodes = nullptr;
  size_t count = 0;
#if CUDART_VERSION >= 13000
  const cudaGraphEdgeData* edges = nullptr;
  CHECK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &edges, &count));
#else
  CHECK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &count));
#endif
  return status == cudaStreamCaptureStatusActive && graph != nullptr ? count : 0;
}

static size_t edges_of(cudaGraph_t graph) {
  size_t count = 0;
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
#else
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, &count));
#endif
  return count;
}

int main() {
  int* values;
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocManaged(&values, 32 * sizeof(int)));
  for (int i = 0; i < 32; ++i) values[i] = i;
  prefer_device(values, 32 * sizeof(int), stream);
  CHECK(cudaStreamSynchronize(stream));
  int preferred = -5;
  CHECK(cudaMemRangeGetAttribute(&preferred, sizeof preferred, cudaMemRangeAttributePreferredLocation, values,
                                 32 * sizeof(int)));
  std::printf("preferred device %d\n", preferred);

  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 32, 0, stream>>>(values, 1);
  std::printf("dependencies while capturing %zu\n", dependencies_while_capturing(stream));
  add<<<1, 32, 0, stream>>>(values, 10);
  add<<<1, 32, 0, stream>>>(values, 100);
  CHECK(cudaStreamEndCapture(stream, &graph));
  std::printf("edges %zu\n", edges_of(graph));
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::printf("values %d to %d\n", values[0], values[31]);

  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  cudaDeviceProp wants = {};
  wants.major = properties.major;
  wants.multiProcessorCount = properties.multiProcessorCount;
  int chosen = -1;
  CHECK(cudaChooseDevice(&chosen, &wants));
  std::printf("warp %d, cooperative launches %d, chosen device %d\n", properties.warpSize,
              properties.cooperativeLaunch, chosen);
}
