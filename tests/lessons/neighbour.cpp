// SPDX-License-Identifier: MIT
// The other user of a shared GPU: allocates and frees device memory without a pause, in sizes from 4 KiB to
// 1/256 of the device's memory, until its standard input ends. Prints a line once it has begun. Started by
// beside_others.py.
#include <cuda.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <random>

int main() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  std::size_t bytes = 0;
  if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS ||
      cuDevicePrimaryCtxRetain(&context, device) != CUDA_SUCCESS ||
      cuCtxSetCurrent(context) != CUDA_SUCCESS || cuDeviceTotalMem(&bytes, device) != CUDA_SUCCESS)
    return 1;
  constexpr std::size_t kKiB = 1024;
  std::mt19937 random(7);
  std::uniform_int_distribution<std::size_t> size(4 * kKiB, bytes / 256);
  std::array<CUdeviceptr, 16> held = {};
  pollfd input{STDIN_FILENO, POLLIN, 0};
  std::size_t made = 0;
  for (bool said = false; poll(&input, 1, 0) == 0;) {
    CUdeviceptr& one = held[random() % held.size()];
    if (one != 0) cuMemFree(one);
    one = 0;
    made += cuMemAlloc(&one, size(random)) == CUDA_SUCCESS ? 1 : 0;
    if (!said && made > 0) std::puts("begun"), std::fflush(stdout), said = true;
  }
  for (const CUdeviceptr one : held)
    if (one != 0) cuMemFree(one);
  std::printf("%zu allocations\n", made);
  return cuDevicePrimaryCtxRelease(device) == CUDA_SUCCESS ? 0 : 1;
}
