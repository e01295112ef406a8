// Exercise 26, a wrong answer: it waits only on the way to the host, although to() is to wait each time.
#include "check.hpp"

constexpr std::size_t kBytes = 2 * lesson::MiB;

namespace moving {  // change this namespace only

// The place that CUDA 12 calls by this number: a device, or CU_DEVICE_CPU for the host.
CUmemLocation place_of(int number) {
  CUmemLocation place{};
  place.type = number == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
  place.id = number == CU_DEVICE_CPU ? 0 : number;
  return place;
}

// Prefetches the memory to the place, and returns when all work in the stream is done.
void to(int number, CUdeviceptr memory, CUstream stream) {
  check(cuMemPrefetchAsync_v2(memory, kBytes, place_of(number), 0, stream));
  if (number == CU_DEVICE_CPU) check(cuStreamSynchronize(stream));
}

}  // namespace moving

int main() {
  CUcontext context = nullptr;
  CUstream stream = nullptr;
  CUdeviceptr memory = 0;
  int place = 0;
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  check(cuMemAllocManaged(&memory, kBytes, CU_MEM_ATTACH_GLOBAL));

  moving::to(0, memory, stream);
  check(cuMemsetD8Async(memory, 9, kBytes, stream));
  moving::to(CU_DEVICE_CPU, memory, stream);
  claim("the host reads what the device has written",
        reinterpret_cast<unsigned char*>(memory)[kBytes - 1] == 9);
  check(cuMemRangeGetAttribute(&place, sizeof place, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, memory,
                               kBytes));
  claim("the last prefetch was to the host", place == CU_DEVICE_CPU);

  check(cuMemFree(memory));
  check(cuStreamDestroy(stream));
  check(cuCtxDestroy(context));
}
