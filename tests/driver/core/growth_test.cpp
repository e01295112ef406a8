// SPDX-License-Identifier: MIT
// Ten times as many objects take about ten times as long to make and to end, whatever else there is.
#include <ctime>
#include <functional>
#include <vector>

#include "support.hpp"

namespace {

const char* const small_code =
    ".version 7.0\n.target sm_52\n.address_size 64\n.visible .global .u32 g;\n.visible .entry k() { ret; }\n";

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

class Growth : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    ONLY_ON_THE_EMBEDDED_DRIVER();
    make_context();
  }

  template <typename Handle>
  static void is_in_proportion(const std::function<CUresult(Handle*)>& make,
                               const std::function<CUresult(Handle)>& end, std::size_t count_of_few = 3000) {
    const auto seconds = [&](std::size_t count) {
      std::vector<Handle> made(count);
      const double before = processor_seconds();
      for (Handle& each : made) EXPECT_OK(make(&each));
      for (const Handle each : made) EXPECT_OK(end(each));
      return processor_seconds() - before;
    };
    seconds(100);
    const double few = seconds(count_of_few);
    EXPECT_LT(seconds(10 * count_of_few), 40 * few);
  }
};

TEST_F(Growth, streams_are_made_and_destroyed_in_proportion) {
  is_in_proportion<CUstream>([](CUstream* made) { return cuStreamCreate(made, CU_STREAM_DEFAULT); },
                             cuStreamDestroy);
}

TEST_F(Growth, events_are_made_and_destroyed_in_proportion) {
  is_in_proportion<CUevent>([](CUevent* made) { return cuEventCreate(made, CU_EVENT_DEFAULT); },
                            cuEventDestroy);
}

TEST_F(Growth, modules_are_loaded_and_unloaded_in_proportion) {
  is_in_proportion<CUmodule>([](CUmodule* made) { return cuModuleLoadData(made, small_code); },
                             cuModuleUnload);
}

TEST_F(Growth, libraries_are_loaded_and_unloaded_in_proportion) {
  is_in_proportion<CUlibrary>(
      [](CUlibrary* made) {
        return cuLibraryLoadData(made, small_code, nullptr, nullptr, 0, nullptr, nullptr, 0);
      },
      cuLibraryUnload);
}

// Most have few allocations: what ending one costs is not a matter of what all others have.
TEST_F(Growth, contexts_are_made_and_destroyed_in_proportion) {
  is_in_proportion<CUcontext>(
      [](CUcontext* made) {
        CUdeviceptr memory = 0;
        if (const CUresult error = cuCtxCreate(made, nullptr, 0, 0)) return error;
        if (const CUresult error = cuMemHostAlloc(reinterpret_cast<void**>(&memory), 100, 0)) return error;
        return cuCtxPopCurrent(nullptr);
      },
      cuCtxDestroy, 500);
}

class GraphGrowth : public Growth {
 protected:
  void SetUp() override {
    Growth::SetUp();
    EXPECT_OK(cuGraphCreate(&graph_, 0));
  }
  void TearDown() override {
    EXPECT_OK(cuGraphDestroy(graph_));
    Growth::TearDown();
  }
  CUgraph graph_ = nullptr;
};

TEST_F(GraphGrowth, nodes_are_made_and_destroyed_in_proportion) {
  is_in_proportion<CUgraphNode>(
      [&](CUgraphNode* made) { return cuGraphAddEmptyNode(made, graph_, nullptr, 0); }, cuGraphDestroyNode);
}

TEST_F(GraphGrowth, nodes_before_and_behind_one_node_are_made_and_destroyed_in_proportion) {
  CUgraphNode middle = nullptr;
  EXPECT_OK(cuGraphAddEmptyNode(&middle, graph_, nullptr, 0));
  is_in_proportion<CUgraphNode>(
      [&](CUgraphNode* made) { return cuGraphAddEmptyNode(made, graph_, &middle, 1); }, cuGraphDestroyNode);
  is_in_proportion<CUgraphNode>(
      [&](CUgraphNode* made) {
        if (const CUresult error = cuGraphAddEmptyNode(made, graph_, nullptr, 0)) return error;
        return cuGraphAddDependencies(graph_, made, &middle, nullptr, 1);
      },
      [&](CUgraphNode made) {
        if (const CUresult error = cuGraphRemoveDependencies(graph_, &made, &middle, nullptr, 1))
          return error;
        return cuGraphDestroyNode(made);
      });
}

TEST_F(GraphGrowth, a_node_with_many_dependencies_is_made_in_proportion_to_them) {
  std::vector<CUgraphNode> nodes;
  const auto seconds = [&](std::size_t count) {
    while (nodes.size() < count) EXPECT_OK(cuGraphAddEmptyNode(&nodes.emplace_back(), graph_, nullptr, 0));
    CUgraphNode made = nullptr;
    const double before = processor_seconds();
    for (std::size_t done = 0; done < 30000; done += count)
      EXPECT_OK(cuGraphAddEmptyNode(&made, graph_, nodes.data(), count));
    return processor_seconds() - before;
  };
  seconds(100);
  const double few = seconds(3000);
  EXPECT_LT(seconds(30000), 4 * few);
}

TEST_F(GraphGrowth, nodes_that_free_memory_are_made_in_proportion) {
  CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
  parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  parameters.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  parameters.bytesize = 4;
  CUgraphNode node = nullptr;
  const auto seconds = [&](int count) {
    const double before = processor_seconds();
    for (int made = 0; made < count; ++made) {
      EXPECT_OK(cuGraphAddMemAllocNode(&node, graph_, nullptr, 0, &parameters));
      EXPECT_OK(cuGraphAddMemFreeNode(&node, graph_, &node, 1, parameters.dptr));
    }
    return processor_seconds() - before;
  };
  seconds(100);
  const double few = seconds(1000);
  EXPECT_LT(seconds(10000), 40 * few);
}

}  // namespace
