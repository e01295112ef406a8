// Lesson 01: a program's first calls to the CUDA driver: which of them work before cuInit, which version of
// CUDA the driver supports, and which devices there are. No call here creates a context.
#include "check.hpp"

int main() {
  // step: before_init
  // The driver library is loaded with the program, but not initialised. Of these calls only the first works.
  int driver_version = 0, count = 0;
  CUcontext current = nullptr;
  check(cuDriverGetVersion(&driver_version));
  expect(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
  expect(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetCurrent(&current));

  // step: init
  // The flags must be 0. Calling cuInit twice is allowed: two libraries of one program may both do it.
  expect(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  check(cuInit(0));
  check(cuInit(0));

  // step: versions
  // There are two versions: of the header that this program is compiled with, and of the driver it runs on.
  check(cuDriverGetVersion(&driver_version));
  std::printf("header: CUDA %d.%d\n", CUDA_VERSION / 1000, CUDA_VERSION % 1000 / 10);
  std::printf("driver: up to CUDA %d.%d\n", driver_version / 1000, driver_version % 1000 / 10);

  // step: devices
  // A CUdevice is the number of a device. cuDeviceGet checks the number; a device is never freed.
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
  // All other properties of a device are numbers. An enumerator selects the property.
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
  // The driver writes no more bytes than the buffer has, and always ends the text with a zero.
  char brief[4] = {};
  check(cuDeviceGetName(brief, sizeof brief, device));
  std::printf("the name in four bytes: \"%s\"\n", brief);

  // step: no_context
  // None of these queries has created a context. Allocating memory needs one, so it fails.
  CUdeviceptr memory = 0;
  check(cuCtxGetCurrent(&current));
  claim("no context is current", current == nullptr);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 16));
}
