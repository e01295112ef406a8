// Copies and fills of two and three dimensions, between devices, and what is wrong with some.
#include <cstring>
#include <vector>

#include "check.hpp"

// An array forth and back, by the copies of two dimensions and by that of three, and through another array.
void copy_arrays() {
  const size_t width = 6, height = 4;
  std::vector<float2> image(width * height), back(image.size());
  for (size_t i = 0; i < image.size(); ++i)
    image[i] = make_float2(static_cast<float>(i), -static_cast<float>(i));
  const auto equal = [&] {
    return std::memcmp(image.data(), back.data(), image.size() * sizeof(float2)) == 0;
  };
  const size_t row = width * sizeof(float2);
  const cudaChannelFormatDesc element = cudaCreateChannelDesc(32, 32, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t array, other;
  CHECK(cudaMallocArray(&array, &element, width, height));
  CHECK(cudaMallocArray(&other, &element, width, height));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, image.data(), row, row, height, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2DFromArray(back.data(), row, array, 0, 0, row, height, cudaMemcpyDeviceToHost));
  const bool two = equal();
  back.assign(back.size(), float2{});
  cudaMemcpy3DParms copy = {};
  copy.srcArray = array;
  copy.dstPtr = make_cudaPitchedPtr(back.data(), row, width, height);
  copy.extent = make_cudaExtent(width, height, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  const bool three = equal();
  back.assign(back.size(), float2{});
  CHECK(cudaMemcpy2DArrayToArray(other, 0, 0, array, 0, 0, row, height));
  CHECK(cudaMemcpy2DFromArray(back.data(), row, other, 0, 0, row, height, cudaMemcpyDeviceToHost));
  cudaChannelFormatDesc told;
  cudaExtent extent;
  CHECK(cudaArrayGetInfo(&told, &extent, nullptr, array));
  std::printf("array of float%d %zu x %zu: two dimensions %d, three %d, from another %d\n",
              told.y == 32 ? 2 : 0, extent.width, extent.height, two, three, equal());
  CHECK(cudaFreeArray(array));
  CHECK(cudaFreeArray(other));
}

int main() {
  const size_t width = 100, height = 7, depth = 3;
  std::vector<unsigned char> image(width * height), back(width * height);
  for (size_t i = 0; i < image.size(); ++i) image[i] = static_cast<unsigned char>(i);
  unsigned char* rows;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&rows, &pitch, width, height));
  CHECK(cudaMemcpy2D(rows, pitch, image.data(), width, width, height, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2D(back.data(), width, rows, pitch, width, height, cudaMemcpyDeviceToHost));
  const bool equal = back == image;
  CHECK(cudaMemset2D(rows, pitch, 7, width, height));
  CHECK(cudaMemcpy2D(back.data(), width, rows, pitch, width, height, cudaMemcpyDefault));
  bool filled = true;
  for (const unsigned char byte : back) filled = filled && byte == 7;
  std::printf("rows %d, fill %d\n", equal, filled);

  std::vector<unsigned char> cube(width * height * depth, 5), again(cube.size());
  cudaPitchedPtr volume;
  const cudaExtent extent = make_cudaExtent(width, height, depth);
  CHECK(cudaMalloc3D(&volume, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(cube.data(), width, width, height);
  copy.dstPtr = volume;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  CHECK(cudaMemset3D(volume, 9, make_cudaExtent(width, 2, depth)));
  copy.srcPtr = volume;
  copy.dstPtr = make_cudaPitchedPtr(again.data(), width, width, height);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  bool slices = true;
  for (size_t i = 0; i < again.size(); ++i) slices = slices && again[i] == (i / width % height < 2 ? 9 : 5);
  std::printf("volume %d, slices %d\n", again[width * 2] == 5, slices);

  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  const int other = devices > 1 ? 1 : 0;
  unsigned char* there;
  CHECK(cudaSetDevice(other));
  CHECK(cudaMalloc(&there, width));
  CHECK(cudaSetDevice(0));
  CHECK(cudaMemset(rows, 3, width));
  CHECK(cudaMemcpyPeer(there, other, rows, 0, width));
  CHECK(cudaMemcpy(back.data(), there, width, cudaMemcpyDefault));
  std::printf("peer %d\n", back[0] == 3 && back[width - 1] == 3);

  copy_arrays();

  std::printf("pitch too small: %s\n", cudaGetErrorName(cudaMemcpy2D(rows, 10, image.data(), width, width, 2,
                                                                     cudaMemcpyHostToDevice)));
  std::printf("no direction: %s\n",
              cudaGetErrorName(cudaMemcpy(rows, image.data(), 4, static_cast<cudaMemcpyKind>(9))));
  cudaPointerAttributes on_device, on_host;
  CHECK(cudaPointerGetAttributes(&on_device, rows));
  CHECK(cudaPointerGetAttributes(&on_host, image.data()));
  std::printf("device %d type %d, host type %d\n", on_device.device, on_device.type, on_host.type);
}
