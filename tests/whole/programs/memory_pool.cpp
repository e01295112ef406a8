// Memory in the order of a stream, from the device's pool and from one of our own.
#include "sample.hpp"

int main() {
  const sample::Device device;
  CUstream stream = nullptr;
  CHECK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  CUmemPoolProps property = {};
  property.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  property.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  property.location.id = device.device();
  CUmemoryPool own = nullptr, usual = nullptr;
  CHECK(cuMemPoolCreate(&own, &property));
  CHECK(cuDeviceGetDefaultMemPool(&usual, device.device()));
  for (const CUmemoryPool pool : {own, usual}) {
    CUdeviceptr memory = 0;
    CHECK(cuMemAllocFromPoolAsync(&memory, 1 << 20, pool, stream));
    CHECK(cuMemsetD32Async(memory, 0x01020304, 1 << 18, stream));
    std::vector<unsigned> values(1 << 18);
    CHECK(cuMemcpyDtoHAsync(values.data(), memory, 1 << 20, stream));
    CHECK(cuMemFreeAsync(memory, stream));
    CHECK(cuStreamSynchronize(stream));
    cuuint64_t used = 1;
    CHECK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    std::printf("%s pool: last value %x, in use afterwards %llu\n", pool == own ? "our" : "the device's",
                values.back(), static_cast<unsigned long long>(used));
  }
  CHECK(cuMemPoolDestroy(own));
  CHECK(cuStreamDestroy(stream));
}
