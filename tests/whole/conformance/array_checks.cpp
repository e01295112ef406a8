// SPDX-License-Identifier: MIT
// Arrays: which ones can be made, their descriptions, and copies from and to them. Must not depend on
// textures, which are what arrays are for: the probe of driver.answers_as_an_H200_did_texture has them.
#include "support.hpp"

namespace conformance {
namespace {

constexpr CUDA_ARRAY_DESCRIPTOR floats{4, 3, CU_AD_FORMAT_FLOAT, 1};

CUarray make_array(const CUDA_ARRAY_DESCRIPTOR& wanted) {
  CUarray array = nullptr;
  NEEDS(cuArrayCreate(&array, &wanted));
  return array;
}

CUarray make_box(const CUDA_ARRAY3D_DESCRIPTOR& wanted) {
  CUarray array = nullptr;
  NEEDS(cuArray3DCreate(&array, &wanted));
  return array;
}

TEST(array, tells_what_it_was_made_with) {
  const Context context;
  CUarray const array = make_array(floats);
  CUDA_ARRAY_DESCRIPTOR told{};
  SUCCEEDS(cuArrayGetDescriptor(&told, array));
  EQUAL(4U, told.Width);
  EQUAL(3U, told.Height);
  EQUAL(CU_AD_FORMAT_FLOAT, told.Format);
  EQUAL(1U, told.NumChannels);
  CUDA_ARRAY3D_DESCRIPTOR more{};
  SUCCEEDS(cuArray3DGetDescriptor(&more, array));
  EQUAL(0U, more.Depth);
  EQUAL(0U, more.Flags);
  SUCCEEDS(cuArrayDestroy(array));

  CUarray const layers = make_box({8, 4, 3, CU_AD_FORMAT_UNSIGNED_INT8, 2, CUDA_ARRAY3D_LAYERED});
  SUCCEEDS(cuArray3DGetDescriptor(&more, layers));
  EQUAL(3U, more.Depth);
  EQUAL(unsigned{CUDA_ARRAY3D_LAYERED}, more.Flags);
  SUCCEEDS(cuArrayDestroy(layers));
}

TEST(array, of_impossible_shapes_is_refused) {
  const Context context;
  CUarray array = nullptr;
  const auto box = [&](const CUDA_ARRAY3D_DESCRIPTOR& wanted) { return cuArray3DCreate(&array, &wanted); };
  const CUDA_ARRAY_DESCRIPTOR of_three{4, 4, CU_AD_FORMAT_FLOAT, 3};
  const CUDA_ARRAY_DESCRIPTOR without_width{0, 4, CU_AD_FORMAT_FLOAT, 1};
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&array, &of_three));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&array, &without_width));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(nullptr, &floats));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, box({4, 0, 4, CU_AD_FORMAT_FLOAT, 1, 0}));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, box({4, 8, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP}));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, box({4, 4, 5, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP}));
  const std::size_t most = static_cast<std::size_t>(attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, box({most + 1, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0}));
  SUCCEEDS(cuArrayDestroy(make_box({most, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0})));
  SUCCEEDS(cuArrayDestroy(make_box({4, 4, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP})));
}

TEST(array, handle_ends_with_the_array) {
  const Context context;
  CUarray const array = make_array(floats);
  SUCCEEDS(cuArrayDestroy(array));
  ANSWERS(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(nullptr));
}

TEST(array, of_one_dimension_takes_bytes_and_gives_them_back) {
  const Context context;
  CUarray const array = make_array({16, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1});
  CUarray const other = make_array({16, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1});
  std::array<unsigned, 16> values{};
  for (unsigned at = 0; at < 16; ++at) values[at] = at + 100;
  SUCCEEDS(cuMemcpyHtoA(array, 0, values.data(), sizeof values));
  SUCCEEDS(cuMemcpyAtoA(other, 8, array, 0, 32));
  std::array<unsigned, 8> back{};
  SUCCEEDS(cuMemcpyAtoH(back.data(), other, 8, 32));
  EQUAL(100U, back[0]);
  EQUAL(107U, back[7]);
  const CUdeviceptr device = zeros(64);
  SUCCEEDS(cuMemcpyAtoD(device, array, 4, 8));
  EQUAL(101U, read<unsigned>(device));
  EQUAL(102U, read<unsigned>(device + 4));
  EQUAL(0U, read<unsigned>(device + 8));
  write(device, 7U);
  SUCCEEDS(cuMemcpyDtoA(other, 60, device, 4));
  SUCCEEDS(cuMemcpyAtoH(back.data(), other, 60, 4));
  EQUAL(7U, back[0]);
  CUstream const stream = make_stream();
  values[15] = 9;
  SUCCEEDS(cuMemcpyHtoAAsync(array, 60, &values[15], 4, stream));
  SUCCEEDS(cuMemcpyAtoHAsync(back.data(), array, 60, 4, stream));
  SUCCEEDS(cuStreamSynchronize(stream));
  EQUAL(9U, back[0]);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoA(array, 60, values.data(), 8));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyAtoH(back.data(), array, 64, 4));
}

