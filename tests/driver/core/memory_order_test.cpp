// SPDX-License-Identifier: MIT
// Memory that is ordered, shaped or mapped: pools, virtual memory, copies of two and three dimensions,
// advice.
#include <functional>
#include <vector>

#include "support.hpp"

namespace {

class OrderedMemory : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    make_context();
    EXPECT_OK(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING));
  }
  CUstream stream_ = nullptr;
};

TEST_F(OrderedMemory, freed_memory_comes_back_in_the_same_stream_at_once) {
  unsigned* gate = nullptr;
  ASSERT_OK(cuMemAllocHost(reinterpret_cast<void**>(&gate), 4));
  *gate = 0;
  ASSERT_OK(cuStreamWaitValue32(stream_, reinterpret_cast<CUdeviceptr>(gate), 1, CU_STREAM_WAIT_VALUE_EQ));
  CUdeviceptr first = 0;
  CUdeviceptr second = 0;
  CUdeviceptr elsewhere = 0;
  CUstream other = nullptr;
  ASSERT_OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  ASSERT_OK(cuMemAllocAsync(&first, 5000, stream_));
  ASSERT_OK(cuMemFreeAsync(first, stream_));
  ASSERT_OK(cuMemAllocAsync(&elsewhere, 5000, other));
  EXPECT_NE(first, elsewhere) << "it may still be in use";
  ASSERT_OK(cuMemAllocAsync(&second, 5000, stream_));
  EXPECT_EQ(first, second);
  __atomic_store_n(gate, 1U, __ATOMIC_RELEASE);
  EXPECT_OK(cuStreamSynchronize(stream_));
}

TEST_F(OrderedMemory, a_pool_counts_what_is_used_and_lets_go_of_the_rest) {
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemoryPool pool = nullptr;
  ASSERT_OK(cuMemPoolCreate(&pool, &properties));
  std::size_t before = 0;
  std::size_t after = 0;
  std::size_t total = 0;
  ASSERT_OK(cuMemGetInfo(&before, &total));
  CUdeviceptr memory = 0;
  ASSERT_OK(cuMemAllocFromPoolAsync(&memory, 64 << 20, pool, stream_));
  cuuint64_t used = 0;
  ASSERT_OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  EXPECT_EQ(64U << 20, used);
  ASSERT_OK(cuMemFreeAsync(memory, stream_));
  ASSERT_OK(cuStreamSynchronize(stream_));
  ASSERT_OK(cuMemPoolTrimTo(pool, 0));
  ASSERT_OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  EXPECT_EQ(0U, used);
  ASSERT_OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &used));
  EXPECT_EQ(64U << 20, used);
  ASSERT_OK(cuMemGetInfo(&after, &total));
  EXPECT_EQ(before, after);
  EXPECT_OK(cuMemPoolDestroy(pool));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemPoolTrimTo(pool, 0));
}

TEST_F(OrderedMemory, memory_of_a_pool_outlives_the_context_of_its_stream) {
  for (const std::size_t size : {std::size_t{1000}, std::size_t{3} << 20}) {
    const CUcontext context = make_context();
    CUdeviceptr freed = 0;
    CUdeviceptr memory = 0;
    CUdeviceptr plain = 0;
    ASSERT_OK(cuMemAlloc(&plain, size));
    ASSERT_OK(cuMemAllocAsync(&freed, size, nullptr));
    ASSERT_OK(cuMemAllocAsync(&memory, size, nullptr));
    ASSERT_OK(cuMemsetD8(memory, 7, size));
    ASSERT_OK(cuMemFreeAsync(freed, nullptr));
    destroy(context);
    EXPECT_OK(cuMemsetD8(memory + 8, 8, 1)) << "in the other context";
    EXPECT_EQ(7, read(memory, 1).front());
    EXPECT_EQ(8, read(memory + 8, 1).front());
    EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(plain, 1, 1)) << "the context's own";
    EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemFree(freed));
    EXPECT_OK(cuMemFreeAsync(memory, stream_));
    EXPECT_OK(cuStreamSynchronize(stream_));
    EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory));
  }
}

