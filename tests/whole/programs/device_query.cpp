// What every device says of itself, as far as it is the same on all.
#include "sample.hpp"

int main() {
  const sample::Device device;
  int count = 0;
  CHECK(cuDeviceGetCount(&count));
  char name[256] = {};
  CHECK(cuDeviceGetName(name, sizeof name, device.device()));
  std::size_t bytes = 0;
  CHECK(cuDeviceTotalMem(&bytes, device.device()));
  const auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    CHECK(cuDeviceGetAttribute(&value, which, device.device()));
    return value;
  };
  std::printf("at least one device: %s, with a name: %s, with memory: %s\n", count > 0 ? "yes" : "no",
              name[0] != '\0' ? "yes" : "no", bytes > (1U << 20) ? "yes" : "no");
  std::printf("warp %d, threads of a block %d, shared memory of a block %d, unified addresses %d\n",
              attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE), attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
              attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
              attribute(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING));
  std::printf("blocks of a grid %d %d %d, constant memory %d\n",
              attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X), attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
              attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z),
              attribute(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY));
}
