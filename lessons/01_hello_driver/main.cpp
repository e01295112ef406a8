// Lesson 01: the first words between a program and the CUDA driver. What answers before cuInit, which version
// is spoken, which devices there are. Nothing here needs a context, and nothing here makes one.
#include "check.hpp"

int main() {
  // step: before_init
  // The driver is loaded with the program, but it has not looked at any hardware yet.
  int driver_version = 0, count = 0;
  CUcontext current = nullptr;
  check(cuDriverGetVersion(&driver_version));
  expect(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
  expect(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetCurrent(&current));

  // step: init
  // The only flag that exists is 0. Doing it twice is allowed: libraries may not know of each other.
  expect(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  check(cuInit(0));
  check(cuInit(0));

  // step: versions
  // Two versions meet: the header that this program was compiled with, and the driver it runs on.
  check(cuDriverGetVersion(&driver_version));
  std::printf("header: CUDA %d.%d\n", CUDA_VERSION / 1000, CUDA_VERSION % 1000 / 10);
  std::printf("driver: up to CUDA %d.%d\n", driver_version / 1000, driver_version % 1000 / 10);

  // step: devices
  // A CUdevice is an ordinal. It is checked when it is asked for, and never has to be given back.
  check(cuDeviceGetCount(&count));
  std::printf("%d device(s)\n", count);
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    CUdevice device = 0;
    char name[100] = {};
    std::size_t bytes = 0;
    check(cuDeviceGet(&device, ordinal));
    check(cuDeviceGetName(name, sizeof name, device));
    check(cuDeviceTotalMem(&bytes, device));
    std::printf("device %d: %s, %zu MiB\n", device, name, bytes / lesson::MiB);
  }
  CUdevice device = 0;
  expect(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 99));

  // step: attributes
  // Everything else about a device is a number behind an enumerator.
  int major = 0, minor = 0, processors = 0, warp = 0, block = 0;
  check(cuDeviceGet(&device, 0));
  check(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  check(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
  check(cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
  check(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  check(cuDeviceGetAttribute(&block, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
  std::printf("compute capability %d.%d, %d multiprocessors\n", major, minor, processors);
  std::printf("a warp is %d threads, a block at most %d\n", warp, block);

  // step: name_buffer
  // The driver writes no more than it is told there is room for, and always ends the text.
  char brief[4] = {};
  check(cuDeviceGetName(brief, sizeof brief, device));
  std::printf("the name in four bytes: \"%s\"\n", brief);

  // step: no_context
  // Asking about a device sets nothing up on it. Memory, for one, needs a context, and there is none.
  CUdeviceptr memory = 0;
  check(cuCtxGetCurrent(&current));
  claim("no context is current", current == nullptr);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 16));
}