TEST_F(OrderedMemory, what_another_context_still_uses_is_not_given_away_with_the_context) {
  constexpr std::size_t kSize = 3 << 20;
  unsigned* gate = nullptr;
  ASSERT_OK(cuMemAllocHost(reinterpret_cast<void**>(&gate), 4));
  *gate = 0;
  const CUcontext context = make_context();
  CUdeviceptr memory = 0;
  ASSERT_OK(cuMemAllocAsync(&memory, kSize, nullptr));
  ASSERT_OK(cuCtxSynchronize());
  ASSERT_OK(cuStreamWaitValue32(stream_, reinterpret_cast<CUdeviceptr>(gate), 1, CU_STREAM_WAIT_VALUE_EQ));
  ASSERT_OK(cuMemsetD8Async(memory, 9, kSize, stream_));
  ASSERT_OK(cuMemFreeAsync(memory, stream_));
  std::size_t before = 0;
  std::size_t after = 0;
  std::size_t total = 0;
  ASSERT_OK(cuMemGetInfo(&before, &total));
  destroy(context);
  ASSERT_OK(cuMemGetInfo(&after, &total));
  EXPECT_EQ(before, after) << "the other context is yet to fill it";
  __atomic_store_n(gate, 1U, __ATOMIC_RELEASE);
  EXPECT_OK(cuStreamSynchronize(stream_));
  ASSERT_OK(cuMemGetInfo(&after, &total));
  EXPECT_LE(before + kSize, after);
}

// Two streams and a gate that keeps the first from working, with memory of a pool that keeps what is freed.
class ReusedMemory : public OrderedMemory {
 protected:
  void SetUp() override {
    OrderedMemory::SetUp();
    ASSERT_OK(cuStreamCreate(&other_, CU_STREAM_NON_BLOCKING));
    ASSERT_OK(cuEventCreate(&event_, CU_EVENT_DISABLE_TIMING));
    ASSERT_OK(cuMemAllocHost(reinterpret_cast<void**>(&gate_), 4));
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    ASSERT_OK(cuMemPoolCreate(&pool_, &properties));
    cuuint64_t all = UINT64_MAX;
    ASSERT_OK(cuMemPoolSetAttribute(pool_, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all));
  }
  void close_gate() {
    *gate_ = 0;
    ASSERT_OK(cuStreamWaitValue32(stream_, reinterpret_cast<CUdeviceptr>(gate_), 1, CU_STREAM_WAIT_VALUE_EQ));
  }
  void open_gate() { __atomic_store_n(gate_, 1U, __ATOMIC_RELEASE); }
  CUdeviceptr allocate(CUstream stream, std::size_t size = 5000) {
    CUdeviceptr memory = 0;
    EXPECT_OK(cuMemAllocFromPoolAsync(&memory, size, pool_, stream));
    return memory;
  }
  void forbid(CUmemPool_attribute attribute) {
    int no = 0;
    ASSERT_OK(cuMemPoolSetAttribute(pool_, attribute, &no));
  }
  cuuint64_t reserved() {
    cuuint64_t bytes = 0;
    EXPECT_OK(cuMemPoolGetAttribute(pool_, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &bytes));
    return bytes;
  }
  CUstream other_ = nullptr;
  CUevent event_ = nullptr;
  CUmemoryPool pool_ = nullptr;
  unsigned* gate_ = nullptr;
};

TEST_F(ReusedMemory, a_stream_that_waits_for_an_event_after_the_free_gets_it) {
  const CUdeviceptr memory = allocate(stream_);
  close_gate();
  ASSERT_OK(cuEventRecord(event_, stream_));
  ASSERT_OK(cuMemFreeAsync(memory, stream_));
  ASSERT_OK(cuStreamWaitEvent(other_, event_, 0));
  EXPECT_NE(memory, allocate(other_)) << "the event was recorded before the free";
  ASSERT_OK(cuEventRecord(event_, stream_));
  EXPECT_NE(memory, allocate(other_)) << "it does not wait for the second record";
  ASSERT_OK(cuStreamWaitEvent(other_, event_, 0));
  EXPECT_EQ(memory, allocate(other_));
  open_gate();
  EXPECT_OK(cuCtxSynchronize());
}

