// SPDX-License-Identifier: MIT
// Contexts beyond what the probes measured: counting uses, settings, handles that are none, many pushes.
#include "support.hpp"

namespace {

class Contexts : public DriverTest {};

TEST_F(Contexts, attach_and_detach_count_uses_and_the_last_destroys_and_pops) {
  const CUcontext below = make_context();
  const CUcontext context = make_context();
  CUcontext attached = nullptr;
  ASSERT_OK(cuCtxAttach(&attached, 0));
  EXPECT_EQ(context, attached);
  EXPECT_OK(cuCtxDetach(context));
  EXPECT_EQ(context, current());
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_OK(cuCtxDetach(context));
  EXPECT_EQ(below, current());
  EXPECT_NE(CUDA_SUCCESS, cuCtxDetach(context));
}

TEST_F(Contexts, attach_takes_no_flags_and_needs_a_context) {
  CUcontext attached = nullptr;
  EXPECT_RESULT(CUDA_ERROR_INVALID_CONTEXT, cuCtxAttach(&attached, 0));
  make_context();
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuCtxAttach(&attached, 1));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuCtxAttach(nullptr, 0));
}

TEST_F(Contexts, detach_refuses_a_context_that_is_not_current) {
  const CUcontext below = make_context();
  make_context();
  EXPECT_RESULT(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(below));
}

TEST_F(Contexts, made_up_handles_are_refused_where_the_real_driver_crashes) {
  ONLY_ON_THE_EMBEDDED_DRIVER();
  const CUcontext real = make_context();
  const auto inside = reinterpret_cast<CUcontext>(reinterpret_cast<std::uintptr_t>(real) + 8);
  for (const CUcontext made_up :
       {reinterpret_cast<CUcontext>(0x1234), reinterpret_cast<CUcontext>(~0ULL), inside}) {
    EXPECT_RESULT(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent(made_up));
    EXPECT_RESULT(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent(made_up));
    EXPECT_RESULT(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(made_up));
    unsigned long long id = 0;
    EXPECT_RESULT(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetId(made_up, &id));
  }
  EXPECT_EQ(real, current());
}

TEST_F(Contexts, destroying_twice_says_that_it_is_destroyed) {
  ONLY_ON_THE_EMBEDDED_DRIVER();
  const CUcontext context = make_context();
  destroy(context);
  EXPECT_RESULT(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxDestroy(context));
}

TEST_F(Contexts, a_hundred_thousand_pushes_come_off_in_order) {
  const CUcontext a = make_context();
  const CUcontext b = make_context();
  for (int i = 0; i < 100000; ++i) ASSERT_EQ(CUDA_SUCCESS, cuCtxPushCurrent(i % 2 == 0 ? a : b));
  for (int i = 99999; i >= 0; --i) {
    CUcontext popped = nullptr;
    ASSERT_EQ(CUDA_SUCCESS, cuCtxPopCurrent(&popped));
    ASSERT_EQ(i % 2 == 0 ? a : b, popped) << i;
  }
  EXPECT_EQ(b, current());
}

TEST_F(Contexts, each_thread_has_a_stack_of_its_own) {
  const CUcontext a = make_context();
  std::thread([&] {
    EXPECT_EQ(nullptr, current());
    EXPECT_OK(cuCtxPushCurrent(a));
    EXPECT_OK(cuCtxPushCurrent(a));
  }).join();
  EXPECT_EQ(a, current());
  EXPECT_OK(cuCtxPopCurrent(nullptr));
  EXPECT_RESULT(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(nullptr));
}

TEST_F(Contexts, limits_are_each_contexts_own) {
  make_context();
  ASSERT_OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
  std::size_t value = 0;
  ASSERT_OK(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  EXPECT_EQ(4096U, value);
  make_context();
  ASSERT_OK(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  EXPECT_EQ(1024U, value);
}

// Measured on an H200, whose figures are others (truth limits).
TEST_F(Contexts, a_limit_is_changed_to_what_there_can_be) {
  make_context();
  const auto set = [](CUlimit limit, std::size_t wanted) {
    std::size_t value = 0;
    EXPECT_OK(cuCtxSetLimit(limit, wanted));
    EXPECT_OK(cuCtxGetLimit(&value, limit));
    return value;
  };
  EXPECT_EQ(std::size_t{4} << 20, set(CU_LIMIT_MALLOC_HEAP_SIZE, 1));
  EXPECT_EQ(std::size_t{5} << 20, set(CU_LIMIT_MALLOC_HEAP_SIZE, (std::size_t{5} << 20) - 1));
  EXPECT_EQ(std::size_t{512} << 10, set(CU_LIMIT_PRINTF_FIFO_SIZE, 0));
  EXPECT_EQ(600064U, set(CU_LIMIT_PRINTF_FIFO_SIZE, 600000));
  EXPECT_EQ(32U, set(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 0));
  EXPECT_EQ(3000U, set(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 3000));
  EXPECT_EQ(0U, set(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0));
  int cache = 0, most = 0;
  ASSERT_OK(cuDeviceGetAttribute(&cache, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 0));
  ASSERT_OK(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, 0));
  EXPECT_EQ(static_cast<std::size_t>(cache / 16), set(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 1));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE,
                cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, static_cast<std::size_t>(most) + 1));
}

