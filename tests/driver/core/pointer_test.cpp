// SPDX-License-Identifier: MIT
// What is known about an address, peers, and threads that race for memory.
#include <atomic>

#include "support.hpp"

namespace {

class Pointers : public DriverTest {
 protected:
  template <typename Value>
  static Value ask(CUpointer_attribute attribute, CUdeviceptr address) {
    Value value{};
    EXPECT_OK(cuPointerGetAttribute(&value, attribute, address)) << attribute;
    return value;
  }
};

TEST_F(Pointers, an_address_in_the_middle_knows_its_allocation) {
  const CUcontext context = make_context();
  const CUdeviceptr base = allocate(1000);
  const CUdeviceptr address = base + 999;
  EXPECT_EQ(context, ask<CUcontext>(CU_POINTER_ATTRIBUTE_CONTEXT, address));
  EXPECT_EQ(static_cast<unsigned>(CU_MEMORYTYPE_DEVICE),
            ask<unsigned>(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
  EXPECT_EQ(address, ask<CUdeviceptr>(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, address));
  EXPECT_EQ(0, ask<int>(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address));
  EXPECT_EQ(0, ask<int>(CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
  EXPECT_EQ(base, ask<CUdeviceptr>(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address));
  EXPECT_EQ(1000U, ask<std::size_t>(CU_POINTER_ATTRIBUTE_RANGE_SIZE, address));
  EXPECT_EQ(1, ask<int>(CU_POINTER_ATTRIBUTE_MAPPED, address));
  void* host = nullptr;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE,
                cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, address));
  int value = 0;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE,
                cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MAPPED, base + 1000));
}

TEST_F(Pointers, a_buffer_id_is_never_used_again) {
  make_context();
  const CUdeviceptr first = allocate(64);
  const auto id = ask<unsigned long long>(CU_POINTER_ATTRIBUTE_BUFFER_ID, first);
  ASSERT_OK(cuMemFree(first));
  EXPECT_NE(id, ask<unsigned long long>(CU_POINTER_ATTRIBUTE_BUFFER_ID, allocate(64)));
}

TEST_F(Pointers, pinned_registered_and_managed_memory_have_host_addresses) {
  make_context();
  void* pinned = nullptr;
  ASSERT_OK(cuMemAllocHost(&pinned, 64));
  std::vector<char> own(64);
  ASSERT_OK(cuMemHostRegister(own.data(), own.size(), 0));
  CUdeviceptr managed = 0;
  ASSERT_OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
  for (const auto address :
       {reinterpret_cast<CUdeviceptr>(pinned), reinterpret_cast<CUdeviceptr>(own.data()), managed}) {
    EXPECT_EQ(address + 5, ask<CUdeviceptr>(CU_POINTER_ATTRIBUTE_HOST_POINTER, address + 5));
    const unsigned type = address == managed ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
    EXPECT_EQ(type, ask<unsigned>(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
    EXPECT_EQ(address == managed ? 1 : 0, ask<int>(CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
  }
  EXPECT_OK(cuMemHostUnregister(own.data()));
}

TEST_F(Pointers, asking_for_several_gives_defaults_where_there_is_no_answer) {
  make_context();
  int on_stack = 0;
  unsigned type = 77;
  CUcontext owner = reinterpret_cast<CUcontext>(77);
  void* host = nullptr;
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_CONTEXT,
                                      CU_POINTER_ATTRIBUTE_HOST_POINTER};
  void* results[] = {&type, &owner, &host};
  EXPECT_OK(cuPointerGetAttributes(3, attributes, results, reinterpret_cast<CUdeviceptr>(&on_stack)));
  EXPECT_EQ(0U, type);
  EXPECT_EQ(nullptr, owner);
  EXPECT_EQ(&on_stack, host) << "an ordinary address is its own host pointer";
  EXPECT_OK(cuPointerGetAttributes(3, attributes, results, allocate(16)));
  EXPECT_EQ(static_cast<unsigned>(CU_MEMORYTYPE_DEVICE), type);
  EXPECT_EQ(current(), owner);
  EXPECT_EQ(nullptr, host);
}

TEST_F(Pointers, synchronous_memory_operations_can_be_asked_for) {
  make_context();
  const CUdeviceptr address = allocate(16);
  int wanted = 1;
  EXPECT_OK(cuPointerSetAttribute(&wanted, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, address));
  EXPECT_EQ(1, ask<int>(CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, address));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE,
                cuPointerSetAttribute(&wanted, CU_POINTER_ATTRIBUTE_CONTEXT, address));
}

class Peers : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    int can = 0;
    if (device_count() < 2 || cuDeviceCanAccessPeer(&can, 1, 0) != CUDA_SUCCESS || can == 0) {
      GTEST_SKIP() << "no two devices that can be peers";
    }
  }
};

TEST_F(Peers, access_is_one_way_enabled_once_and_disabled_once) {
  const CUcontext a = make_context(0);
  const CUdeviceptr p = allocate(64);
  const CUcontext b = make_context(1);
  unsigned access = 77;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuCtxEnablePeerAccess(a, 1));
  EXPECT_OK(cuPointerGetAttribute(&access, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, p));
  EXPECT_EQ(static_cast<unsigned>(CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE), access);
  EXPECT_OK(cuCtxEnablePeerAccess(a, 0));
  EXPECT_RESULT(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, cuCtxEnablePeerAccess(a, 0));
  EXPECT_OK(cuPointerGetAttribute(&access, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, p));
  EXPECT_EQ(static_cast<unsigned>(CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE), access);
  ASSERT_OK(cuCtxSetCurrent(a));
  EXPECT_RESULT(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(b));
  ASSERT_OK(cuCtxSetCurrent(b));
  EXPECT_OK(cuCtxDisablePeerAccess(a));
  EXPECT_RESULT(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(a));
}

