// SPDX-License-Identifier: MIT
// Streams, graphs and what is done in them, where the program has no memory: done in order, or not enqueued.
#include "driver_memory.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace without_memory {
namespace {

TEST_F(WithoutMemory, streams_and_events_are_made_or_not_and_destroyed) {
  CUstream stream = nullptr;
  CUevent event = nullptr;
  fails_once({.call = [&] { return cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING); },
              .undo = [&] { ok(cuStreamDestroy(stream)); }});
  fails_once({.call = [&] { return cuEventCreate(&event, CU_EVENT_DEFAULT); },
              .undo = [&] { ok(cuEventDestroy(event)); }});
}

// A launch, a copy, a fill, a host function and events, and what waits for them. The first launch of a
// context starts a process.
class Work {
 public:
  explicit Work(CUfunction add) : add_(add) {}

  void begin() {
    const std::uint32_t none = 0;
    ok(cuMemAlloc(&memory_, 4));
    ok(cuMemcpyHtoD(memory_, &none, 4));
    ok(cuStreamCreate(&first_, CU_STREAM_NON_BLOCKING));
    ok(cuStreamCreate(&second_, CU_STREAM_DEFAULT));
    ok(cuEventCreate(&event_, CU_EVENT_DISABLE_TIMING));
    called_ = 0;
  }
  CUresult work() {
    static constexpr std::uint32_t forty = 40;
    std::uint32_t what = 2;
    void* arguments[] = {&memory_, &what};
    const auto count = [](void* called) { ++*static_cast<std::atomic<int>*>(called); };
    if (const CUresult error = cuMemcpyHtoDAsync(memory_, &forty, 4, first_)) return error;
    if (const CUresult error = cuLaunchHostFunc(first_, count, &called_)) return error;
    if (const CUresult error = cuLaunchKernel(add_, 1, 1, 1, 1, 1, 1, 0, first_, arguments, nullptr))
      return error;
    if (const CUresult error = cuEventRecord(event_, first_)) return error;
    if (const CUresult error = cuStreamWaitEvent(second_, event_, 0)) return error;
    if (const CUresult error = cuLaunchKernel(add_, 1, 1, 1, 1, 1, 1, 0, second_, arguments, nullptr))
      return error;
    if (const CUresult error = cuMemsetD8Async(memory_ + 2, 0, 2, second_)) return error;
    if (const CUresult error = cuStreamSynchronize(second_)) return error;
    return cuCtxSynchronize();
  }
  void is_done() {
    std::uint32_t now = 0;
    ok(cuMemcpyDtoH(&now, memory_, 4));
    EXPECT_EQ(44U, now);
    EXPECT_EQ(1, called_);
    end();
  }
  void end() {
    ok(cuCtxSynchronize());
    ok(cuEventDestroy(event_));
    ok(cuStreamDestroy(first_));
    ok(cuStreamDestroy(second_));
    ok(cuMemFree(memory_));
  }

 private:
  CUfunction add_;
  CUdeviceptr memory_ = 0;
  CUstream first_ = nullptr;
  CUstream second_ = nullptr;
  CUevent event_ = nullptr;
  std::atomic<int> called_{0};
};

TEST_F(WithoutMemory, work_is_done_in_order_or_not_enqueued) {
  Work work(usual_->add());
  for (const Whose whose : {Whose::OwnThread, Whose::AnyThread}) {
    fails_once({.before = [&] { work.begin(); },
                .call = [&] { return work.work(); },
                .undo = [&] { work.is_done(); },
                .had_failed = [&] { work.end(); }},
               whose);
  }
}

