// SPDX-License-Identifier: MIT
// The stack of contexts of a thread, contexts beyond the stack, their settings, and primary contexts.
// Must not depend on what is allocated in a context.
#include <set>
#include <thread>

#include "support.hpp"

namespace conformance {
namespace {

TEST(context, creating_pushes_and_destroying_the_top_pops) {
  HOLDS(current() == nullptr);
  Context a;
  HOLDS(current() == a);
  Context b;
  HOLDS(current() == b);
  b.destroy();
  HOLDS(current() == a);
  a.destroy();
  HOLDS(current() == nullptr);
}

TEST(context, pushes_and_pops_come_in_pairs) {
  const Context a, b;
  CUcontext popped = nullptr;
  NEEDS(cuCtxPushCurrent(a));
  NEEDS(cuCtxPushCurrent(a));
  NEEDS(cuCtxPopCurrent(&popped));
  HOLDS(popped == a && current() == a);
  NEEDS(cuCtxPopCurrent(&popped));
  HOLDS(popped == a && current() == b);
  NEEDS(cuCtxPopCurrent(nullptr));
  HOLDS(current() == a);
  NEEDS(cuCtxPopCurrent(&popped));
  HOLDS(popped == a && current() == nullptr);
  popped = b;
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&popped));
  HOLDS(popped == b);
}

TEST(context, setting_replaces_the_top_and_setting_none_pops) {
  const Context a, b;
  SUCCEEDS(cuCtxSetCurrent(a));
  HOLDS(current() == a);
  SUCCEEDS(cuCtxSetCurrent(nullptr));
  HOLDS(current() == a);  // the a below; b was replaced
  SUCCEEDS(cuCtxSetCurrent(nullptr));
  HOLDS(current() == nullptr);
  SUCCEEDS(cuCtxSetCurrent(nullptr));
  SUCCEEDS(cuCtxSetCurrent(b));  // on an empty stack it pushes
  HOLDS(current() == b);
  SUCCEEDS(cuCtxPopCurrent(nullptr));
  HOLDS(current() == nullptr);
}

TEST(context, null_is_no_context_to_push_or_destroy) {
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuCtxPushCurrent(nullptr));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuCtxDestroy(nullptr));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuCtxGetCurrent(nullptr));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(nullptr));
}

TEST(context, a_destroyed_one_below_the_top_stays_and_answers_709) {
  CUcontext a = nullptr;
  NEEDS(create_context(&a, 0, 0));
  const Context b;
  SUCCEEDS(cuCtxDestroy(a));
  HOLDS(current() == b);
  SUCCEEDS(cuCtxPopCurrent(nullptr));
  HOLDS(current() == a);
  CUdeviceptr address = 0;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUdevice device = 0;
  std::size_t free = 0, total = 0, value = 0;
  ANSWERS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemAlloc(&address, 64));
  ANSWERS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
  ANSWERS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamCreate(&stream, 0));
  ANSWERS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuEventCreate(&event, 0));
  ANSWERS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemGetInfo(&free, &total));
  ANSWERS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  SUCCEEDS(cuCtxGetDevice(&device));
  SUCCEEDS(cuCtxPopCurrent(nullptr));
  HOLDS(current() == nullptr);
  SUCCEEDS(cuCtxSetCurrent(a));
  SUCCEEDS(cuCtxPushCurrent(a));
  HOLDS(current() == a);
}

TEST(context, destroying_on_one_thread_leaves_it_on_the_stack_of_another) {
  CUcontext a = nullptr;
  NEEDS(create_context(&a, 0, 0));
  std::thread([a] {
    SUCCEEDS(cuCtxSetCurrent(a));
    SUCCEEDS(cuCtxDestroy(a));
    HOLDS(current() == nullptr);
  }).join();
  HOLDS(current() == a);
  ANSWERS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
  ANSWERS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemFree(0));
  CUcontext popped = nullptr;
  SUCCEEDS(cuCtxPopCurrent(&popped));
  HOLDS(popped == a);
}

TEST(context, every_thread_has_a_stack_of_its_own) {
  const Context a;
  std::thread([&a] {
    HOLDS(current() == nullptr);
    ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
    SUCCEEDS(cuCtxPushCurrent(a));
    HOLDS(current() == a);
    const CUdeviceptr address = zeros(64);
    SUCCEEDS(cuMemFree(address));
    SUCCEEDS(cuCtxPopCurrent(nullptr));
  }).join();
  HOLDS(current() == a);
}