TEST_F(ReusedMemory, a_third_stream_gets_it_by_two_events) {
  CUstream third = nullptr;
  ASSERT_OK(cuStreamCreate(&third, CU_STREAM_NON_BLOCKING));
  const CUdeviceptr memory = allocate(stream_);
  close_gate();
  ASSERT_OK(cuMemFreeAsync(memory, stream_));
  ASSERT_OK(cuEventRecord(event_, stream_));
  ASSERT_OK(cuStreamWaitEvent(other_, event_, 0));
  ASSERT_OK(cuEventRecord(event_, other_));
  EXPECT_NE(memory, allocate(third));
  ASSERT_OK(cuStreamWaitEvent(third, event_, 0));
  EXPECT_EQ(memory, allocate(third));
  open_gate();
  EXPECT_OK(cuCtxSynchronize());
}

TEST_F(ReusedMemory, events_are_not_followed_if_the_pool_forbids_it) {
  forbid(CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES);
  const CUdeviceptr memory = allocate(stream_);
  close_gate();
  ASSERT_OK(cuMemFreeAsync(memory, stream_));
  ASSERT_OK(cuEventRecord(event_, stream_));
  ASSERT_OK(cuStreamWaitEvent(other_, event_, 0));
  EXPECT_NE(memory, allocate(other_));
  EXPECT_EQ(memory, allocate(stream_));
  open_gate();
  EXPECT_OK(cuCtxSynchronize());
}

TEST_F(ReusedMemory, a_free_that_is_done_counts_before_the_program_waits_unless_that_is_forbidden) {
  CUdeviceptr memory = allocate(stream_);
  ASSERT_OK(cuMemFreeAsync(memory, stream_));
  EXPECT_EQ(memory, allocate(other_)) << "the stream was idle";
  forbid(CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC);
  ASSERT_OK(cuMemFreeAsync(memory, other_));
  EXPECT_NE(memory, allocate(stream_));
  memory = allocate(other_);
  ASSERT_OK(cuMemFreeAsync(memory, other_));
  ASSERT_OK(cuStreamSynchronize(other_));
  EXPECT_EQ(memory, allocate(stream_));
}