TEST_F(Contexts, what_kernels_share_with_graphics_can_only_be_asked) {
  make_context();
  std::size_t value = 0;
  int most = 0;
  ASSERT_OK(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0));
  EXPECT_OK(cuCtxGetLimit(&value, CU_LIMIT_SHMEM_SIZE));
  EXPECT_EQ(static_cast<std::size_t>(most), value);
  EXPECT_OK(cuCtxGetLimit(&value, CU_LIMIT_CIG_ENABLED));
  EXPECT_EQ(0U, value);
  for (const CUlimit limit : {CU_LIMIT_SHMEM_SIZE, CU_LIMIT_CIG_ENABLED})
    EXPECT_RESULT(CUDA_ERROR_NOT_PERMITTED, cuCtxSetLimit(limit, 0));
  EXPECT_RESULT(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxGetLimit(&value, CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED));
  EXPECT_RESULT(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxSetLimit(CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED, 0));
}

TEST_F(Contexts, a_limit_out_of_range_or_unknown_is_refused) {
  make_context();
  std::size_t value = 0;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuCtxSetLimit(CU_LIMIT_STACK_SIZE, std::size_t{1} << 40));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuCtxSetLimit(made_up<CUlimit>(77), 1));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuCtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE));
  EXPECT_OK(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  EXPECT_EQ(1024U, value);
}

TEST_F(Contexts, flags_can_be_changed_and_only_known_ones) {
  make_context(0, CU_CTX_SCHED_YIELD);
  unsigned flags = 0;
  ASSERT_OK(cuCtxSetFlags(CU_CTX_SCHED_SPIN));
  ASSERT_OK(cuCtxGetFlags(&flags));
  EXPECT_EQ(static_cast<unsigned>(CU_CTX_SCHED_SPIN), flags & CU_CTX_SCHED_MASK);
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuCtxSetFlags(CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD));
}

TEST_F(Contexts, a_cache_preference_is_kept) {
  make_context();
  ASSERT_OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
  CUfunc_cache config{};
  ASSERT_OK(cuCtxGetCacheConfig(&config));
  EXPECT_EQ(CU_FUNC_CACHE_PREFER_L1, config);
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuCtxSetCacheConfig(made_up<CUfunc_cache>(9)));
}

TEST_F(Contexts, a_primary_context_is_neither_destroyed_nor_detached) {
  CUcontext primary = nullptr;
  ASSERT_OK(cuDevicePrimaryCtxRetain(&primary, 0));
  ASSERT_OK(cuCtxPushCurrent(primary));
  EXPECT_RESULT(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(primary));
  EXPECT_EQ(primary, current());
  EXPECT_OK(cuDevicePrimaryCtxRelease(0));
}

TEST_F(Contexts, streams_and_events_die_with_their_context) {
  const CUcontext a = make_context();
  CUstream stream = nullptr;
  CUevent event = nullptr;
  ASSERT_OK(cuStreamCreate(&stream, 0));
  ASSERT_OK(cuEventCreate(&event, 0));
  ASSERT_OK(cuEventRecord(event, stream));
  ASSERT_OK(cuStreamSynchronize(stream));
  destroy(a);
  make_context();
  EXPECT_RESULT(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamSynchronize(stream));
  EXPECT_RESULT(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuEventQuery(event));
}

// An H200 returns the flags if nothing else uses the memory by then; otherwise it may crash.
TEST_F(Contexts, a_destroyed_one_that_is_current_still_tells_its_flags) {
  ONLY_ON_THE_EMBEDDED_DRIVER();
  CUcontext context = nullptr;
  ASSERT_OK(cuCtxCreate(&context, nullptr, CU_CTX_SCHED_YIELD | CU_CTX_MAP_HOST, 0));
  ASSERT_OK(cuCtxDestroy(context));
  ASSERT_OK(cuCtxPushCurrent(context));
  unsigned flags = 99;
  EXPECT_OK(cuCtxGetFlags(&flags));
  EXPECT_EQ(unsigned{CU_CTX_SCHED_YIELD} | CU_CTX_MAP_HOST, flags);
  EXPECT_OK(cuCtxPopCurrent(nullptr));
}

// Programs give the array back when the link is made. An H200 writes into it at every step all the same.
TEST_F(Contexts, a_link_without_messages_leaves_the_slots_of_its_options_alone) {
  ONLY_ON_THE_EMBEDDED_DRIVER();
  make_context();
  char info[64] = "", error[64] = "";
  CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {info, reinterpret_cast<void*>(sizeof info), error, reinterpret_cast<void*>(sizeof error)};
  CUlinkState link = nullptr;
  ASSERT_OK(cuLinkCreate(4, options, values, &link));
  EXPECT_EQ(nullptr, values[1]);
  values[1] = values[3] = &link;  // whatever has the memory now
  char code[] = ".version 7.0\n.target sm_52\n.address_size 64\n.visible .entry k() { ret; }\n";
  void* image = nullptr;
  std::size_t size = 0;
  EXPECT_OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, code, sizeof code, "k", 0, nullptr, nullptr));
  EXPECT_OK(cuLinkComplete(link, &image, &size));
  EXPECT_EQ(static_cast<void*>(&link), values[1]);
  EXPECT_EQ(static_cast<void*>(&link), values[3]);
  EXPECT_OK(cuLinkDestroy(link));
}

TEST_F(Contexts, the_older_forms_of_cuCtxCreate_still_make_contexts) {
  using Create = CUresult (*)(CUcontext*, unsigned, CUdevice);
  void* function = nullptr;
  ASSERT_OK(cuGetProcAddress("cuCtxCreate", &function, 3020, 0, nullptr));
  CUcontext context = nullptr;
  ASSERT_OK(reinterpret_cast<Create>(function)(&context, 0, 0));
  EXPECT_EQ(context, current());
  EXPECT_OK(cuCtxDestroy(context));
}

}  // namespace