TEST(context, one_may_be_current_to_many_threads_at_once) {
  const Context a;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (unsigned char byte = 1; byte <= 4; ++byte) {
    threads.emplace_back([&a, byte] {
      NEEDS(cuCtxSetCurrent(a));
      for (int round = 0; round < 20; ++round) {
        const CUdeviceptr address = allocate(4096);
        NEEDS(cuMemsetD8(address, byte, 4096));
        EQUAL(byte, read<unsigned char>(address + 4095));
        NEEDS(cuMemFree(address));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(context, flags_are_checked_and_remembered) {
  CUcontext context = nullptr;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, create_context(&context, 0xffff, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, create_context(&context, CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD, 0));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, create_context(&context, 0, 99));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, create_context(&context, 0, -1));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, create_context(nullptr, 0, 0));
  HOLDS(current() == nullptr);
  for (const unsigned schedule :
       {CU_CTX_SCHED_AUTO, CU_CTX_SCHED_SPIN, CU_CTX_SCHED_YIELD, CU_CTX_SCHED_BLOCKING_SYNC}) {
    const Context made(0, schedule);
    unsigned flags = 99;
    SUCCEEDS(cuCtxGetFlags(&flags));
    EQUAL(schedule, flags & CU_CTX_SCHED_MASK);
  }
}

TEST(context, flags_can_be_changed_later) {
  const Context context;
  unsigned flags = 99;
  SUCCEEDS(cuCtxSetFlags(CU_CTX_SCHED_BLOCKING_SYNC));
  SUCCEEDS(cuCtxGetFlags(&flags));
  EQUAL(CU_CTX_SCHED_BLOCKING_SYNC, flags & CU_CTX_SCHED_MASK);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuCtxSetFlags(0xffff));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuCtxGetFlags(nullptr));
}

TEST(context, numbers_are_unique_and_versions_stay_at_3020) {
  std::set<unsigned long long> seen;
  for (int round = 0; round < 3; ++round) {
    const Context context;
    unsigned long long by_handle = 0, of_current = 0;
    unsigned version = 0;
    SUCCEEDS(cuCtxGetId(context, &by_handle));
    SUCCEEDS(cuCtxGetId(nullptr, &of_current));
    EQUAL(by_handle, of_current);
    HOLDS(seen.insert(by_handle).second);
    SUCCEEDS(cuCtxGetApiVersion(context, &version));
    EQUAL(3020, version);
  }
  unsigned long long id = 0;
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetId(nullptr, &id));
}

TEST(context, limits_start_as_documented_and_can_be_set) {
  const Context context;
  std::size_t value = 0;
  SUCCEEDS(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  EQUAL(1024, value);
  SUCCEEDS(cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE));
  EQUAL(8 << 20, value);
  SUCCEEDS(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
  SUCCEEDS(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  EQUAL(4096, value);
  SUCCEEDS(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 16 << 20));
  SUCCEEDS(cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE));
  HOLDS(value >= (16U << 20));
  SUCCEEDS(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 2 << 20));
  SUCCEEDS(cuCtxGetLimit(&value, CU_LIMIT_PRINTF_FIFO_SIZE));
  HOLDS(value >= (2U << 20));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuCtxGetLimit(&value, made_up<CUlimit>(77)));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuCtxSetLimit(made_up<CUlimit>(77), 1));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuCtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE));
}

TEST(context, cache_preferences_are_kept_or_fixed) {
  const Context context;
  CUfunc_cache preference{};
  SUCCEEDS(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
  SUCCEEDS(cuCtxGetCacheConfig(&preference));
  HOLDS(preference == CU_FUNC_CACHE_PREFER_L1 || preference == CU_FUNC_CACHE_PREFER_NONE);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuCtxSetCacheConfig(made_up<CUfunc_cache>(9)));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuCtxGetCacheConfig(nullptr));
}

TEST(context, priorities_run_from_zero_downwards) {
  const Context context;
  int least = 9, greatest = 9;
  SUCCEEDS(cuCtxGetStreamPriorityRange(&least, &greatest));
  EQUAL(0, least);
  HOLDS(greatest <= 0);
  SUCCEEDS(cuCtxGetStreamPriorityRange(nullptr, nullptr));
}