TEST_F(ReusedMemory, what_is_beyond_the_threshold_goes_when_the_program_waits_and_not_before) {
  constexpr cuuint64_t kStep = 32 << 20;
  const auto wait_for_event = [&] {
    EXPECT_OK(cuEventRecord(event_, stream_));
    return cuEventSynchronize(event_);
  };
  const std::vector<std::function<CUresult()>> waits = {[&] { return cuStreamSynchronize(stream_); },
                                                        wait_for_event, [] { return cuCtxSynchronize(); }};
  cuuint64_t threshold = 0;
  ASSERT_OK(cuMemPoolSetAttribute(pool_, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  for (const auto& wait : waits) {
    const CUdeviceptr memory = allocate(stream_);
    close_gate();
    ASSERT_OK(cuMemFreeAsync(memory, stream_));
    EXPECT_OK(cuMemPoolTrimTo(pool_, 0));
    EXPECT_OK(cuStreamSynchronize(other_));
    EXPECT_EQ(kStep, reserved()) << "the free is not done yet";
    open_gate();
    EXPECT_OK(wait());
    EXPECT_EQ(0U, reserved());
  }
  threshold = UINT64_MAX;
  ASSERT_OK(cuMemPoolSetAttribute(pool_, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  ASSERT_OK(cuMemFreeAsync(allocate(stream_), stream_));
  EXPECT_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(kStep, reserved());
  threshold = 0;
  ASSERT_OK(cuMemPoolSetAttribute(pool_, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  EXPECT_EQ(kStep, reserved());
  EXPECT_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(0U, reserved());
}

TEST_F(ReusedMemory, other_sizes_come_from_what_the_pool_has_reserved) {
  for (std::size_t size = 1 << 20; size <= 16 << 20; size += 1 << 20)
    ASSERT_OK(cuMemFreeAsync(allocate(stream_, size), stream_));
  EXPECT_EQ(32U << 20, reserved());
  ASSERT_OK(cuMemFreeAsync(allocate(stream_, 40 << 20), stream_));
  EXPECT_EQ(64U << 20, reserved());
  allocate(stream_, 30 << 20);
  EXPECT_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(64U << 20, reserved()) << "the threshold keeps it";
  EXPECT_OK(cuMemPoolTrimTo(pool_, 0));
  EXPECT_EQ(32U << 20, reserved());
}

TEST_F(ReusedMemory, its_own_device_always_has_access) {
  CUmemAccessDesc access{};
  access.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  EXPECT_RESULT(CUDA_ERROR_INVALID_DEVICE, cuMemPoolSetAccess(pool_, &access, 1));
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
  EXPECT_RESULT(CUDA_ERROR_NOT_SUPPORTED, cuMemPoolSetAccess(pool_, &access, 1));
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  EXPECT_OK(cuMemPoolSetAccess(pool_, &access, 1));
  access.location.id = 99;
  EXPECT_RESULT(CUDA_ERROR_INVALID_DEVICE, cuMemPoolSetAccess(pool_, &access, 1));
}

class VirtualMemory : public DriverTest {
 protected:
  static constexpr std::size_t piece = 2 << 20;
  void SetUp() override {
    DriverTest::SetUp();
    make_context();
    properties_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties_.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    access_.location = properties_.location;
    access_.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  }
  CUmemGenericAllocationHandle make() {
    CUmemGenericAllocationHandle handle = 0;
    EXPECT_OK(cuMemCreate(&handle, piece, &properties_, 0));
    return handle;
  }
  void map(CUdeviceptr address, CUmemGenericAllocationHandle handle) {
    EXPECT_OK(cuMemMap(address, piece, 0, handle, 0));
    EXPECT_OK(cuMemSetAccess(address, piece, &access_, 1));
  }
  CUmemAllocationProp properties_{};
  CUmemAccessDesc access_{};
};

TEST_F(VirtualMemory, pieces_side_by_side_are_one_memory) {
  CUdeviceptr range = 0;
  ASSERT_OK(cuMemAddressReserve(&range, 4 * piece, 0, 0, 0));
  std::vector<CUmemGenericAllocationHandle> handles;
  for (unsigned i = 0; i < 3; ++i) {
    handles.push_back(make());
    map(range + i * piece, handles.back());
  }
  EXPECT_OK(cuMemsetD8(range + piece - 8, 5, 16));
  EXPECT_EQ(std::vector<unsigned char>(16, 5), read(range + piece - 8, 16));
  EXPECT_OK(cuMemsetD8(range, 1, 3 * piece));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(range, 1, 3 * piece + 1)) << "nothing is mapped there";
  ASSERT_OK(cuMemUnmap(range + piece, piece));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(range, 1, 3 * piece)) << "a hole";
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(range, 4 * piece)) << "still mapped";
  ASSERT_OK(cuMemUnmap(range, piece));
  ASSERT_OK(cuMemUnmap(range + 2 * piece, piece));
  for (const auto handle : handles) EXPECT_OK(cuMemRelease(handle));
  EXPECT_OK(cuMemAddressFree(range, 4 * piece));
}

TEST_F(VirtualMemory, a_copy_does_not_run_on_into_the_next_reservation) {
  CUdeviceptr first = 0, second = 0;
  ASSERT_OK(cuMemAddressReserve(&first, piece, 0, 0, 0));
  ASSERT_OK(cuMemAddressReserve(&second, piece, 0, first + piece, 0));
  ASSERT_EQ(first + piece, second);
  const CUmemGenericAllocationHandle handle = make();
  map(first, handle);
  map(second, handle);
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(second - 8, 5, 16));
  EXPECT_OK(cuMemsetD8(second - 8, 5, 8));
  ASSERT_OK(cuMemUnmap(first, 2 * piece)) << "both at once";
  EXPECT_OK(cuMemRelease(handle));
  EXPECT_OK(cuMemAddressFree(first, piece));
  EXPECT_OK(cuMemAddressFree(second, piece));
}

TEST_F(VirtualMemory, unmapping_does_not_cut_a_mapping_in_two) {
  CUdeviceptr range = 0;
  ASSERT_OK(cuMemAddressReserve(&range, 4 * piece, 0, 0, 0));
  const CUmemGenericAllocationHandle handle = make();
  map(range + piece, handle);
  for (const auto& [address, size] :
       {std::pair(range, piece + piece / 2), std::pair(range + piece, piece / 2),
        std::pair(range + piece + piece / 2, piece), std::pair(range, 0 * piece),
        std::pair(range + 4 * piece, piece), std::pair(range, 0 - piece)}) {
    EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(address, size)) << address - range << ' ' << size;
  }
  EXPECT_OK(cuMemUnmap(range, piece / 2)) << "nothing is mapped there";
  EXPECT_OK(cuMemUnmap(range + 2 * piece, 3 * piece)) << "nor here, and some of it is not reserved";
  EXPECT_OK(cuMemsetD8(range + piece, 1, piece)) << "still mapped";
  EXPECT_OK(cuMemUnmap(range, 4 * piece));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(range + piece, 1, piece));
  EXPECT_OK(cuMemRelease(handle));
  EXPECT_OK(cuMemAddressFree(range, 4 * piece));
}