TEST_F(Peers, a_destroyed_peer_is_no_peer) {
  const CUcontext a = make_context(0);
  make_context(1);
  ASSERT_OK(cuCtxEnablePeerAccess(a, 0));
  destroy(a);
  EXPECT_RESULT(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxDisablePeerAccess(a));
}

class Threads : public DriverTest {};

TEST_F(Threads, race_for_memory_and_each_keeps_its_own_bytes) {
  const CUcontext context = make_context();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int number = 1; number <= 4; ++number) {
    threads.emplace_back([&, number] {
      if (cuCtxSetCurrent(context) != CUDA_SUCCESS) ++wrong;
      for (int round = 0; round < 300; ++round) {
        const std::size_t size = 64 + static_cast<std::size_t>(round) * 97 % 5000;
        CUdeviceptr address = 0;
        unsigned char last = 0;
        wrong += cuMemAlloc(&address, size) != CUDA_SUCCESS;
        wrong += cuMemsetD8(address, static_cast<unsigned char>(number), size) != CUDA_SUCCESS;
        wrong += cuMemcpyDtoH(&last, address + size - 1, 1) != CUDA_SUCCESS || last != number;
        wrong += cuMemFree(address) != CUDA_SUCCESS;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, wrong);
}

// One thread uses a context that another destroys: success before, 709 after, nothing else and no crash.
TEST_F(Threads, may_destroy_a_context_that_another_is_using) {
  for (int round = 0; round < 20; ++round) {
    CUcontext context = nullptr;
    ASSERT_OK(cuCtxCreate(&context, nullptr, 0, 0));
    ASSERT_OK(cuCtxPopCurrent(nullptr));
    std::atomic<bool> started{false};
    std::atomic<int> wrong{0};
    std::thread user([&] {
      cuCtxSetCurrent(context);
      for (;;) {
        CUdeviceptr address = 0;
        const CUresult result = cuMemAlloc(&address, 4096);
        started = true;
        if (result == CUDA_ERROR_CONTEXT_IS_DESTROYED) return;
        wrong += result != CUDA_SUCCESS;
        const CUresult filled = cuMemsetD8(address, 1, 4096);
        wrong += filled != CUDA_SUCCESS && filled != CUDA_ERROR_CONTEXT_IS_DESTROYED;
      }
    });
    while (!started) std::this_thread::yield();
    EXPECT_OK(cuCtxDestroy(context));
    user.join();
    EXPECT_EQ(0, wrong);
  }
}

TEST_F(Threads, retain_and_release_of_one_primary_context_keep_count) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        CUcontext primary = nullptr;
        wrong += cuDevicePrimaryCtxRetain(&primary, 0) != CUDA_SUCCESS;
        wrong += cuDevicePrimaryCtxRelease(0) != CUDA_SUCCESS;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, wrong);
  unsigned flags = 0;
  int active = 77;
  ASSERT_OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT_EQ(0, active);
}

}  // namespace
