/* Finds out where blocks run: the kernels in kernels.cu write the number of their multiprocessor. */
#include "places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 1024, MOST = 4096 }; /* threads of a block, and the most blocks of a launch */

/* Pinned memory, as in kernels.cu: where each block runs; 1 when all of them run; 1 when they may end. */
struct Pinned {
  unsigned places[MOST], urgent;
  volatile unsigned running, released;
};

static struct Pinned* pinned;
static CUmodule module;
static CUfunction where, urgent;
static int fit; /* so many blocks fit on one multiprocessor */

static void must(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  fprintf(stderr, "libplaces: %s failed (%d)\n", call, result);
  exit(EXIT_FAILURE);
}

void places_open(const char* ptx) {
  void* memory = NULL;
  must(cuModuleLoad(&module, ptx), "cuModuleLoad");
  must(cuModuleGetFunction(&where, module, "where"), "cuModuleGetFunction");
  must(cuModuleGetFunction(&urgent, module, "urgent"), "cuModuleGetFunction");
  must(cuOccupancyMaxActiveBlocksPerMultiprocessor(&fit, where, THREADS, 0),
       "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  must(cuMemAllocHost(&memory, sizeof *pinned), "cuMemAllocHost");
  pinned = memory;
}

CUresult places_hold(CUstream stream, unsigned multiprocessors) {
  void* arguments[] = {&pinned};
  const unsigned blocks = multiprocessors * (unsigned)fit;
  pinned->running = 0;
  pinned->released = 0;
  if (blocks > MOST) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = cuLaunchCooperativeKernel(where, blocks, 1, 1, THREADS, 1, 1, 0, stream, arguments);
  while (result == CUDA_SUCCESS && pinned->running == 0) {
  }
  return result;
}

void places_release(void) {
  pinned->released = 1;
}

Places places_run(CUstream stream, unsigned multiprocessors) {
  Places found;
  memset(&found, 0, sizeof found);
  must(places_hold(stream, multiprocessors), "cuLaunchCooperativeKernel");
  places_release();
  must(cuStreamSynchronize(stream), "cuStreamSynchronize");
  for (unsigned i = 0; i < multiprocessors * (unsigned)fit; ++i) {
    unsigned char* const used = &found.used[pinned->places[i] % MOST];
    found.count += *used == 0;
    *used = 1;
  }
  return found;
}

void places_launch_urgent(CUstream stream) {
  void* arguments[] = {&pinned};
  must(cuLaunchKernel(urgent, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL), "cuLaunchKernel");
}

unsigned places_of_urgent(void) {
  return pinned->urgent;
}

unsigned places_in_common(const Places* a, const Places* b) {
  unsigned count = 0;
  for (unsigned i = 0; i < MOST; ++i) count += a->used[i] && b->used[i];
  return count;
}

void places_close(void) {
  must(cuMemFreeHost(pinned), "cuMemFreeHost");
  must(cuModuleUnload(module), "cuModuleUnload");
}