TEST_F(VirtualMemory, access_is_set_on_both_sides_of_a_gap) {
  CUdeviceptr range = 0;
  ASSERT_OK(cuMemAddressReserve(&range, 4 * piece, 0, 0, 0));
  const CUmemGenericAllocationHandle handle = make();
  ASSERT_OK(cuMemMap(range, piece, 0, handle, 0));
  ASSERT_OK(cuMemMap(range + 2 * piece, piece, 0, handle, 0));
  const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  for (const auto& [address, size] :
       {std::pair(range, 2 * piece), std::pair(range, 4 * piece), std::pair(range + piece, 2 * piece),
        std::pair(range, 2 * piece + piece / 2), std::pair(range, 0 * piece), std::pair(range, 0 - piece)}) {
    EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(address, size, &access, 1))
        << address - range << ' ' << size;
  }
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(range, 1, 1));
  ASSERT_OK(cuMemSetAccess(range, 3 * piece, &access, 1));
  EXPECT_OK(cuMemsetD8(range, 1, piece));
  EXPECT_OK(cuMemsetD8(range + 2 * piece, 1, piece));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(range + piece, 1, 1));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(range, 1, 3 * piece));
  EXPECT_OK(cuMemUnmap(range, 3 * piece));
  EXPECT_OK(cuMemRelease(handle));
  EXPECT_OK(cuMemAddressFree(range, 4 * piece));
}

TEST_F(VirtualMemory, one_memory_can_be_seen_at_two_addresses) {
  CUdeviceptr range = 0;
  ASSERT_OK(cuMemAddressReserve(&range, 2 * piece, 0, 0, 0));
  const CUmemGenericAllocationHandle handle = make();
  map(range, handle);
  map(range + piece, handle);
  ASSERT_OK(cuMemsetD8(range + 100, 9, 1));
  EXPECT_EQ(9, read(range + piece + 100, 1)[0]);
  ASSERT_OK(cuMemUnmap(range, 2 * piece));
  EXPECT_OK(cuMemRelease(handle));
  EXPECT_OK(cuMemAddressFree(range, 2 * piece));
}

