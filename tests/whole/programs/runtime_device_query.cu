// What the runtime says of a device is what the driver says of it.
#include <cuda.h>

#include <cstring>

#include "check.hpp"

int main() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  char name[256];
  size_t bytes = 0;
  CUuuid uuid;
  cuDeviceGetName(name, sizeof name, 0);
  cuDeviceTotalMem(&bytes, 0);
  cuDeviceGetUuid(&uuid, 0);
  std::printf("name equal %d, memory equal %d, uuid equal %d\n", std::strcmp(name, properties.name) == 0,
              bytes == properties.totalGlobalMem, std::memcmp(&uuid, &properties.uuid, sizeof uuid) == 0);
  bool equal = true;
  const auto compare = [&](cudaDeviceAttr attribute, long long field) {
    int value = -1;
    CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
    equal = equal && value == field;
  };
  compare(cudaDevAttrMultiProcessorCount, properties.multiProcessorCount);
  compare(cudaDevAttrMaxSharedMemoryPerBlock, static_cast<long long>(properties.sharedMemPerBlock));
  compare(cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<long long>(properties.sharedMemPerBlockOptin));
  compare(cudaDevAttrMaxRegistersPerBlock, properties.regsPerBlock);
  compare(cudaDevAttrComputeCapabilityMajor, properties.major);
  compare(cudaDevAttrComputeCapabilityMinor, properties.minor);
  compare(cudaDevAttrL2CacheSize, properties.l2CacheSize);
  compare(cudaDevAttrMaxGridDimX, properties.maxGridSize[0]);
  std::printf("attributes equal %d\n", equal);
  std::printf("warp %d, threads %d\n", properties.warpSize, properties.maxThreadsPerBlock);
  std::printf("no such device: %s\n", cudaGetErrorName(cudaGetDeviceProperties(&properties, 77)));
  int runtime = 0, driver = 0;
  CHECK(cudaRuntimeGetVersion(&runtime));
  CHECK(cudaDriverGetVersion(&driver));
  std::printf("the runtime is the header's: %d, the driver is no older: %d\n", runtime == CUDART_VERSION,
              driver >= runtime);
}
