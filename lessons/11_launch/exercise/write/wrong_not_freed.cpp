// Exercise 11, a wrong answer: the image is never freed. That the context ends later, and frees it, hides the
// mistake: a program that paints all day runs out of memory.
#include <array>
#include <vector>

#include "check.hpp"

constexpr unsigned kBlockX = 16, kBlockY = 8;  // the threads of one block

// Launches the kernel paint(int* image, int width, int height, int* threads) of kernels.cu once, with as few
// blocks of kBlockX by kBlockY threads as cover the image. Returns the image, row by row. `image` is new
// memory for width * height numbers that are 0, and is freed at the end; `threads` is passed on.
std::vector<int> painted(CUfunction paint, int width, int height, CUdeviceptr threads) {
  std::vector<int> result(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  CUdeviceptr image = 0;
  check(cuMemAlloc(&image, result.size() * sizeof(int)));
  check(cuMemsetD32(image, 0, result.size()));
  const unsigned blocks_x = (static_cast<unsigned>(width) + kBlockX - 1) / kBlockX;
  const unsigned blocks_y = (static_cast<unsigned>(height) + kBlockY - 1) / kBlockY;
  void* arguments[] = {&image, &width, &height, &threads};
  check(cuLaunchKernel(paint, blocks_x, blocks_y, 1, kBlockX, kBlockY, 1, 0, nullptr, arguments, nullptr));
  check(cuMemcpyDtoH(result.data(), image, result.size() * sizeof(int)));
  return result;
}

// Do not change anything below. Each thread of paint counts itself in `threads`; the thread at x, y adds
// 1000 * y + x + 1 to its element if there is one.
struct Size {
  int width, height;
  unsigned blocks;  // that cover it
};

bool each_once(const std::vector<int>& image, Size size) {
  std::size_t at = 0;
  if (image.size() != static_cast<std::size_t>(size.width * size.height)) return false;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      if (image[at++] != 1000 * y + x + 1) return false;
  return true;
}

int main() {
  CUcontext context = nullptr;
  CUdevice device = 0;
  CUmodule module = nullptr;
  CUfunction paint = nullptr;
  CUdeviceptr threads = 0;
  unsigned count = 0;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&paint, module, "paint"));
  check(cuMemAlloc(&threads, sizeof count));

  for (const Size size : {Size{64, 32, 16}, Size{100, 37, 35}, Size{33, 2, 3}, Size{1, 1, 1}}) {
    std::printf("%d x %d\n", size.width, size.height);
    check(cuMemsetD32(threads, 0, 1));
    const std::vector<int> image = painted(paint, size.width, size.height, threads);
    claim("each element was written once, by its own thread", each_once(image, size));
    check(cuMemcpyDtoH(&count, threads, sizeof count));
    claim("by as few blocks of 16 x 8 threads as cover the image", count == size.blocks * 16 * 8);
  }

  check(cuMemFree(threads));
  check(cuModuleUnload(module));
  check(cuCtxDestroy(context));
}
