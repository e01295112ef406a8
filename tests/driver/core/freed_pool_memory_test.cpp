// SPDX-License-Identifier: MIT
// Memory of a pool that is freed by cuMemFree while work that would use it waits in a stream. What an H200
// returned by the kind of work and the place of the memory is in truth/ (h200_driver_freed_pools.jsonl); here
// are who finds the failure, what the work leaves undone, and memory that was given back and taken again.
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
        return cuMemcpyDtoHAsync(&value, p.own, 4, p.stream) == CUDA_ERROR_ILLEGAL_ADDRESS ? 0 : 3;
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

constexpr std::size_t chunk = 32U << 20;

// As truth place_copy_to_host_32760 and 32764, which lie on either side of the border.
TEST(FreedPoolMemory, work_over_the_border_of_what_the_pool_keeps_fails_and_writes_nothing) {
  EXPECT_EQ(0, run([](PendingWork& p) {
              unsigned* const target = p.words + memory_size / 4;
              CUdeviceptr large = 0;
              if (cuMemAllocAsync(&large, 2 * chunk, p.stream) != CUDA_SUCCESS || large % chunk == 0)
                return 1;
              const CUdeviceptr border = (large / chunk + 1) * chunk;
              if (cuMemsetD8Async(large, 1, 2 * chunk, p.stream) != CUDA_SUCCESS ||
                  cuStreamSynchronize(p.stream) != CUDA_SUCCESS)
                return 2;
              if (!p.close_gate() ||
                  cuMemcpyDtoHAsync(target, border - memory_size / 2, memory_size, p.stream) != CUDA_SUCCESS)
                return 3;
              if (cuMemFree(large) != CUDA_SUCCESS) return 4;
              p.open_gate();
              if (cuStreamSynchronize(p.stream) != CUDA_ERROR_LAUNCH_FAILED) return 5;
              return *target == 0 ? 0 : 6;
            }));
}

// The pool keeps the memory for its neighbour until that is freed, too.
TEST(FreedPoolMemory, the_last_neighbour_that_is_freed_takes_the_memory_along) {
  EXPECT_EQ(0, run([](PendingWork& p) {
              CUdeviceptr neighbour = 0;
              if (!p.allocate(neighbour)) return 1;
              if (!p.close_gate() || cuMemsetD8Async(p.memory, 2, memory_size, p.stream) != CUDA_SUCCESS)
                return 2;
              if (cuMemFree(p.memory) != CUDA_SUCCESS || cuMemFree(neighbour) != CUDA_SUCCESS) return 3;
              p.open_gate();
              return cuStreamSynchronize(p.stream) == CUDA_ERROR_LAUNCH_FAILED ? 0 : 4;
            }));
}

TEST(FreedPoolMemory, an_allocation_of_another_context_keeps_the_memory_too) {
  EXPECT_EQ(0, run([](PendingWork& p) {
              CUcontext second = nullptr;
              CUstream its_stream = nullptr;
              CUdeviceptr neighbour = 0;
              if (cuCtxCreate(&second, nullptr, 0, 0) != CUDA_SUCCESS ||
                  cuStreamCreate(&its_stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS ||
                  cuMemAllocAsync(&neighbour, memory_size, its_stream) != CUDA_SUCCESS ||
                  cuCtxSetCurrent(p.context) != CUDA_SUCCESS)
                return 1;
              if (neighbour / chunk != p.memory / chunk) return 2;
              if (!p.close_gate() || cuMemsetD8Async(p.memory, 2, memory_size, p.stream) != CUDA_SUCCESS)
                return 3;
              if (cuMemFree(p.memory) != CUDA_SUCCESS) return 4;
              p.open_gate();
              return cuStreamSynchronize(p.stream) == CUDA_SUCCESS ? 0 : 5;
            }));
}

TEST(FreedPoolMemory, a_graph_can_use_the_address_when_it_is_allocated_again) {
  EXPECT_EQ(
      0, run([](PendingWork& p) {
        CUgraph graph = nullptr;
        CUgraphNode node = nullptr;
        CUgraphExec exec = nullptr;
        CUDA_MEMSET_NODE_PARAMS fill{};
        fill.dst = p.memory, fill.value = 9, fill.elementSize = 1, fill.width = memory_size, fill.height = 1;
        if (cuGraphCreate(&graph, 0) != CUDA_SUCCESS ||
            cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, p.context) != CUDA_SUCCESS ||
            cuGraphInstantiate(&exec, graph, 0) != CUDA_SUCCESS)
          return 1;
        const CUdeviceptr before = p.memory;
        if (cuMemFree(p.memory) != CUDA_SUCCESS || !p.allocate(p.memory) || p.memory != before) return 2;
        if (cuGraphLaunch(exec, p.stream) != CUDA_SUCCESS || cuStreamSynchronize(p.stream) != CUDA_SUCCESS)
          return 3;
        unsigned char value = 0;
        return cuMemcpyDtoH(&value, p.memory, 1) == CUDA_SUCCESS && value == 9 ? 0 : 4;
      }));
}

TEST(FreedPoolMemory, cuMemAlloc_can_take_what_the_pool_gave_back) {
  EXPECT_EQ(0, run([](PendingWork& p) {
              const CUdeviceptr before = p.memory;
              CUdeviceptr taken = 0;
              if (cuMemFree(p.memory) != CUDA_SUCCESS) return 1;
              while (taken < before)
                if (cuMemAlloc(&taken, chunk) != CUDA_SUCCESS) return 2;
              if (taken - before >= chunk) return 3;
              if (cuMemsetD8(taken, 3, chunk) != CUDA_SUCCESS || cuCtxSynchronize() != CUDA_SUCCESS) return 4;
              unsigned char value = 0;
              return cuMemcpyDtoH(&value, taken, 1) == CUDA_SUCCESS && value == 3 ? 0 : 5;
            }));
}

// Less than a chunk may be left for its end.
TEST(FreedPoolMemory, a_pool_can_have_all_that_is_left_of_a_device) {
  EXPECT_EQ(0, run([](PendingWork& p) {
              std::size_t left = 0, after = 0;
              CUdeviceptr odd = 0, rest = 0;
              if (cuMemAlloc(&odd, 6U << 20) != CUDA_SUCCESS || cuMemGetInfo(&left, nullptr) != CUDA_SUCCESS)
                return 1;
              if (left % chunk == 0) return 2;
              if (cuMemAllocAsync(&rest, left, p.stream) != CUDA_SUCCESS) return 3;
              if (cuMemsetD8(rest + left - 1, 4, 1) != CUDA_SUCCESS) return 4;
              if (cuMemFreeAsync(rest, p.stream) != CUDA_SUCCESS ||
                  cuStreamSynchronize(p.stream) != CUDA_SUCCESS || cuCtxSynchronize() != CUDA_SUCCESS)
                return 5;
              return cuMemGetInfo(&after, nullptr) == CUDA_SUCCESS && after == left ? 0 : 6;
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
