// Adds vectors in memory that was reserved, made and mapped in three steps.
#include "sample.hpp"

int main() {
  const sample::Device device;
  CUmemAllocationProp property = {};
  property.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  property.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  property.location.id = device.device();
  std::size_t grain = 0;
  CHECK(cuMemGetAllocationGranularity(&grain, &property, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUdeviceptr range = 0;
  CHECK(cuMemAddressReserve(&range, 2 * grain, 0, 0, 0));
  CUmemGenericAllocationHandle pieces[2] = {};
  for (int i = 0; i < 2; ++i) {
    CHECK(cuMemCreate(&pieces[i], grain, &property, 0));
    CHECK(cuMemMap(range + static_cast<std::size_t>(i) * grain, grain, 0, pieces[i], 0));
  }
  CUmemAccessDesc access = {};
  access.location = property.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CHECK(cuMemSetAccess(range, 2 * grain, &access, 1));
  const CUmodule module = sample::load(R"(extern "C" __global__ void fill(int* p, unsigned long long n) {
  for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] = i % 1000;
})");
  unsigned long long count = 2 * grain / sizeof(int);
  sample::launch(sample::kernel(module, "fill"), 64, 256, nullptr, &range, &count);
  std::vector<int> values(count);
  CHECK(cuMemcpyDtoH(values.data(), range, 2 * grain));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) wrong += values[i] != static_cast<int>(i % 1000);
  std::printf("two pieces beside each other, %zu wrong\n", wrong);
  CHECK(cuMemUnmap(range, 2 * grain));
  for (const CUmemGenericAllocationHandle piece : pieces) CHECK(cuMemRelease(piece));
  CHECK(cuMemAddressFree(range, 2 * grain));
}