TEST_F(WithoutMemory, a_contexts_first_launch_is_made_or_not) {
  CUcontext made = nullptr;
  std::optional<Usual> there;
  for (const Whose whose : {Whose::OwnThread, Whose::AnyThread}) {
    fails_once({.before =
                    [&] {
                      ok(cuCtxCreate(&made, nullptr, 0, 0));
                      there.emplace();
                    },
                .call =
                    [&] {
                      CUdeviceptr memory = 0;
                      std::uint32_t what = 1;
                      void* arguments[] = {&memory, &what};
                      if (const CUresult error = cuMemAlloc(&memory, 4)) return error;
                      if (const CUresult error =
                              cuLaunchKernel(there->add(), 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr))
                        return error;
                      return cuCtxSynchronize();
                    },
                .undo =
                    [&] {
                      there->works();
                      there.reset();
                      ok(cuCtxDestroy(made));
                    },
                .had_failed =
                    [&] {
                      there->works();
                      there.reset();
                      ok(cuCtxDestroy(made));
                    }},
               whose);
  }
}

TEST_F(WithoutMemory, a_graph_is_made_and_launched_or_not) {
  CUgraph graph = nullptr;
  CUgraph copy = nullptr;
  CUgraphExec executable = nullptr;
  CUgraphNode first = nullptr;
  CUgraphNode second = nullptr;
  CUdeviceptr memory = 0;
  ok(cuMemAlloc(&memory, 4));
  std::uint32_t what = 2;
  void* arguments[] = {&memory, &what};
  CUDA_KERNEL_NODE_PARAMS kernel{};
  kernel.func = usual_->add();
  kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = 1;
  kernel.blockDimX = kernel.blockDimY = kernel.blockDimZ = 1;
  kernel.kernelParams = arguments;
  CUDA_HOST_NODE_PARAMS host{[](void*) {}, nullptr};
  const auto nodes = [&] {
    std::size_t count = 0;
    ok(cuGraphGetNodes(graph, nullptr, &count));
    return count;
  };
  const auto destroy = [&] { ok(cuGraphDestroy(graph)); };
  const auto make = [&] {
    ok(cuGraphCreate(&graph, 0));
    ok(cuGraphAddKernelNode(&first, graph, nullptr, 0, &kernel));
    ok(cuGraphAddHostNode(&second, graph, &first, 1, &host));
  };
  fails_once({.call = [&] { return cuGraphCreate(&graph, 0); }, .undo = destroy});
  fails_once({.before =
                  [&] {
                    ok(cuGraphCreate(&graph, 0));
                    ok(cuGraphAddHostNode(&second, graph, nullptr, 0, &host));
                  },
              .call = [&] { return cuGraphAddKernelNode(&first, graph, &second, 1, &kernel); },
              .undo =
                  [&] {
                    EXPECT_EQ(2U, nodes());
                    destroy();
                  },
              .had_failed =
                  [&] {
                    EXPECT_EQ(1U, nodes());
                    destroy();
                  }});
  fails_once({.before = make,
              .call = [&] { return cuGraphInstantiate(&executable, graph, 0); },
              .undo =
                  [&] {
                    ok(cuGraphExecDestroy(executable));
                    destroy();
                  },
              .had_failed = destroy});
  fails_once({.before = make,
              .call = [&] { return cuGraphClone(&copy, graph); },
              .undo =
                  [&] {
                    ok(cuGraphDestroy(copy));
                    destroy();
                  },
              .had_failed = destroy});
  for (const Whose whose : {Whose::OwnThread, Whose::AnyThread}) {
    fails_once({.before =
                    [&] {
                      make();
                      ok(cuGraphInstantiate(&executable, graph, 0));
                      ok(cuMemsetD32(memory, 40, 1));
                    },
                .call =
                    [&] {
                      if (const CUresult error = cuGraphLaunch(executable, nullptr)) return error;
                      return cuStreamSynchronize(nullptr);
                    },
                .undo =
                    [&] {
                      std::uint32_t now = 0;
                      ok(cuMemcpyDtoH(&now, memory, 4));
                      EXPECT_EQ(42U, now);
                      ok(cuGraphExecDestroy(executable));
                      destroy();
                    },
                .had_failed =
                    [&] {
                      ok(cuGraphExecDestroy(executable));
                      destroy();
                    }},
               whose);
  }
  ok(cuMemFree(memory));
}