TEST(array, of_two_dimensions_keeps_rows_apart) {
  const Context context;
  CUarray const array = make_array(floats);
  std::array<float, 12> values{};
  for (std::size_t at = 0; at < values.size(); ++at) values[at] = static_cast<float>(at);
  CUDA_MEMCPY2D in{};
  in.srcMemoryType = CU_MEMORYTYPE_HOST;
  in.srcHost = values.data();
  in.srcPitch = 16;
  in.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  in.dstArray = array;
  in.WidthInBytes = 16;
  in.Height = 3;
  SUCCEEDS(cuMemcpy2D(&in));
  CUDA_MEMCPY2D out{};
  std::array<float, 4> corner{};
  out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  out.srcArray = array;
  out.srcXInBytes = 8;
  out.srcY = 1;
  out.dstMemoryType = CU_MEMORYTYPE_HOST;
  out.dstHost = corner.data();
  out.dstPitch = 8;
  out.WidthInBytes = 8;
  out.Height = 2;
  SUCCEEDS(cuMemcpy2D(&out));
  EQUAL(6.0F, corner[0]);
  EQUAL(7.0F, corner[1]);
  EQUAL(10.0F, corner[2]);
  EQUAL(11.0F, corner[3]);
  out.Height = 3;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&out));
  out.Height = 2;
  out.WidthInBytes = 12;
  out.dstPitch = 12;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&out));
}

TEST(array, of_three_dimensions_takes_a_box) {
  const Context context;
  CUarray const array = make_box({4, 3, 2, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0});
  std::array<unsigned char, 24> values{};
  for (std::size_t at = 0; at < values.size(); ++at) values[at] = static_cast<unsigned char>(at);
  CUDA_MEMCPY3D in{};
  in.srcMemoryType = CU_MEMORYTYPE_HOST;
  in.srcHost = values.data();
  in.srcPitch = 4;
  in.srcHeight = 3;
  in.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  in.dstArray = array;
  in.WidthInBytes = 4;
  in.Height = 3;
  in.Depth = 2;
  SUCCEEDS(cuMemcpy3D(&in));
  const CUdeviceptr device = zeros(8);
  CUDA_MEMCPY3D out{};
  out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  out.srcArray = array;
  out.srcXInBytes = 1;
  out.srcY = 1;
  out.srcZ = 1;
  out.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  out.dstDevice = device;
  out.dstPitch = 4;
  out.dstHeight = 2;
  out.WidthInBytes = 3;
  out.Height = 2;
  out.Depth = 1;
  SUCCEEDS(cuMemcpy3D(&out));
  const auto bytes = read_many<unsigned char>(device, 8);
  EQUAL(17, bytes[0]);
  EQUAL(19, bytes[2]);
  EQUAL(0, bytes[3]);
  EQUAL(21, bytes[4]);
  out.srcZ = 2;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&out));
}

TEST(array, a_captured_copy_finds_its_array_again) {
  const Context context;
  CUarray const array = make_array({4, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1});
  CUstream const stream = make_stream();
  void* pinned = nullptr;
  NEEDS(cuMemAllocHost(&pinned, 16));
  auto* const words = static_cast<unsigned*>(pinned);
  NEEDS(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  SUCCEEDS(cuMemcpyHtoAAsync(array, 4, words, 8, stream));
  SUCCEEDS(cuMemcpyAtoHAsync(words + 2, array, 4, 8, stream));
  CUgraph graph = nullptr;
  NEEDS(cuStreamEndCapture(stream, &graph));
  CUgraphExec ready = nullptr;
  NEEDS(cuGraphInstantiate(&ready, graph, 0));
  words[0] = 5;
  words[1] = 6;
  SUCCEEDS(cuGraphLaunch(ready, stream));
  SUCCEEDS(cuStreamSynchronize(stream));
  EQUAL(5U, words[2]);
  EQUAL(6U, words[3]);
}

}  // namespace
}  // namespace conformance