TEST_F(VirtualMemory, released_memory_goes_back_to_the_device) {
  std::size_t before = 0;
  std::size_t during = 0;
  std::size_t after = 0;
  std::size_t total = 0;
  ASSERT_OK(cuMemGetInfo(&before, &total));
  const CUmemGenericAllocationHandle handle = make();
  ASSERT_OK(cuMemGetInfo(&during, &total));
  EXPECT_EQ(before - piece, during);
  ASSERT_OK(cuMemRelease(handle));
  ASSERT_OK(cuMemGetInfo(&after, &total));
  EXPECT_EQ(before, after);
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemRelease(handle));
}

TEST_F(VirtualMemory, it_outlives_the_context) {
  CUdeviceptr range = 0;
  ASSERT_OK(cuMemAddressReserve(&range, piece, 0, 0, 0));
  const CUmemGenericAllocationHandle handle = make();
  map(range, handle);
  const CUcontext other = make_context();
  ASSERT_OK(cuMemsetD8(range, 4, 16));
  destroy(other);
  EXPECT_EQ(4, read(range, 1)[0]);
  EXPECT_OK(cuMemUnmap(range, piece));
  EXPECT_OK(cuMemRelease(handle));
  EXPECT_OK(cuMemAddressFree(range, piece));
}

constexpr char store_ptx[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry store(.param .u64 p, .param .u32 v) {
  .reg .b64 %rd<2>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [v]; st.global.u32 [%rd1], %r1; ret;
}
)";

TEST_F(VirtualMemory, kernels_see_it_at_its_addresses) {
  CUmodule module = nullptr;
  CUfunction store = nullptr;
  ASSERT_OK(cuModuleLoadData(&module, store_ptx));
  ASSERT_OK(cuModuleGetFunction(&store, module, "store"));
  CUdeviceptr range = 0;
  ASSERT_OK(cuMemAddressReserve(&range, 2 * piece, 0, 0, 0));
  const CUmemGenericAllocationHandle handle = make();
  map(range + piece, handle);
  CUdeviceptr target = range + piece + 64;
  unsigned value = 77;
  void* arguments[] = {&target, &value};
  ASSERT_OK(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(77, read(target, 1)[0]);
  EXPECT_OK(cuMemUnmap(range + piece, piece));
  EXPECT_OK(cuMemRelease(handle));
  EXPECT_OK(cuMemAddressFree(range, 2 * piece));
}

class ShapedCopies : public DriverTest {};

TEST_F(ShapedCopies, a_rectangle_goes_there_and_back) {
  make_context();
  constexpr std::size_t width = 5;
  constexpr std::size_t height = 3;
  CUdeviceptr memory = 0;
  std::size_t pitch = 0;
  ASSERT_OK(cuMemAllocPitch(&memory, &pitch, width + 2, height + 1, 4));
  ASSERT_OK(cuMemsetD8(memory, 0, pitch * (height + 1)));
  unsigned char source[height][width];
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) source[y][x] = static_cast<unsigned char>(10 * y + x + 1);
  }
  CUDA_MEMCPY2D shape{};
  shape.srcMemoryType = CU_MEMORYTYPE_HOST;
  shape.srcHost = source;
  shape.srcPitch = width;
  shape.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  shape.dstDevice = memory;
  shape.dstPitch = pitch;
  shape.dstXInBytes = 2;
  shape.dstY = 1;
  shape.WidthInBytes = width;
  shape.Height = height;
  ASSERT_OK(cuMemcpy2D(&shape));
  EXPECT_EQ((std::vector<unsigned char>{0, 0, 11, 12, 13, 14, 15}), read(memory + 2 * pitch, 7));
  EXPECT_EQ(0, read(memory + 2, 1)[0]) << "the row before";
  shape.dstPitch = 3;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&shape)) << "rows would overlap";
}

