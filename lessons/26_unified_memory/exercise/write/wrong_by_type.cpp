// Exercise 26, a wrong answer: the memory type does not tell managed memory from other memory of a device.
#include "check.hpp"

constexpr std::size_t kBytes = 2 * lesson::MiB;
constexpr int kNotManaged = -3;

namespace places {  // change this namespace only

// The place of the last prefetch: a device's number, CU_DEVICE_CPU, or CU_DEVICE_INVALID if there was none;
// kNotManaged for other memory. No call may fail.
int of_last_prefetch(CUdeviceptr address) {
  unsigned type = 0;
  int place = 0;
  check(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
  if (type != CU_MEMORYTYPE_DEVICE) return kNotManaged;
  check(cuMemRangeGetAttribute(&place, sizeof place, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, address,
                               kBytes));
  return place;
}

}  // namespace places

int main() {
  CUcontext context = nullptr;
  CUdeviceptr memory = 0, plain = 0;
  void* pinned = nullptr;
  CUmemLocation host{CU_MEM_LOCATION_TYPE_HOST, 0}, device{CU_MEM_LOCATION_TYPE_DEVICE, 0};
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  check(cuMemAllocManaged(&memory, kBytes, CU_MEM_ATTACH_GLOBAL));
  check(cuMemAlloc(&plain, kBytes));
  check(cuMemAllocHost(&pinned, kBytes));

  claim("no prefetch yet", places::of_last_prefetch(memory) == CU_DEVICE_INVALID);
  check(cuMemAdvise_v2(memory, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
  claim("advice is no prefetch", places::of_last_prefetch(memory) == CU_DEVICE_INVALID);
  check(cuMemPrefetchAsync_v2(memory, kBytes, device, 0, nullptr));
  claim("to device 0", places::of_last_prefetch(memory) == 0);
  check(cuMemPrefetchAsync_v2(memory, kBytes, host, 0, nullptr));
  check(cuCtxSynchronize());
  claim("to the host", places::of_last_prefetch(memory) == CU_DEVICE_CPU);
  claim("memory of cuMemAlloc is not managed", places::of_last_prefetch(plain) == kNotManaged);
  claim("pinned memory is not managed either",
        places::of_last_prefetch(reinterpret_cast<CUdeviceptr>(pinned)) == kNotManaged);

  check(cuMemFreeHost(pinned));
  for (CUdeviceptr address : {memory, plain}) check(cuMemFree(address));
  check(cuCtxDestroy(context));
}
