// SPDX-License-Identifier: MIT
// Memory of a pool that is freed by cuMemFree while work that would use it waits in a stream. What an H200
// returned for a fill is in truth/ (free_pending_0_pool and those after it); here are copies, who finds the
// failure, and memory that the pool keeps.
//
// The programs are children of fork, because a failure stays.
#include <atomic>
#include <chrono>
#include <cstring>

#include "support.hpp"

namespace {

constexpr std::size_t memory_size = 4096;

struct PendingWork {
  CUcontext context = nullptr;
  CUstream stream = nullptr, other = nullptr;
  CUdeviceptr memory = 0, own = 0;
  unsigned* words = nullptr;  // the first is the gate

  bool start() {
    void* host = nullptr;
    const bool good = cuCtxCreate(&context, nullptr, 0, 0) == CUDA_SUCCESS &&
                      cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS &&
                      cuStreamCreate(&other, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS &&
                      cuMemHostAlloc(&host, 2 * memory_size, 0) == CUDA_SUCCESS &&
                      cuMemAlloc(&own, memory_size) == CUDA_SUCCESS && allocate(memory);
    words = static_cast<unsigned*>(host);
    if (good) std::memset(host, 0, 2 * memory_size);
    return good;
  }
  bool allocate(CUdeviceptr& address) const {
    return cuMemAllocAsync(&address, memory_size, stream) == CUDA_SUCCESS &&
           cuMemsetD8Async(address, 1, memory_size, stream) == CUDA_SUCCESS &&
           cuStreamSynchronize(stream) == CUDA_SUCCESS;
  }
  bool close_gate() const {
    return cuStreamWaitValue32(stream, reinterpret_cast<CUdeviceptr>(words), 1, CU_STREAM_WAIT_VALUE_EQ) ==
           CUDA_SUCCESS;
  }
  void open_gate() const { std::atomic_ref(*words).store(1); }
};

int run(const std::function<int(PendingWork&)>& steps) {
  return status_in_child([&] {
    PendingWork work;
    return work.start() ? steps(work) : 98;
  });
}

TEST(FreedPoolMemory, a_copy_to_the_host_that_waits_fails_and_writes_nothing) {
  EXPECT_EQ(
      0, run([](PendingWork& p) {
        unsigned* const target = p.words + memory_size / 4;
        if (!p.close_gate() || cuMemcpyDtoHAsync(target, p.memory, memory_size, p.stream) != CUDA_SUCCESS)
          return 1;
        if (cuMemFree(p.memory) != CUDA_SUCCESS) return 2;
        p.open_gate();
        if (cuStreamSynchronize(p.stream) != CUDA_ERROR_LAUNCH_FAILED) return 3;
        if (cuMemAlloc(&p.own, memory_size) != CUDA_ERROR_LAUNCH_FAILED) return 4;
        return *target == 0 ? 0 : 5;
      }));
}

TEST(FreedPoolMemory, a_copy_for_which_the_program_waits_returns_the_failure) {
  EXPECT_EQ(
      0, run([](PendingWork& p) {
        if (!p.close_gate() || cuMemcpyDtoDAsync(p.memory, p.own, memory_size, p.stream) != CUDA_SUCCESS)
          return 1;
        if (cuMemFree(p.memory) != CUDA_SUCCESS) return 2;
        p.open_gate();
        unsigned value = 0;
        return cuMemcpyDtoHAsync(&value, p.own, 4, p.stream) == CUDA_ERROR_LAUNCH_FAILED ? 0 : 3;
      }));
}

TEST(FreedPoolMemory, who_asks_for_an_event_behind_it_finds_the_failure) {
  EXPECT_EQ(0, run([](PendingWork& p) {
              CUevent event = nullptr;
              if (cuEventCreate(&event, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS) return 1;
              if (!p.close_gate() || cuMemsetD8Async(p.memory, 2, memory_size, p.stream) != CUDA_SUCCESS)
                return 2;
              if (cuEventRecord(event, p.stream) != CUDA_SUCCESS) return 3;
              if (cuMemFree(p.memory) != CUDA_SUCCESS) return 4;
              p.open_gate();
              while (cuEventQuery(event) == CUDA_ERROR_NOT_READY) std::this_thread::yield();
              return cuEventQuery(event) == CUDA_ERROR_LAUNCH_FAILED ? 0 : 5;
            }));
}

TEST(FreedPoolMemory, a_program_that_only_asks_for_the_stream_finds_the_failure) {
  EXPECT_EQ(0, run([](PendingWork& p) {
              if (!p.close_gate() || cuMemsetD8Async(p.memory, 2, memory_size, p.stream) != CUDA_SUCCESS)
                return 1;
              if (cuMemFree(p.memory) != CUDA_SUCCESS) return 2;
              p.open_gate();
              CUresult result = CUDA_ERROR_NOT_READY;
              while (result == CUDA_ERROR_NOT_READY) result = cuStreamQuery(p.stream);
              return result == CUDA_ERROR_LAUNCH_FAILED ? 0 : 3;
            }));
}

TEST(FreedPoolMemory, work_of_another_stream_goes_on_until_the_failure_is_found) {
  EXPECT_EQ(0, run([](PendingWork& p) {
              if (!p.close_gate() || cuMemsetD8Async(p.memory, 2, memory_size, p.stream) != CUDA_SUCCESS)
                return 1;
              if (cuMemFree(p.memory) != CUDA_SUCCESS) return 2;
              p.open_gate();
              std::this_thread::sleep_for(std::chrono::milliseconds(50));
              if (cuMemsetD8Async(p.own, 7, memory_size, p.other) != CUDA_SUCCESS) return 3;
              if (cuStreamSynchronize(p.other) != CUDA_SUCCESS) return 4;
              return cuStreamSynchronize(p.stream) == CUDA_ERROR_LAUNCH_FAILED ? 0 : 5;
            }));
}

// As it is where the release threshold says that the pool keeps it.
TEST(FreedPoolMemory, what_the_pool_keeps_can_still_be_written) {
  EXPECT_EQ(0, run([](PendingWork& p) {
              CUmemoryPool pool = nullptr;
              cuuint64_t all = ~cuuint64_t{0};
              if (cuDeviceGetDefaultMemPool(&pool, 0) != CUDA_SUCCESS ||
                  cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all) != CUDA_SUCCESS)
                return 1;
              if (!p.close_gate() || cuMemsetD8Async(p.memory, 2, memory_size, p.stream) != CUDA_SUCCESS)
                return 2;
              if (cuMemFree(p.memory) != CUDA_SUCCESS) return 3;
              p.open_gate();
              return cuStreamSynchronize(p.stream) == CUDA_SUCCESS ? 0 : 4;
            }));
}

TEST(FreedPoolMemory, work_that_could_have_begun_is_done_before) {
  EXPECT_EQ(0, run([](PendingWork& p) {
              for (int round = 0; round < 50; ++round) {
                *p.words = 0;
                if (!p.close_gate() || cuMemsetD8Async(p.memory, 2, memory_size, p.stream) != CUDA_SUCCESS)
                  return 1;
                p.open_gate();
                if (cuMemFree(p.memory) != CUDA_SUCCESS) return 2;
                if (cuStreamSynchronize(p.stream) != CUDA_SUCCESS) return 3;
                if (!p.allocate(p.memory)) return 4;
              }
              return 0;
            }));
}

}  // namespace