TEST_F(ShapedCopies, a_box_is_cut_out_of_a_bigger_one) {
  make_context();
  constexpr std::size_t side = 4;
  std::vector<unsigned char> cube(side * side * side);
  for (std::size_t i = 0; i < cube.size(); ++i) cube[i] = static_cast<unsigned char>(i);
  const CUdeviceptr memory = allocate(8);
  CUDA_MEMCPY3D shape{};
  shape.srcMemoryType = CU_MEMORYTYPE_HOST;
  shape.srcHost = cube.data();
  shape.srcPitch = side;
  shape.srcHeight = side;
  shape.srcXInBytes = 1;
  shape.srcY = 2;
  shape.srcZ = 1;
  shape.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  shape.dstDevice = memory;
  shape.dstPitch = 2;
  shape.dstHeight = 2;
  shape.WidthInBytes = 2;
  shape.Height = 2;
  shape.Depth = 2;
  ASSERT_OK(cuMemcpy3D(&shape));
  EXPECT_EQ((std::vector<unsigned char>{25, 26, 29, 30, 41, 42, 45, 46}), read(memory, 8));
  shape.dstHeight = 3;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&shape)) << "the second layer ends behind the memory";
}

class Managed : public DriverTest {};

TEST_F(Managed, what_is_advised_can_be_asked) {
  make_context();
  CUdeviceptr memory = 0;
  ASSERT_OK(cuMemAllocManaged(&memory, 8192, CU_MEM_ATTACH_GLOBAL));
  int answer = 0;
  ASSERT_OK(cuMemRangeGetAttribute(&answer, 4, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, memory, 8192));
  EXPECT_EQ(CU_DEVICE_INVALID, answer);
  const CUmemLocation device{CU_MEM_LOCATION_TYPE_DEVICE, 0};
  ASSERT_OK(cuMemAdvise(memory, 8192, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device));
  ASSERT_OK(cuMemAdvise(memory, 8192, CU_MEM_ADVISE_SET_ACCESSED_BY, {CU_MEM_LOCATION_TYPE_HOST, 0}));
  ASSERT_OK(cuMemPrefetchAsync(memory, 8192, device, 0, nullptr));
  ASSERT_OK(cuMemRangeGetAttribute(&answer, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, memory, 8192));
  EXPECT_EQ(0, answer);
  int users[2] = {7, 7};
  ASSERT_OK(cuMemRangeGetAttribute(users, 8, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, 8192));
  EXPECT_EQ(CU_DEVICE_CPU, users[0]);
  EXPECT_EQ(CU_DEVICE_INVALID, users[1]);
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync(memory, 8193, device, 0, nullptr));
  EXPECT_RESULT(CUDA_ERROR_INVALID_DEVICE,
                cuMemPrefetchAsync(memory, 64, {CU_MEM_LOCATION_TYPE_DEVICE, 99}, 0, nullptr));
}

// Measured on an H200: truth managed_places.
TEST_F(Managed, a_node_of_the_host_is_a_place_without_a_device_number) {
  make_context();
  CUdeviceptr memory = 0;
  ASSERT_OK(cuMemAllocManaged(&memory, 8192, CU_MEM_ATTACH_GLOBAL));
  const auto asked = [&](CUmem_range_attribute attribute) {
    int value = 7;
    EXPECT_OK(cuMemRangeGetAttribute(&value, 4, attribute, memory, 8192));
    return value;
  };
  const CUmemLocation node0{CU_MEM_LOCATION_TYPE_HOST_NUMA, 0}, node99{CU_MEM_LOCATION_TYPE_HOST_NUMA, 99},
      numbered_host{CU_MEM_LOCATION_TYPE_HOST, 5};
  ASSERT_OK(cuMemAdvise(memory, 8192, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, node0));
  EXPECT_EQ(CU_DEVICE_INVALID, asked(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION));
  EXPECT_EQ(CU_MEM_LOCATION_TYPE_HOST_NUMA, asked(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE,
                cuMemAdvise(memory, 8192, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, node99));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync(memory, 8192, node99, 0, nullptr));
  ASSERT_OK(cuMemPrefetchAsync(memory, 8192, numbered_host, 0, nullptr));
  EXPECT_EQ(CU_DEVICE_CPU, asked(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION));
}