TEST(context, the_device_is_that_of_the_top) {
  CUdevice device = 9;
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetDevice(&device));
  const Context a;
  SUCCEEDS(cuCtxGetDevice(&device));
  EQUAL(0, device);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuCtxGetDevice(nullptr));
  needs_two_devices();
  const Context b(1);
  SUCCEEDS(cuCtxGetDevice(&device));
  EQUAL(1, device);
}

TEST(context, without_one_these_answer_201_before_they_look_at_their_arguments) {
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUmodule module = nullptr;
  std::size_t size = 0;
  unsigned flags = 0;
  int number = 0;
  void* host = nullptr;
  CUdeviceptr address = 0;
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&address, 16));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuMemAllocManaged(&address, 64, CU_MEM_ATTACH_GLOBAL));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuMemAllocHost(&host, 64));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuStreamCreate(&stream, 0));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuStreamSynchronize(nullptr));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuEventCreate(&event, 0));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuModuleLoadData(&module, kDeviceCode));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuMemGetInfo(&size, &size));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetFlags(&flags));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetLimit(&size, CU_LIMIT_STACK_SIZE));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT,
          cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(nullptr, 16));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&address, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuStreamCreate(&stream, 77));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuStreamCreate(nullptr, 0));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuEventCreate(nullptr, 0));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuModuleLoadData(nullptr, nullptr));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuStreamQuery(nullptr));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuEventRecord(nullptr, nullptr));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuMemcpyHtoD(4096, &number, 4));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuMemsetD8(4096, 0, 4));
}

TEST(context, forty_live_side_by_side) {
  std::vector<CUcontext> made;
  CUresult result = CUDA_SUCCESS;
  while (made.size() < 40 && result == CUDA_SUCCESS) {
    CUcontext context = nullptr;
    result = create_context(&context, 0, 0);
    if (result == CUDA_SUCCESS) made.push_back(context);
  }
  SUCCEEDS(result);
  EQUAL(40, made.size());
  for (const CUcontext context : made) SUCCEEDS(cuCtxDestroy(context));
}

TEST(context, attaching_counts_and_the_last_detach_destroys) {
  CUcontext context = nullptr, attached = nullptr;
  NEEDS(create_context(&context, 0, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuCtxAttach(&attached, 1));
  SUCCEEDS(cuCtxAttach(&attached, 0));
  HOLDS(attached == context);
  SUCCEEDS(cuCtxDetach(context));
  HOLDS(current() == context);
  SUCCEEDS(cuCtxDetach(context));
  HOLDS(current() == nullptr);
}

TEST_ALONE(primary_context, is_there_once_it_is_retained_and_is_pushed_by_nobody) {
  NEEDS(cuInit(0));
  unsigned flags = 99;
  int active = 99;
  CUcontext primary = nullptr, again = nullptr;
  SUCCEEDS(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EQUAL(0, active);
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
  NEEDS(cuDevicePrimaryCtxRetain(&primary, 0));
  HOLDS(current() == nullptr);
  SUCCEEDS(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EQUAL(1, active);
  NEEDS(cuDevicePrimaryCtxRetain(&again, 0));
  HOLDS(primary == again);
  SUCCEEDS(cuDevicePrimaryCtxRelease(0));
  SUCCEEDS(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EQUAL(1, active);
  SUCCEEDS(cuDevicePrimaryCtxRelease(0));
  SUCCEEDS(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EQUAL(0, active);
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
}

TEST(primary_context, cannot_be_destroyed_and_dies_with_its_last_release) {
  CUcontext primary = nullptr, again = nullptr;
  NEEDS(cuDevicePrimaryCtxRetain(&primary, 0));
  NEEDS(cuCtxPushCurrent(primary));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(primary));
  HOLDS(current() == primary);
  const CUdeviceptr address = allocate(1024);
  SUCCEEDS(cuDevicePrimaryCtxRelease(0));
  HOLDS(current() == primary);
  ANSWERS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemsetD8(address, 0, 16));
  ANSWERS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
  NEEDS(cuDevicePrimaryCtxRetain(&again, 0));
  HOLDS(again == primary);
  SUCCEEDS(cuCtxSynchronize());
  SUCCEEDS(cuDevicePrimaryCtxRelease(0));
}

TEST(primary_context, flags_and_devices_are_checked) {
  CUcontext primary = nullptr;
  unsigned flags = 0;
  int active = 0;
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRetain(&primary, 99));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxRetain(nullptr, 0));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRelease(99));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxReset(99));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxSetFlags(99, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxSetFlags(0, 0xffff));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxGetState(99, &flags, &active));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxGetState(0, nullptr, &active));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxGetState(0, &flags, nullptr));
  SUCCEEDS(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD));
  SUCCEEDS(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EQUAL(CU_CTX_SCHED_YIELD, flags);
  SUCCEEDS(cuDevicePrimaryCtxSetFlags(0, 0));
}