TEST_F(WithoutMemory, a_graphs_memory_comes_and_goes_or_not) {
  CUgraph graph = nullptr;
  CUgraph other = nullptr;
  CUgraphExec executable = nullptr;
  CUgraphNode allocates = nullptr;
  CUgraphNode frees = nullptr;
  CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
  parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  parameters.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  parameters.bytesize = 5000;
  const auto nodes = [&] {
    std::size_t count = 0;
    ok(cuGraphGetNodes(graph, nullptr, &count));
    return count;
  };
  const auto destroy = [&] { ok(cuGraphDestroy(graph)); };
  const auto create = [&] { ok(cuGraphCreate(&graph, 0)); };
  const auto allocate = [&] { return cuGraphAddMemAllocNode(&allocates, graph, nullptr, 0, &parameters); };
  const auto free = [&] { return cuGraphAddMemFreeNode(&frees, graph, &allocates, 1, parameters.dptr); };
  const auto created_with_memory = [&] {
    create();
    ok(allocate());
  };
  const auto made = [&] {
    created_with_memory();
    ok(free());
  };
  const auto instantiated = [&] {
    made();
    ok(cuGraphInstantiate(&executable, graph, 0));
  };
  const auto ended = [&] {
    ok(cuGraphExecDestroy(executable));
    destroy();
  };
  fails_once({.before = create, .call = allocate, .undo = destroy, .had_failed = [&] {
                EXPECT_EQ(0U, nodes());
                destroy();
              }});
  // What failed can be done again: nothing was noted of it.
  fails_once({.before = created_with_memory, .call = free, .undo = destroy, .had_failed = [&] {
                EXPECT_EQ(1U, nodes());
                ok(free());
                destroy();
              }});
  fails_once({.before = made,
              .call = [&] { return cuGraphInstantiate(&executable, graph, 0); },
              .undo = ended,
              .had_failed =
                  [&] {
                    ok(cuGraphInstantiate(&executable, graph, 0));
                    ended();
                  }});
  for (const Whose whose : {Whose::OwnThread, Whose::AnyThread}) {
    fails_once({.before = instantiated,
                .call =
                    [&] {
                      if (const CUresult error = cuGraphLaunch(executable, nullptr)) return error;
                      return cuStreamSynchronize(nullptr);
                    },
                .undo = ended,
                .had_failed =
                    [&] {
                      ok(cuGraphLaunch(executable, nullptr));
                      ok(cuStreamSynchronize(nullptr));
                      ended();
                    }},
               whose);
  }
  // Left awake by one graph, freed by another.
  fails_once({.before =
                  [&] {
                    created_with_memory();
                    ok(cuGraphInstantiate(&executable, graph, 0));
                    ok(cuGraphLaunch(executable, nullptr));
                    ok(cuGraphCreate(&other, 0));
                  },
              .call = [&] { return cuGraphAddMemFreeNode(&frees, other, nullptr, 0, parameters.dptr); },
              .undo =
                  [&] {
                    ok(cuGraphDestroy(other));
                    ok(cuMemFree(parameters.dptr));
                    ended();
                  },
              .had_failed =
                  [&] {
                    ok(cuGraphDestroy(other));
                    ok(cuMemFree(parameters.dptr));
                    ended();
                  }});
  fails_once({.before = instantiated,
              .call = [&] { return cuDeviceGraphMemTrim(0); },
              .undo = ended,
              .had_failed = ended,
              .needs_memory = false});
}

