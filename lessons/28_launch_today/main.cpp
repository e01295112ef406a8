// Lesson 28: a launch as a struct and a list of attributes; what a block may have (threads, and more than 48
// KiB of shared memory); how many blocks fit on the device; and launches whose blocks wait for one another.
#include "check.hpp"

constexpr int kUsual = 48 * 1024, kOwn = 1024;  // bytes that each block may have, and what `tile` declares
constexpr unsigned kBlocks = 4, kThreads = 128;
constexpr CUfunction_attribute kLimit = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;

// What the kernels have counted since the last time. The copy waits for them.
unsigned counted(CUdeviceptr total) {
  unsigned value = 0;
  check(cuMemcpyDtoH(&value, total, sizeof value));
  check(cuMemsetD32(total, 0, 1));
  return value;
}

int main() {
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction count = nullptr, bounded = nullptr, tile = nullptr, meet = nullptr;
  CUdeviceptr total = 0;
  CUevent begun = nullptr, timed = nullptr;
  CUlaunchConfig config = {};
  void *to_total[] = {&total}, *to_tile[] = {&total, &config.sharedMemBytes};
  int own = 0, registers = 0, threads = 0, limit = 0, most = 0, many = 0, few = 0, none = 0;
  int grid = 0, block = 0, held = 0, processors = 0, clusters = 0;

  // step: start
  check(cuInit(0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&count, module, "count"));
  check(cuModuleGetFunction(&bounded, module, "bounded"));
  check(cuModuleGetFunction(&tile, module, "tile"));
  check(cuModuleGetFunction(&meet, module, "meet"));
  check(cuMemAlloc(&total, sizeof(unsigned)));
  check(cuMemsetD32(total, 0, 1));

  // step: config
  // What cuLaunchKernel has as parameters. Each dimension has to be set, also those that are 1.
  config.gridDimX = kBlocks, config.blockDimX = kThreads;
  expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(&config, count, to_total, nullptr));
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  check(cuLaunchKernelEx(&config, count, to_total, nullptr));
  claim("each thread of four blocks has counted", counted(total) == kBlocks * kThreads);

  // step: needs
  // What was decided when the kernels were compiled.
  check(cuFuncGetAttribute(&own, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, tile));
  check(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, tile));
  check(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, bounded));
  std::printf("each thread of tile has %d registers\n", registers);
  claim("tile declares 1 KiB, and blocks of bounded have at most 128 threads", own == kOwn && threads == 128);

  // step: bounds
  config.blockDimX = 129;
  expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(&config, bounded, to_total, nullptr));
  config.blockDimX = 128;
  check(cuLaunchKernelEx(&config, bounded, to_total, nullptr));
  claim("only the second launch has counted", counted(total) == kBlocks * 128);

  // step: shared
  // The launch gives dynamic shared memory. With what the kernel declares, a block has 48 KiB at most.
  check(cuFuncGetAttribute(&limit, kLimit, tile));
  claim("the launch may give 47 KiB", limit == kUsual - kOwn);
  config.gridDimX = 1, config.sharedMemBytes = kUsual;
  expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(&config, tile, to_tile, nullptr));
  config.sharedMemBytes = kUsual - kOwn;
  check(cuLaunchKernelEx(&config, tile, to_tile, nullptr));
  claim("every word of the 47 KiB was there", 4 * counted(total) == kUsual - kOwn);

  // step: opt_in
  // More has to be allowed for the function first. The device's limit includes what the kernel declares.
  check(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(tile, kLimit, most));
  most -= kOwn;
  check(cuFuncSetAttribute(tile, kLimit, most));
  config.sharedMemBytes = unsigned(most);
  check(cuLaunchKernelEx(&config, tile, to_tile, nullptr));
  claim("more than 48 KiB, and every word was there", most > kUsual && 4 * counted(total) == unsigned(most));

  // step: lowered
  // The attribute is the limit for each later launch. A smaller value lowers it, below the usual one, too.
  check(cuFuncSetAttribute(tile, kLimit, 1024));
  config.sharedMemBytes = 2048;
  expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(&config, tile, to_tile, nullptr));
  check(cuFuncSetAttribute(tile, kLimit, most));

  // step: occupancy
  // How many blocks a multiprocessor holds: without dynamic shared memory, with the most, and with too much.
  check(cuOccupancyMaxActiveBlocksPerMultiprocessor(&many, tile, kThreads, 0));
  check(cuOccupancyMaxActiveBlocksPerMultiprocessor(&few, tile, kThreads, std::size_t(most)));
  check(cuOccupancyMaxActiveBlocksPerMultiprocessor(&none, tile, kThreads, std::size_t(most) + 1));
  claim("with more shared memory, fewer blocks fit", 1 <= few && few < many);
  claim("if a block needs too much, 0 fit, and the call succeeds", none == 0);

  // step: block_size
  // The block size with which a multiprocessor holds the most threads, and the grid that fills the device.
  check(cuOccupancyMaxPotentialBlockSize(&grid, &block, meet, nullptr, 0, 0));
  check(cuOccupancyMaxActiveBlocksPerMultiprocessor(&held, meet, block, 0));
  check(cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  claim("the grid has as many blocks as the device holds at the same time", grid == held * processors);

  // step: attributes
  // What has no field in the struct goes into a list: the kind of each attribute, and its value.
  check(cuEventCreate(&begun, CU_EVENT_DISABLE_TIMING));
  CUlaunchAttribute list[2] = {};
  list[0].id = CU_LAUNCH_ATTRIBUTE_PRIORITY, list[0].value.priority = -1;
  list[1].id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
  list[1].value.launchCompletionEvent.event = begun;
  config.gridDimX = kBlocks, config.sharedMemBytes = 0, config.attrs = list, config.numAttrs = 2;
  check(cuLaunchKernelEx(&config, count, to_total, nullptr));
  check(cuEventSynchronize(begun));  // this does not say that the blocks have ended
  claim("the launch with a priority and an event has counted", counted(total) == kBlocks * kThreads);

  // step: refused
  // 801: the event measures time. 1: this attribute is for streams. The driver refuses the launch with it.
  check(cuEventCreate(&timed, CU_EVENT_DEFAULT));
  list[1].value.launchCompletionEvent.event = timed;
  expect(CUDA_ERROR_NOT_SUPPORTED, cuLaunchKernelEx(&config, count, to_total, nullptr));
  list[1].id = CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY;
  expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(&config, count, to_total, nullptr));
  claim("neither launch has counted", counted(total) == 0);

  // step: cooperative
  // These blocks wait for one another, so all of them have to fit. With the attribute the driver checks it.
  list[0].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, list[0].value.cooperative = 1;
  config.gridDimX = unsigned(grid) + 1, config.blockDimX = unsigned(block), config.numAttrs = 1;
  expect(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, cuLaunchKernelEx(&config, meet, to_total, nullptr));
  config.gridDimX = unsigned(grid);
  check(cuLaunchKernelEx(&config, meet, to_total, nullptr));
  claim("each block has met all others", counted(total) == config.gridDimX);

  // step: cluster
  // Not every device has clusters. Where it has none, the attribute is one that the driver ignores.
  check(cuDeviceGetAttribute(&clusters, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, 0));
  list[0].id = clusters != 0 ? CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION : CU_LAUNCH_ATTRIBUTE_IGNORE;
  list[0].value.clusterDim.x = 2, list[0].value.clusterDim.y = list[0].value.clusterDim.z = 1;
  config.gridDimX = kBlocks, config.blockDimX = kThreads;
  check(cuLaunchKernelEx(&config, count, to_total, nullptr));
  std::printf("clusters on this device (1: yes, 0: no): %d\n", clusters);
  claim("with clusters or without, each thread has counted", counted(total) == kBlocks * kThreads);

  // step: end
  for (CUevent one : {begun, timed}) check(cuEventDestroy(one));
  check(cuMemFree(total));
  check(cuModuleUnload(module));
  check(cuCtxDestroy(context));
}