TEST_F(Managed, advice_is_for_the_pages_of_a_range) {
  make_context();
  constexpr std::size_t page = 4096, size = 8 * page;
  CUdeviceptr memory = 0;
  ASSERT_OK(cuMemAllocManaged(&memory, size, CU_MEM_ATTACH_GLOBAL));
  const CUmemLocation device{CU_MEM_LOCATION_TYPE_DEVICE, 0}, host{CU_MEM_LOCATION_TYPE_HOST, 0};
  const auto read_mostly = [&](std::size_t from, std::size_t bytes) {
    int value = 7;
    EXPECT_OK(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory + from, bytes));
    return value;
  };
  const auto last_prefetch = [&](std::size_t from, std::size_t bytes) {
    int value = 7;
    EXPECT_OK(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, memory + from,
                                     bytes));
    return value;
  };
  // Two bytes around a border of pages: both pages are meant.
  ASSERT_OK(cuMemAdvise(memory + 3 * page - 1, 2, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
  EXPECT_EQ(1, read_mostly(2 * page, 2 * page));
  EXPECT_EQ(0, read_mostly(2 * page - 1, 1));
  EXPECT_EQ(0, read_mostly(4 * page, 1));
  EXPECT_EQ(0, read_mostly(0, size)) << "not all of it";
  ASSERT_OK(cuMemAdvise(memory, 2 * page, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
  ASSERT_OK(cuMemAdvise(memory + 4 * page, 4 * page, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
  EXPECT_EQ(1, read_mostly(0, size));
  ASSERT_OK(cuMemAdvise(memory + 5 * page, page, CU_MEM_ADVISE_UNSET_READ_MOSTLY, device));
  EXPECT_EQ(0, read_mostly(0, size));
  EXPECT_EQ(1, read_mostly(0, 5 * page));
  EXPECT_EQ(1, read_mostly(6 * page, 2 * page));

  // A batch with two ranges of one allocation, and a range inside another.
  CUstream stream = nullptr;
  ASSERT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUdeviceptr ranges[] = {memory, memory + page};
  std::size_t sizes[] = {size, 2 * page}, first_ranges[] = {0, 1};
  CUmemLocation places[] = {device, host};
  ASSERT_OK(cuMemPrefetchBatchAsync(ranges, sizes, 2, places, first_ranges, 2, 0, stream));
  EXPECT_EQ(0, last_prefetch(0, page));
  EXPECT_EQ(CU_DEVICE_CPU, last_prefetch(page, 2 * page));
  EXPECT_EQ(0, last_prefetch(3 * page, 5 * page));
  EXPECT_EQ(CU_DEVICE_INVALID, last_prefetch(0, size));
  EXPECT_EQ(1, read_mostly(0, 5 * page)) << "a prefetch leaves advice as it is";
}

TEST_F(Managed, a_device_uses_a_range_if_it_uses_all_pages) {
  make_context();
  constexpr std::size_t page = 4096;
  CUdeviceptr memory = 0;
  ASSERT_OK(cuMemAllocManaged(&memory, 2 * page, CU_MEM_ATTACH_GLOBAL));
  const CUmemLocation device{CU_MEM_LOCATION_TYPE_DEVICE, 0}, host{CU_MEM_LOCATION_TYPE_HOST, 0};
  ASSERT_OK(cuMemAdvise(memory, 2 * page, CU_MEM_ADVISE_SET_ACCESSED_BY, host));
  ASSERT_OK(cuMemAdvise(memory, page, CU_MEM_ADVISE_SET_ACCESSED_BY, device));
  int users[2] = {7, 7};
  ASSERT_OK(cuMemRangeGetAttribute(users, 8, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, page));
  EXPECT_EQ(0, users[0]);
  EXPECT_EQ(CU_DEVICE_CPU, users[1]);
  ASSERT_OK(cuMemRangeGetAttribute(users, 8, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, 2 * page));
  EXPECT_EQ(CU_DEVICE_CPU, users[0]);
  EXPECT_EQ(CU_DEVICE_INVALID, users[1]);
}

}  // namespace
