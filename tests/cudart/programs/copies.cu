// Copies and fills of two and three dimensions, between devices, and what is wrong with some.
// prints: rows 1, fill 1
// prints: volume 1, slices 1
// prints: peer 1
// prints: pitch too small: cudaErrorInvalidPitchValue
// prints: no direction: cudaErrorInvalidMemcpyDirection
// prints: device 0 type 2, host type 0
#include <cstring>
#include <vector>

#include "check.h"

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

  std::printf("pitch too small: %s\n", cudaGetErrorName(cudaMemcpy2D(rows, 10, image.data(), width, width, 2,
                                                                     cudaMemcpyHostToDevice)));
  std::printf("no direction: %s\n",
              cudaGetErrorName(cudaMemcpy(rows, image.data(), 4, static_cast<cudaMemcpyKind>(9))));
  cudaPointerAttributes on_device, on_host;
  CHECK(cudaPointerGetAttributes(&on_device, rows));
  CHECK(cudaPointerGetAttributes(&on_host, image.data()));
  std::printf("device %d type %d, host type %d\n", on_device.device, on_device.type, on_host.type);
}