TEST_F(WithoutMemory, memory_is_allocated_and_freed_in_a_capture_or_not) {
  CUstream stream = nullptr;
  CUgraph graph = nullptr;
  CUdeviceptr memory = 0;
  ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  const auto begin = [&] { ok(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED)); };
  const auto end = [&] {
    graph = nullptr;
    cuStreamEndCapture(stream, &graph);
    if (graph == nullptr) return;
    ok(cuGraphDestroy(graph));
  };
  fails_once({.before = begin,
              .call = [&] { return cuMemAllocAsync(&memory, 5000, stream); },
              .undo = end,
              .had_failed = end});
  fails_once({.before =
                  [&] {
                    begin();
                    ok(cuMemAllocAsync(&memory, 5000, stream));
                  },
              .call = [&] { return cuMemFreeAsync(memory, stream); },
              .undo = end,
              .had_failed =
                  [&] {
                    ok(cuMemFreeAsync(memory, stream));
                    end();
                  }});
  ok(cuStreamDestroy(stream));
}

TEST_F(WithoutMemory, a_graph_is_drawn_whole_or_not) {
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  ok(cuGraphCreate(&graph, 0));
  for (int i = 0; i < 5; ++i) ok(cuGraphAddEmptyNode(&node, graph, i == 0 ? nullptr : &node, i == 0 ? 0 : 1));
  const std::string path = ::testing::TempDir() + "faults_graph_" + std::to_string(getpid()) + ".dot";
  const auto text = [&] {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  ok(cuGraphDebugDotPrint(graph, path.c_str(), 0));
  const std::string whole = text();
  EXPECT_TRUE(whole.ends_with("}\n"));
  const auto there_or_not = [&] {
    EXPECT_TRUE(text().empty() || text() == whole) << text();
    std::remove(path.c_str());
  };
  fails_once({.call = [&] { return cuGraphDebugDotPrint(graph, path.c_str(), 0); },
              .undo = [&] { EXPECT_EQ(whole, text()); },
              .had_failed = there_or_not});
  std::remove(path.c_str());
  ok(cuGraphDestroy(graph));
}

TEST_F(WithoutMemory, all_edges_of_a_call_come_or_none) {
  CUgraph graph = nullptr;
  CUgraphNode nodes[5];
  CUgraphNode* const from = nodes;
  CUgraphNode* const to = nodes + 1;
  const CUDA_HOST_NODE_PARAMS host{[](void*) {}, nullptr};
  const auto edges = [&] {
    std::size_t count = 0;
    ok(cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    return count;
  };
  const auto end = [&](std::size_t expected) {
    EXPECT_EQ(expected, edges());
    ok(cuGraphDestroy(graph));
  };
  fails_once({.before =
                  [&] {
                    ok(cuGraphCreate(&graph, 0));
                    for (CUgraphNode& node : nodes) ok(cuGraphAddHostNode(&node, graph, nullptr, 0, &host));
                  },
              .call = [&] { return cuGraphAddDependencies(graph, from, to, nullptr, 4); },
              .undo = [&] { end(4); },
              .had_failed = [&] { end(0); }});
}

TEST_F(WithoutMemory, a_batch_of_copies_says_which_one_was_not_enqueued) {
  CUstream stream = nullptr;
  ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  constexpr std::size_t count = 3;
  CUdeviceptr memory = 0;
  ok(cuMemAlloc(&memory, 8 * count));
  CUdeviceptr from[count];
  CUdeviceptr to[count];
  std::size_t sizes[count] = {4, 4, 4};
  for (std::size_t at = 0; at < count; ++at) {
    from[at] = memory + 4 * at;
    to[at] = from[at] + 4 * count;
  }
  CUmemcpyAttributes attributes{};
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  std::size_t first = 0;
  std::size_t failed = 0;
  // The copies are queued after this one, so that each of them needs room in the queue.
  static std::atomic<bool> go;
  // The form of before CUDA 13, which says where it failed.
  CUresult (*batch)(CUdeviceptr*, CUdeviceptr*, std::size_t*, std::size_t, CUmemcpyAttributes*, std::size_t*,
                    std::size_t, std::size_t*, CUstream) = nullptr;
  ok(cuGetProcAddress("cuMemcpyBatchAsync", reinterpret_cast<void**>(&batch), 12080,
                      CU_GET_PROC_ADDRESS_DEFAULT, nullptr));
  const auto done = [&](std::size_t expected) {
    go = true;
    go.notify_all();
    ok(cuStreamSynchronize(stream));
    std::uint32_t values[count];
    ok(cuMemcpyDtoH(values, memory + 4 * count, sizeof values));
    for (std::size_t at = 0; at < count; ++at) EXPECT_EQ(at < expected ? 7U : 0U, values[at]) << at;
  };
  fails_once({.before =
                  [&] {
                    ok(cuMemsetD32(memory, 7, count));
                    ok(cuMemsetD32(memory + 4 * count, 0, count));
                    go = false;
                    ok(cuLaunchHostFunc(stream, [](void*) { go.wait(false); }, nullptr));
                  },
              .call = [&] { return batch(to, from, sizes, count, &attributes, &first, 1, &failed, stream); },
              .undo = [&] { done(count); },
              .had_failed = [&] { done(failed); }});
  ok(cuStreamDestroy(stream));
  ok(cuMemFree(memory));
}

TEST_F(WithoutMemory, a_capture_begins_records_and_ends_or_not) {
  CUstream stream = nullptr;
  CUgraph graph = nullptr;
  ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  const auto over = [&] {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    ok(cuStreamIsCapturing(stream, &status));
    if (status == CU_STREAM_CAPTURE_STATUS_NONE) return;
    CUgraph rest = nullptr;
    cuStreamEndCapture(stream, &rest);
    if (rest == nullptr) return;
    ok(cuGraphDestroy(rest));
  };
  fails_once({.call = [&] { return cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED); },
              .undo = over,
              .had_failed = over});
  fails_once({.before = [&] { ok(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED)); },
              .call = [&] { return cuLaunchHostFunc(stream, [](void*) {}, nullptr); },
              .undo = over,
              .had_failed = over});
  fails_once({.before =
                  [&] {
                    ok(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
                    ok(cuLaunchHostFunc(stream, [](void*) {}, nullptr));
                  },
              .call = [&] { return cuStreamEndCapture(stream, &graph); },
              .undo = [&] { ok(cuGraphDestroy(graph)); },
              .had_failed = over});
  ok(cuStreamDestroy(stream));
}

TEST_F(WithoutMemory, a_graph_keeps_a_programs_object_or_not) {
  CUgraph graph = nullptr;
  CUuserObject object = nullptr;
  static int ended = 0;
  const auto end = [](void*) { ++ended; };
  const auto make = [&] {
    ended = 0;
    ok(cuGraphCreate(&graph, 0));
    ok(cuUserObjectCreate(&object, nullptr, end, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  };
  const auto release = [&] {
    ok(cuGraphDestroy(graph));
    EXPECT_EQ(0, ended);
    ok(cuUserObjectRelease(object, 1));
    EXPECT_EQ(1, ended);
  };
  fails_once({.before = make,
              .call = [&] { return cuGraphRetainUserObject(graph, object, 1, 0); },
              .undo = release,
              .had_failed = release});
}

TEST_F(WithoutMemory, an_event_for_others_is_recorded_or_not_and_nobody_waits_for_ever) {
  CUevent event = nullptr;
  const auto make = [&] { ok(cuEventCreate(&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING)); };
  const auto end = [&] {
    ok(cuEventSynchronize(event));
    ok(cuEventDestroy(event));
  };
  fails_once({.before =
                  [&] {
                    make();
                    ok(cuLaunchHostFunc(nullptr, [](void*) {}, nullptr));
                  },
              .call = [&] { return cuEventRecord(event, nullptr); },
              .undo = end,
              .had_failed = end});
}

}  // namespace
}  // namespace without_memory