TEST(primary_context, resetting_ends_what_it_held) {
  CUcontext primary = nullptr;
  unsigned flags = 0;
  int active = 9;
  NEEDS(cuDevicePrimaryCtxRetain(&primary, 0));
  NEEDS(cuCtxPushCurrent(primary));
  const CUdeviceptr address = allocate(1024);
  SUCCEEDS(cuDevicePrimaryCtxReset(0));
  SUCCEEDS(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EQUAL(0, active);
  ANSWERS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemsetD8(address, 0, 16));
  SUCCEEDS(cuDevicePrimaryCtxRelease(0));
}

TEST(primary_context, each_device_has_its_own) {
  needs_two_devices();
  CUcontext first = nullptr, second = nullptr;
  NEEDS(cuDevicePrimaryCtxRetain(&first, 0));
  NEEDS(cuDevicePrimaryCtxRetain(&second, 1));
  HOLDS(first != second);
  NEEDS(cuCtxPushCurrent(second));
  CUdevice device = 9;
  SUCCEEDS(cuCtxGetDevice(&device));
  EQUAL(1, device);
  SUCCEEDS(cuDevicePrimaryCtxRelease(0));
  SUCCEEDS(cuCtxSynchronize());
  SUCCEEDS(cuDevicePrimaryCtxRelease(1));
}

// Alone, because a real driver looks at memory that it has freed.
TEST_ALONE(context, once_gone_cannot_be_detached_again) {
  NEEDS(cuInit(0));
  CUcontext below = nullptr, context = nullptr;
  NEEDS(create_context(&below, 0, 0));
  NEEDS(create_context(&context, 0, 0));
  SUCCEEDS(cuCtxDetach(context));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(context));
  SUCCEEDS(cuCtxSetCurrent(context));
  ANSWERS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxDetach(context));
}

unsigned flags_now() {
  unsigned flags = 99;
  SUCCEEDS(cuCtxGetFlags(&flags));
  return flags;
}

TEST(context, is_told_at_its_making_alone_whether_it_maps_the_hosts_memory) {
  const Context context;
  SUCCEEDS(cuCtxSetFlags(CU_CTX_MAP_HOST | CU_CTX_SCHED_SPIN));
  EQUAL(CU_CTX_SCHED_SPIN, flags_now());
  SUCCEEDS(cuCtxSetFlags(CU_CTX_MAP_HOST));
  EQUAL(0, flags_now());
  SUCCEEDS(cuCtxSetFlags(CU_CTX_LMEM_RESIZE_TO_MAX | CU_CTX_SCHED_BLOCKING_SYNC));
  EQUAL(CU_CTX_LMEM_RESIZE_TO_MAX | CU_CTX_SCHED_BLOCKING_SYNC, flags_now());
  const Context mapping(0, CU_CTX_MAP_HOST | CU_CTX_SCHED_SPIN);
  EQUAL(CU_CTX_MAP_HOST | CU_CTX_SCHED_SPIN, flags_now());
}

TEST_ALONE(context, of_a_device_always_maps_the_hosts_memory) {
  unsigned flags = 99;
  int active = 99;
  NEEDS(cuInit(0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxSetFlags(0, CU_CTX_MAP_HOST));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxSetFlags(0, CU_CTX_MAP_HOST | CU_CTX_SCHED_SPIN));
  SUCCEEDS(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_SPIN));
  CUcontext primary = nullptr;
  NEEDS(cuDevicePrimaryCtxRetain(&primary, 0));
  NEEDS(cuCtxSetCurrent(primary));
  EQUAL(CU_CTX_MAP_HOST | CU_CTX_SCHED_SPIN, flags_now());
  SUCCEEDS(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EQUAL(CU_CTX_SCHED_SPIN, flags);
  SUCCEEDS(cuCtxSetFlags(CU_CTX_MAP_HOST | CU_CTX_SCHED_YIELD));
  EQUAL(CU_CTX_MAP_HOST | CU_CTX_SCHED_YIELD, flags_now());
}

}  // namespace
}  // namespace conformance
