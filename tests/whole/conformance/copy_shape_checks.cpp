// SPDX-License-Identifier: MIT
// Copies and fills of rectangles and boxes, and of one device to another. Must not depend on streams.
#include "support.hpp"

namespace conformance {
namespace {

// 8 rows of 16 bytes, each byte its own number.
std::vector<unsigned char> numbered(std::size_t count) {
  std::vector<unsigned char> bytes(count);
  for (std::size_t at = 0; at < count; ++at) bytes[at] = static_cast<unsigned char>(at);
  return bytes;
}

TEST(copy_2d, takes_a_rectangle_from_the_host_and_brings_it_back) {
  const Context context;
  const auto source = numbered(128);
  const CUdeviceptr device = zeros(256);
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = source.data();
  copy.srcPitch = 16;
  copy.srcXInBytes = 4;
  copy.srcY = 2;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = device;
  copy.dstPitch = 32;
  copy.dstXInBytes = 8;
  copy.dstY = 1;
  copy.WidthInBytes = 5;
  copy.Height = 3;
  SUCCEEDS(cuMemcpy2D(&copy));
  const auto bytes = read_many<unsigned char>(device, 256);
  EQUAL(0, bytes[32 + 7]);
  EQUAL(2 * 16 + 4, bytes[32 + 8]);
  EQUAL(2 * 16 + 8, bytes[32 + 12]);
  EQUAL(0, bytes[32 + 13]);
  EQUAL(4 * 16 + 8, bytes[3 * 32 + 12]);
  EQUAL(0, bytes[4 * 32 + 8]);
  std::vector<unsigned char> back(64, 0);
  CUDA_MEMCPY2D home{};
  home.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  home.srcDevice = device;
  home.srcPitch = 32;
  home.srcXInBytes = 8;
  home.srcY = 1;
  home.dstMemoryType = CU_MEMORYTYPE_HOST;
  home.dstHost = back.data();
  home.dstPitch = 10;
  home.WidthInBytes = 5;
  home.Height = 3;
  SUCCEEDS(cuMemcpy2D(&home));
  EQUAL(36, back[0]);
  EQUAL(0, back[5]);
  EQUAL(52, back[10]);
  EQUAL(72, back[24]);
}

TEST(copy_2d, refuses_what_does_not_fit) {
  const Context context;
  const auto source = numbered(128);
  const CUdeviceptr device = zeros(256);
  CUDA_MEMCPY2D good{};
  good.srcMemoryType = CU_MEMORYTYPE_HOST;
  good.srcHost = source.data();
  good.srcPitch = 16;
  good.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  good.dstDevice = device;
  good.dstPitch = 32;
  good.WidthInBytes = 16;
  good.Height = 8;
  SUCCEEDS(cuMemcpy2D(&good));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(nullptr));
  CUDA_MEMCPY2D wrong = good;
  wrong.dstPitch = 8;  // less than the width
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&wrong));
  wrong = good;
  wrong.srcMemoryType = made_up<CUmemorytype>(9);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&wrong));
  wrong = good;
  wrong.dstDevice = 0;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&wrong));
  wrong = good;
  wrong.Height = 9;  // beyond the allocation
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&wrong));
  CUDA_MEMCPY2D none = good;
  none.Height = 0;
  ANSWERS(CUDA_SUCCESS, cuMemcpy2D(&none));
  SUCCEEDS(cuMemcpy2DUnaligned(&good));
}

TEST(copy_2d, unified_addresses_need_no_memory_type) {
  const Context context;
  const auto source = numbered(64);
  const CUdeviceptr device = zeros(64);
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = reinterpret_cast<CUdeviceptr>(source.data());
  copy.srcPitch = 16;
  copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.dstDevice = device;
  copy.dstPitch = 16;
  copy.WidthInBytes = 16;
  copy.Height = 4;
  SUCCEEDS(cuMemcpy2D(&copy));
  HOLDS(read_many<unsigned char>(device, 64) == source);
}

TEST(copy_3d, takes_a_box) {
  const Context context;
  const auto source = numbered(4 * 4 * 8);  // 4 slices of 4 rows of 8
  const CUdeviceptr device = zeros(4 * 4 * 16);
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = source.data();
  copy.srcPitch = 8;
  copy.srcHeight = 4;
  copy.srcXInBytes = 2;
  copy.srcY = 1;
  copy.srcZ = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = device;
  copy.dstPitch = 16;
  copy.dstHeight = 4;
  copy.WidthInBytes = 3;
  copy.Height = 2;
  copy.Depth = 2;
  SUCCEEDS(cuMemcpy3D(&copy));
  const auto bytes = read_many<unsigned char>(device, 256);
  EQUAL(32 + 8 + 2, bytes[0]);
  EQUAL(32 + 8 + 4, bytes[2]);
  EQUAL(0, bytes[3]);
  EQUAL(32 + 16 + 2, bytes[16]);
  EQUAL(64 + 8 + 2, bytes[64]);
  EQUAL(64 + 16 + 4, bytes[64 + 16 + 2]);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(nullptr));
  copy.dstPitch = 2;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&copy));
}

TEST(fill_2d, leaves_what_lies_between_rows) {
  const Context context;
  const CUdeviceptr p = zeros(256);
  SUCCEEDS(cuMemsetD2D8(p, 64, 7, 10, 3));
  const auto bytes = read_many<unsigned char>(p, 256);
  EQUAL(7, bytes[0]);
  EQUAL(7, bytes[9]);
  EQUAL(0, bytes[10]);
  EQUAL(7, bytes[64]);
  EQUAL(7, bytes[128 + 9]);
  EQUAL(0, bytes[192]);
  SUCCEEDS(cuMemsetD2D32(p, 64, 0x11223344, 2, 4));
  EQUAL(0x11223344, read<unsigned>(p + 192 + 4));
  EQUAL(0, read<unsigned>(p + 192 + 8));
  SUCCEEDS(cuMemsetD2D16(p, 32, 0x5566, 1, 2));
  EQUAL(0x5566, read<unsigned short>(p + 32));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D8(p, 64, 7, 10, 5));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D32(p + 1, 64, 7, 2, 2));
}

TEST(copy_peer, names_the_contexts_of_both_ends) {
  const Context a;
  const Context b;
  const CUdeviceptr p = zeros(256), q = zeros(256);
  NEEDS(cuMemsetD32(p, 5, 64));
  SUCCEEDS(cuMemcpyPeer(q, b, p, b, 256));
  EQUAL(5, read<int>(q + 252));
  NEEDS(cuMemsetD32(p, 6, 64));
  SUCCEEDS(cuMemcpyPeerAsync(q, b, p, b, 256, nullptr));
  SUCCEEDS(cuCtxSynchronize());
  EQUAL(6, read<int>(q));
  CUDA_MEMCPY3D_PEER box{};
  box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  box.srcDevice = p;
  box.srcContext = b;
  box.srcPitch = 64;
  box.srcHeight = 2;
  box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  box.dstDevice = q;
  box.dstContext = b;
  box.dstPitch = 64;
  box.dstHeight = 2;
  box.WidthInBytes = 8;
  box.Height = 2;
  box.Depth = 2;
  NEEDS(cuMemsetD32(p, 9, 64));
  SUCCEEDS(cuMemcpy3DPeer(&box));
  SUCCEEDS(cuCtxSynchronize());
  EQUAL(9, read<int>(q + 128 + 64 + 4));
  EQUAL(6, read<int>(q + 128 + 64 + 8));
}

#if CUDA_VERSION >= 13000
TEST(copy_batch, moves_boxes_to_memory_and_arrays) {
  const Context context;
  CUstream const stream = make_stream();
  const CUdeviceptr to = zeros(256);
  NEEDS(cuCtxSynchronize());  // the stream does not wait for the zeros
  unsigned from[4] = {1, 2, 3, 4}, back[4] = {};
  CUarray array = nullptr;
  CUDA_ARRAY_DESCRIPTOR description{2, 2, CU_AD_FORMAT_UNSIGNED_INT32, 1};
  NEEDS(cuArrayCreate(&array, &description));
  CUDA_MEMCPY3D_BATCH_OP copies[2]{};
  // Two rows of 8 bytes, then two of two elements.
  copies[0].src.type = copies[0].dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
  copies[0].src.op.ptr.ptr = reinterpret_cast<CUdeviceptr>(from);
  copies[0].dst.op.ptr.ptr = to;
  copies[0].dst.op.ptr.rowLength = 64;
  copies[0].extent = {8, 2, 1};
  copies[0].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  copies[1] = copies[0];
  copies[1].dst.type = CU_MEMCPY_OPERAND_TYPE_ARRAY;
  copies[1].dst.op.array = {array, {0, 0, 0}};
  copies[1].extent = {2, 2, 1};
  SUCCEEDS(cuMemcpy3DBatchAsync(2, copies, 0, stream));
  SUCCEEDS(cuStreamSynchronize(stream));
  EQUAL(1U, read<unsigned>(to));
  EQUAL(2U, read<unsigned>(to + 4));
  EQUAL(3U, read<unsigned>(to + 64));
  CUDA_MEMCPY2D out{};
  out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  out.srcArray = array;
  out.dstMemoryType = CU_MEMORYTYPE_HOST;
  out.dstHost = back;
  out.WidthInBytes = 8;
  out.Height = 2;
  SUCCEEDS(cuMemcpy2D(&out));
  EQUAL(4U, back[3]);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DBatchAsync(2, nullptr, 0, stream));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DBatchAsync(2, copies, 1, stream));
}
#endif

TEST(peer_access, is_between_devices_and_given_once) {
  const Context a, b;
  ANSWERS(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess(a, 0));
  ANSWERS(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess(b, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuCtxEnablePeerAccess(a, 1));
  ANSWERS(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(a));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuCtxEnablePeerAccess(nullptr, 0));
}

TEST(peer_access, lets_a_kernel_reach_the_other_device) {
  needs_two_devices();
  const Context a(0);
  const CUdeviceptr p = zeros(64);
  const Context b(1);
  int can = 0;
  NEEDS(cuDeviceCanAccessPeer(&can, 1, 0));
  if (can == 0) skip("the devices are no peers");
  SUCCEEDS(cuCtxEnablePeerAccess(a, 0));
  ANSWERS(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, cuCtxEnablePeerAccess(a, 0));
  const Module module;
  SUCCEEDS(launch(module.function("store"), {}, p, 33U));
  SUCCEEDS(cuCtxSynchronize());
  EQUAL(33, read<int>(p));
  SUCCEEDS(cuCtxDisablePeerAccess(a));
  ANSWERS(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(a));
}

}  // namespace
}  // namespace conformance
