// SPDX-License-Identifier: MIT
// Capture of a stream's work into a graph: what becomes part of it, what ends it, and what it forbids
// meanwhile. Must not depend on how graphs run.
#include <thread>

#include "graph_support.hpp"

namespace conformance {
namespace {

constexpr CUstreamCaptureMode kGlobal = CU_STREAM_CAPTURE_MODE_GLOBAL;
constexpr CUstreamCaptureMode kRelaxed = CU_STREAM_CAPTURE_MODE_RELAXED;
constexpr CUstreamCaptureMode kOfThread = CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;

CUstreamCaptureStatus status_of(CUstream stream) {
  CUstreamCaptureStatus status{};
  SUCCEEDS(cuStreamIsCapturing(stream, &status));
  return status;
}

std::size_t node_count(CUgraph graph) {
  std::size_t count = 99;
  SUCCEEDS(cuGraphGetNodes(graph, nullptr, &count));
  return count;
}

TEST(capture, takes_up_work_instead_of_doing_it) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(64);
  CUstream const stream = make_stream();
  CUgraph graph = nullptr;
  EQUAL(CU_STREAM_CAPTURE_STATUS_NONE, status_of(stream));
  SUCCEEDS(cuStreamBeginCapture(stream, kGlobal));
  EQUAL(CU_STREAM_CAPTURE_STATUS_ACTIVE, status_of(stream));
  SUCCEEDS(cuMemsetD32Async(p, 4, 1, stream));
  SUCCEEDS(launch(module.function("add"), {.stream = stream}, p, 17U));
  SUCCEEDS(launch(module.function("multiply"), {.stream = stream}, p, 2U));
  SUCCEEDS(cuMemcpyDtoDAsync(p + 32, p, 4, stream));
  SUCCEEDS(cuStreamEndCapture(stream, &graph));
  NEEDS(graph != nullptr ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN);
  EQUAL(CU_STREAM_CAPTURE_STATUS_NONE, status_of(stream));
  EQUAL(0, read<int>(p));
  EQUAL(4, node_count(graph));
  EQUAL(3, edge_count(graph));
  CUgraphExec executable = nullptr;
  NEEDS(cuGraphInstantiate(&executable, graph, 0));
  SUCCEEDS(cuGraphLaunch(executable, stream));
  SUCCEEDS(cuStreamSynchronize(stream));
  EQUAL(42, read<int>(p + 32));
  SUCCEEDS(cuGraphDestroy(graph));
}

TEST(capture, streams_joined_by_events_fork_and_come_back) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(64);
  CUstream const stream = make_stream(), branch = make_stream();
  CUevent const fork = make_event(CU_EVENT_DISABLE_TIMING), join = make_event(CU_EVENT_DISABLE_TIMING);
  CUfunction const add = module.function("add");
  SUCCEEDS(cuStreamBeginCapture(stream, kGlobal));
  SUCCEEDS(launch(add, {.stream = stream}, p, 1U));
  SUCCEEDS(cuEventRecord(fork, stream));
  SUCCEEDS(cuStreamWaitEvent(branch, fork, 0));
  EQUAL(CU_STREAM_CAPTURE_STATUS_ACTIVE, status_of(branch));
  SUCCEEDS(launch(add, {.stream = branch}, p + 4, 2U));
  SUCCEEDS(launch(add, {.stream = stream}, p + 8, 3U));
  SUCCEEDS(cuEventRecord(join, branch));
  SUCCEEDS(cuStreamWaitEvent(stream, join, 0));
  SUCCEEDS(launch(add, {.stream = stream}, p + 12, 4U));
  CUgraph graph = nullptr;
  NEEDS(cuStreamEndCapture(stream, &graph));
  EQUAL(CU_STREAM_CAPTURE_STATUS_NONE, status_of(branch));
  EQUAL(4, node_count(graph));
  EQUAL(4, edge_count(graph));
  CUgraphExec executable = nullptr;
  NEEDS(cuGraphInstantiate(&executable, graph, 0));
  SUCCEEDS(cuGraphLaunch(executable, stream));
  SUCCEEDS(cuStreamSynchronize(stream));
  const auto words = read_many<int>(p, 4);
  EQUAL(1 + 2 + 3 + 4, words[0] + words[1] + words[2] + words[3]);
}

TEST(capture, a_branch_that_never_returns_spoils_it) {
  const Context context;
  const Module module;
  CUstream const stream = make_stream(), branch = make_stream();
  CUevent const fork = make_event();
  CUgraph graph = nullptr;
  SUCCEEDS(cuStreamBeginCapture(stream, kGlobal));
  SUCCEEDS(cuEventRecord(fork, stream));
  SUCCEEDS(cuStreamWaitEvent(branch, fork, 0));
  SUCCEEDS(launch(module.function("empty"), {.stream = branch}));
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(stream, &graph));
  HOLDS(graph == nullptr);
  EQUAL(CU_STREAM_CAPTURE_STATUS_NONE, status_of(stream));
}

TEST(capture, ends_where_it_began) {
  const Context context;
  const Module module;
  CUstream const stream = make_stream(), branch = make_stream();
  CUevent const fork = make_event();
  CUgraph graph = nullptr;
  SUCCEEDS(cuStreamBeginCapture(stream, kGlobal));
  SUCCEEDS(cuEventRecord(fork, stream));
  SUCCEEDS(cuStreamWaitEvent(branch, fork, 0));
  SUCCEEDS(launch(module.function("empty"), {.stream = branch}));
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, cuStreamEndCapture(branch, &graph));
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
}

TEST(capture, cannot_begin_on_the_legacy_stream_or_twice) {
  const Context context;
  CUstream const stream = make_stream(CU_STREAM_DEFAULT);
  CUgraph graph = nullptr;
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamBeginCapture(nullptr, kGlobal));
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamBeginCapture(CU_STREAM_LEGACY, kGlobal));
  ANSWERS(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(stream, &graph));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuStreamBeginCapture(stream, made_up<CUstreamCaptureMode>(9)));
  SUCCEEDS(cuStreamBeginCapture(stream, kGlobal));
  ANSWERS(CUDA_ERROR_ILLEGAL_STATE, cuStreamBeginCapture(stream, kGlobal));
  CUstreamCaptureStatus status{};
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, cuStreamIsCapturing(nullptr, &status));
  SUCCEEDS(cuStreamEndCapture(stream, &graph));
  EQUAL(0, node_count(graph));
  ANSWERS(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(stream, &graph));
}

// Begins, does something forbidden, and looks at what is left.
template <typename Body>
void check_that_it_spoils(CUresult expected, Body body) {
  CUstream const stream = make_stream(CU_STREAM_DEFAULT);
  CUgraph graph = nullptr;
  NEEDS(cuStreamBeginCapture(stream, kGlobal));
  ANSWERS(expected, body(stream));
  EQUAL(CU_STREAM_CAPTURE_STATUS_INVALIDATED, status_of(stream));
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
  HOLDS(graph == nullptr);
  EQUAL(CU_STREAM_CAPTURE_STATUS_NONE, status_of(stream));
}

TEST(capture, waiting_and_asking_are_forbidden_meanwhile) {
  const Context context;
  const Module module;
  check_that_it_spoils(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                       [](CUstream stream) { return cuStreamQuery(stream); });
  check_that_it_spoils(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                       [](CUstream stream) { return cuStreamSynchronize(stream); });
  check_that_it_spoils(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, [](CUstream) {
    CUdeviceptr address = 0;
    return cuMemAlloc(&address, 16);
  });
  check_that_it_spoils(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                       [&](CUstream) { return launch(module.function("empty"), {}); });
}

TEST(capture, a_captured_event_cannot_be_asked) {
  const Context context;
  CUstream const stream = make_stream();
  CUevent const event = make_event();
  CUgraph graph = nullptr;
  SUCCEEDS(cuStreamBeginCapture(stream, kGlobal));
  SUCCEEDS(cuEventRecord(event, stream));
  ANSWERS(CUDA_ERROR_CAPTURED_EVENT, cuEventQuery(event));
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
}

TEST(capture, relaxed_mode_allows_what_global_mode_forbids) {
  const Context context;
  const Module module;
  CUstream const stream = make_stream();
  CUgraph graph = nullptr;
  CUdeviceptr address = 0;
  SUCCEEDS(cuStreamBeginCapture(stream, kRelaxed));
  SUCCEEDS(cuMemAlloc(&address, 16));
  SUCCEEDS(launch(module.function("store"), {.stream = stream}, address, 1U));
  SUCCEEDS(cuStreamEndCapture(stream, &graph));
  EQUAL(1, node_count(graph));
}

TEST(capture, a_thread_can_exempt_itself) {
  const Context context;
  CUstream const stream = make_stream();
  CUgraph graph = nullptr;
  CUdeviceptr address = 0;
  CUstreamCaptureMode mode = kRelaxed;
  SUCCEEDS(cuStreamBeginCapture(stream, kGlobal));
  SUCCEEDS(cuThreadExchangeStreamCaptureMode(&mode));
  EQUAL(CU_STREAM_CAPTURE_MODE_GLOBAL, mode);
  SUCCEEDS(cuMemAlloc(&address, 16));
  SUCCEEDS(cuThreadExchangeStreamCaptureMode(&mode));
  EQUAL(CU_STREAM_CAPTURE_MODE_RELAXED, mode);
  SUCCEEDS(cuStreamEndCapture(stream, &graph));
}

TEST(capture, of_one_thread_concerns_others_only_in_global_mode) {
  const Context context;
  CUstream const stream = make_stream();
  CUgraph graph = nullptr;
  SUCCEEDS(cuStreamBeginCapture(stream, kOfThread));
  std::thread([&context] {
    NEEDS(cuCtxSetCurrent(context));
    allocate(16);
  }).join();
  SUCCEEDS(cuStreamEndCapture(stream, &graph));
  SUCCEEDS(cuStreamBeginCapture(stream, kGlobal));
  std::thread([&context] {
    NEEDS(cuCtxSetCurrent(context));
    CUdeviceptr address = 0;
    ANSWERS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemAlloc(&address, 16));
  }).join();
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
}

TEST(capture, must_end_on_its_thread_unless_relaxed) {
  const Context context;
  CUstream const stream = make_stream();
  CUgraph graph = nullptr;
  SUCCEEDS(cuStreamBeginCapture(stream, kOfThread));
  std::thread([&] {
    NEEDS(cuCtxSetCurrent(context));
    ANSWERS(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, cuStreamEndCapture(stream, &graph));
  }).join();
  ANSWERS(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(stream, &graph));
  SUCCEEDS(cuStreamBeginCapture(stream, kRelaxed));
  std::thread([&] {
    NEEDS(cuCtxSetCurrent(context));
    SUCCEEDS(cuStreamEndCapture(stream, &graph));
  }).join();
}

TEST(capture, host_functions_and_allocations_are_taken_up) {
  const Context context;
  const Module module;
  CUstream const stream = make_stream();
  CUgraph graph = nullptr;
  CUdeviceptr address = 0;
  const CUdeviceptr p = zeros(4);
  int runs = 0;
  SUCCEEDS(cuStreamBeginCapture(stream, kGlobal));
  SUCCEEDS(cuMemAllocAsync(&address, 4096, stream));
  SUCCEEDS(launch(module.function("store"), {.stream = stream}, address, 42U));
  SUCCEEDS(cuMemcpyDtoDAsync(p, address, 4, stream));
  SUCCEEDS(cuMemFreeAsync(address, stream));
  SUCCEEDS(cuLaunchHostFunc(stream, [](void* data) { ++*static_cast<int*>(data); }, &runs));
  NEEDS(cuStreamEndCapture(stream, &graph));
  EQUAL(5, node_count(graph));
  EQUAL(0, runs);
  CUgraphExec executable = nullptr;
  NEEDS(cuGraphInstantiate(&executable, graph, 0));
  SUCCEEDS(cuGraphLaunch(executable, stream));
  SUCCEEDS(cuStreamSynchronize(stream));
  EQUAL(1, runs);
  EQUAL(42, read<int>(p));
}

TEST(capture, of_an_allocation_and_its_free_makes_memory_nodes) {
  const Context context;
  CUstream const stream = make_stream();
  CUgraph graph = nullptr, clone = nullptr, outer = nullptr;
  CUdeviceptr address = 0;
  SUCCEEDS(cuStreamBeginCapture(stream, kGlobal));
  SUCCEEDS(cuMemAllocAsync(&address, 4096, stream));
  SUCCEEDS(cuMemFreeAsync(address, stream));
  NEEDS(cuStreamEndCapture(stream, &graph));
  NEEDS(cuGraphCreate(&outer, 0));
  std::size_t count = 2;
  CUgraphNode nodes[2] = {};
  SUCCEEDS(cuGraphGetNodes(graph, nodes, &count));
  HOLDS(count == 2);
  CUgraphNode freed = nullptr, made = nullptr;
  for (CUgraphNode const node : nodes) {
    CUgraphNodeType type{};
    SUCCEEDS(cuGraphNodeGetType(node, &type));
    if (type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) made = node;
    if (type == CU_GRAPH_NODE_TYPE_MEM_FREE) freed = node;
  }
  HOLDS(made != nullptr);
  HOLDS(freed != nullptr);
  CUDA_MEM_ALLOC_NODE_PARAMS allocation{};
  SUCCEEDS(cuGraphMemAllocNodeGetParams(made, &allocation));
  HOLDS(allocation.dptr == address);
  CUdeviceptr back = 0;
  SUCCEEDS(cuGraphMemFreeNodeGetParams(freed, &back));
  HOLDS(back == address);
  // A graph with such nodes has neither clones nor parents.
  CUgraphNode child = nullptr;
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuGraphClone(&clone, graph));
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
  SUCCEEDS(cuGraphDestroy(outer));
  SUCCEEDS(cuGraphDestroy(graph));
}

TEST(capture, a_graph_cannot_be_launched_meanwhile) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(4);
  const Graph inner;
  inner.kernel({}, module.function("add"), p, 42);
  const CUgraphExec executable = inner.instantiate();
  CUstream const stream = make_stream();
  CUgraph graph = nullptr;
  SUCCEEDS(cuStreamBeginCapture(stream, kGlobal));
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuGraphLaunch(executable, stream));
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
  EQUAL(0, read<int>(p));
}

// After a capture has ended, everything works again for all others.
void check_that_nothing_captures(CUcontext other) {
  allocate(64);
  SUCCEEDS(cuCtxSynchronize());
  std::thread([other] {
    NEEDS(cuCtxSetCurrent(other));
    allocate(64);
  }).join();
  CUstream const stream = make_stream(CU_STREAM_DEFAULT);
  CUgraph graph = nullptr;
  SUCCEEDS(cuStreamBeginCapture(stream, kGlobal));
  SUCCEEDS(cuStreamEndCapture(stream, &graph));
  SUCCEEDS(cuMemsetD8(zeros(64), 1, 64));
}

TEST(capture, ends_with_the_stream_that_began_it) {
  const Context other;
  const Context context;
  for (const CUstreamCaptureMode mode : {kGlobal, kOfThread, kRelaxed}) {
    for (const unsigned flags : {CU_STREAM_DEFAULT, CU_STREAM_NON_BLOCKING}) {
      CUstream const stream = make_stream(flags);
      SUCCEEDS(cuStreamBeginCapture(stream, mode));
      SUCCEEDS(cuStreamDestroy(stream));
      check_that_nothing_captures(other);
    }
  }
}

TEST(capture, ends_with_the_context_of_the_stream_that_began_it) {
  const Context other;
  const Context context;
  for (const CUstreamCaptureMode mode : {kGlobal, kOfThread, kRelaxed}) {
    Context gone;
    SUCCEEDS(cuStreamBeginCapture(make_stream(CU_STREAM_DEFAULT), mode));
    SUCCEEDS(gone.destroy());
    check_that_nothing_captures(other);
  }
}

TEST(capture, is_over_when_the_wrong_thread_has_tried_to_end_it) {
  const Context other;
  const Context context;
  for (const CUstreamCaptureMode mode : {kGlobal, kOfThread, kRelaxed}) {
    CUstream const stream = make_stream(CU_STREAM_DEFAULT);
    std::thread([&] {
      NEEDS(cuCtxSetCurrent(context));
      SUCCEEDS(cuStreamBeginCapture(stream, mode));
    }).join();
    CUgraph graph = nullptr;
    ANSWERS(mode == kRelaxed ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD,
            cuStreamEndCapture(stream, &graph));
    check_that_nothing_captures(other);
  }
}

TEST(capture, on_a_threads_own_stream_ends_with_the_thread) {
  const Context context;
  std::thread([&context] {
    NEEDS(cuCtxSetCurrent(context));
    SUCCEEDS(cuStreamBeginCapture(CU_STREAM_PER_THREAD, kGlobal));
  }).join();
  check_that_nothing_captures(context);
}

TEST(capture, lets_streams_go_that_had_joined_when_it_ends_with_its_first) {
  const Context context;
  const Module module;
  CUstream const stream = make_stream(), branch = make_stream();
  CUevent const fork = make_event();
  CUgraph graph = nullptr;
  SUCCEEDS(cuStreamBeginCapture(stream, kGlobal));
  SUCCEEDS(cuEventRecord(fork, stream));
  SUCCEEDS(cuStreamWaitEvent(branch, fork, 0));
  SUCCEEDS(cuStreamDestroy(stream));
  EQUAL(CU_STREAM_CAPTURE_STATUS_NONE, status_of(branch));
  SUCCEEDS(launch(module.function("empty"), {.stream = branch}));
  SUCCEEDS(cuStreamSynchronize(branch));
  ANSWERS(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(branch, &graph));
}

TEST(capture, outlives_a_stream_that_had_joined_and_done_nothing) {
  const Context context;
  const Module module;
  CUstream const stream = make_stream(), branch = make_stream();
  CUevent const fork = make_event();
  CUgraph graph = nullptr;
  SUCCEEDS(cuStreamBeginCapture(stream, kGlobal));
  SUCCEEDS(cuEventRecord(fork, stream));
  SUCCEEDS(cuStreamWaitEvent(branch, fork, 0));
  SUCCEEDS(cuStreamDestroy(branch));
  EQUAL(CU_STREAM_CAPTURE_STATUS_ACTIVE, status_of(stream));
  SUCCEEDS(launch(module.function("empty"), {.stream = stream}));
  SUCCEEDS(cuStreamEndCapture(stream, &graph));
  EQUAL(1, node_count(graph));
}

TEST(capture, misses_the_work_of_a_stream_that_had_joined_and_is_gone) {
  const Context context;
  const Module module;
  CUstream const stream = make_stream(), branch = make_stream();
  CUevent const fork = make_event();
  CUgraph graph = nullptr;
  SUCCEEDS(cuStreamBeginCapture(stream, kRelaxed));
  SUCCEEDS(cuEventRecord(fork, stream));
  SUCCEEDS(cuStreamWaitEvent(branch, fork, 0));
  SUCCEEDS(launch(module.function("empty"), {.stream = branch}));
  SUCCEEDS(cuStreamDestroy(branch));
  EQUAL(CU_STREAM_CAPTURE_STATUS_ACTIVE, status_of(stream));
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(stream, &graph));
  HOLDS(graph == nullptr);
  allocate(64);
}

TEST(capture, outlives_the_context_of_a_stream_that_had_joined) {
  const Context context;
  CUstream const stream = make_stream();
  CUevent const fork = make_event();
  CUgraph graph = nullptr;
  {
    Context second;
    CUstream const branch = make_stream();
    NEEDS(cuCtxSetCurrent(context));
    SUCCEEDS(cuStreamBeginCapture(stream, kRelaxed));
    SUCCEEDS(cuEventRecord(fork, stream));
    SUCCEEDS(cuStreamWaitEvent(branch, fork, 0));
    EQUAL(CU_STREAM_CAPTURE_STATUS_ACTIVE, status_of(branch));
    SUCCEEDS(second.destroy());
  }
  EQUAL(CU_STREAM_CAPTURE_STATUS_ACTIVE, status_of(stream));
  SUCCEEDS(cuStreamEndCapture(stream, &graph));
  HOLDS(graph != nullptr);
}

TEST(capture, leaves_events_that_can_only_be_recorded_again) {
  const Context context;
  for (const bool destroyed : {false, true}) {
    CUstream const stream = make_stream(), second = make_stream();
    CUevent const event = make_event();
    CUgraph graph = nullptr;
    SUCCEEDS(cuStreamBeginCapture(stream, kGlobal));
    SUCCEEDS(cuEventRecord(event, stream));
    SUCCEEDS(destroyed ? cuStreamDestroy(stream) : cuStreamEndCapture(stream, &graph));
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuEventQuery(event));
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuEventSynchronize(event));
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuStreamWaitEvent(second, event, 0));
    EQUAL(CU_STREAM_CAPTURE_STATUS_NONE, status_of(second));
    SUCCEEDS(cuStreamBeginCapture(second, kRelaxed));
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuStreamWaitEvent(second, event, 0));
    EQUAL(CU_STREAM_CAPTURE_STATUS_INVALIDATED, status_of(second));
    ANSWERS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(second, &graph));
    SUCCEEDS(cuEventRecord(event, second));
    SUCCEEDS(cuEventSynchronize(event));
  }
}

TEST(capture, keeps_the_graph_that_it_goes_into) {
  const Context context;
  const Graph graph;
  CUstream const stream = make_stream();
  CUgraph ended = nullptr;
  const CUdeviceptr p = zeros(4);
  SUCCEEDS(cuStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, kRelaxed));
  ANSWERS(CUDA_ERROR_ILLEGAL_STATE, cuGraphDestroy(graph));
  SUCCEEDS(cuMemsetD8Async(p, 0, 4, stream));
  SUCCEEDS(cuStreamEndCapture(stream, &ended));
  HOLDS(ended == static_cast<CUgraph>(graph));
}

TEST(capture, does_not_mind_an_event_that_goes) {
  const Context context;
  CUstream const stream = make_stream();
  CUevent const event = make_event();
  CUgraph graph = nullptr;
  SUCCEEDS(cuStreamBeginCapture(stream, kGlobal));
  SUCCEEDS(cuEventRecord(event, stream));
  SUCCEEDS(cuEventDestroy(event));
  EQUAL(CU_STREAM_CAPTURE_STATUS_ACTIVE, status_of(stream));
  SUCCEEDS(cuStreamEndCapture(stream, &graph));
}

TEST(capture, is_broken_by_waiting_for_what_was_recorded_outside) {
  const Context context;
  CUevent const event = make_event();
  SUCCEEDS(cuEventRecord(event, make_stream()));
  SUCCEEDS(cuCtxSynchronize());  // the work has already been done, which changes nothing
  for (const CUstreamCaptureMode mode : {kGlobal, kOfThread, kRelaxed}) {
    CUstream const stream = make_stream();
    CUgraph graph = nullptr;
    SUCCEEDS(cuStreamBeginCapture(stream, mode));
    ANSWERS(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, cuStreamWaitEvent(stream, event, 0));
    EQUAL(CU_STREAM_CAPTURE_STATUS_INVALIDATED, status_of(stream));
    ANSWERS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
  }
}

TEST(capture, may_wait_for_an_event_that_was_never_recorded) {
  const Context context;
  CUstream const stream = make_stream();
  CUgraph graph = nullptr;
  SUCCEEDS(cuStreamBeginCapture(stream, kRelaxed));
  SUCCEEDS(cuStreamWaitEvent(stream, make_event(), 0));
  EQUAL(CU_STREAM_CAPTURE_STATUS_ACTIVE, status_of(stream));
  SUCCEEDS(cuStreamEndCapture(stream, &graph));
}

TEST(capture, takes_external_records_and_waits_up_as_nodes) {
  const Context context;
  CUstream const stream = make_stream();
  CUevent const event = make_event();
  CUgraph graph = nullptr;
  SUCCEEDS(cuEventRecord(event, make_stream()));
  SUCCEEDS(cuStreamBeginCapture(stream, kRelaxed));
  SUCCEEDS(cuStreamWaitEvent(stream, event, CU_EVENT_WAIT_EXTERNAL));
  SUCCEEDS(cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_EXTERNAL));
  SUCCEEDS(cuStreamEndCapture(stream, &graph));
  EQUAL(2, node_count(graph));
  SUCCEEDS(cuEventSynchronize(event));
}

TEST(capture, of_any_mode_is_broken_by_waiting_for_the_context) {
  const Context context;
  for (const CUstreamCaptureMode mode : {kGlobal, kOfThread, kRelaxed}) {
    CUstream const stream = make_stream();
    CUgraph graph = nullptr;
    SUCCEEDS(cuStreamBeginCapture(stream, mode));
    ANSWERS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuCtxSynchronize());
    EQUAL(CU_STREAM_CAPTURE_STATUS_INVALIDATED, status_of(stream));
    ANSWERS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
    SUCCEEDS(cuStreamDestroy(stream));
    SUCCEEDS(cuCtxSynchronize());
  }
}

TEST(capture, forbids_allocating_in_the_order_of_another_stream) {
  const Context context;
  CUstream const stream = make_stream(), other = make_stream();
  CUgraph graph = nullptr;
  CUdeviceptr address = 0;
  SUCCEEDS(cuStreamBeginCapture(stream, kGlobal));
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemAllocAsync(&address, 64, other));
  EQUAL(CU_STREAM_CAPTURE_STATUS_INVALIDATED, status_of(stream));
  ANSWERS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
}

TEST(capture, refuses_to_free_what_no_graph_allocated_and_goes_on) {
  const Context context;
  CUstream const stream = make_stream();
  CUgraph graph = nullptr;
  CUdeviceptr ordered = 0, own = 0;
  SUCCEEDS(cuMemAllocAsync(&ordered, 4096, stream));
  SUCCEEDS(cuStreamSynchronize(stream));
  const CUdeviceptr plain = allocate(4096);
  SUCCEEDS(cuStreamBeginCapture(stream, kRelaxed));
  for (const CUdeviceptr address : {ordered, plain, CUdeviceptr{0x1234}}) {
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(address, stream));
    EQUAL(CU_STREAM_CAPTURE_STATUS_ACTIVE, status_of(stream));
  }
  SUCCEEDS(cuMemAllocAsync(&own, 4096, stream));
  SUCCEEDS(cuMemFreeAsync(own, stream));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(own, stream));
  SUCCEEDS(cuStreamEndCapture(stream, &graph));
  EQUAL(2, node_count(graph));
}

#if CUDA_VERSION >= 13000
TEST(capture, tells_edge_data_beside_the_nodes_that_come_last) {
  const Context context;
  const Module module;
  CUstream const stream = make_stream();
  CUstreamCaptureStatus status{};
  cuuint64_t id = 0;
  CUgraph graph = nullptr;
  const CUgraphNode none{};
  const CUgraphEdgeData no_edge{};
  const CUgraphNode* nodes = &none;
  const CUgraphEdgeData* edges = &no_edge;
  size_t count = 99;
  SUCCEEDS(cuStreamBeginCapture(stream, kRelaxed));
  SUCCEEDS(cuStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &edges, &count));
  HOLDS(nodes == nullptr && edges == nullptr && count == 0);
  SUCCEEDS(launch(module.function("empty"), {.stream = stream}));
  SUCCEEDS(cuStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &edges, &count));
  EQUAL(1, count);
  NEEDS(nodes != nullptr && edges != nullptr ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN);
  EQUAL(0, edges->from_port);
  EQUAL(0, edges->to_port);
  EQUAL(0, edges->type);
  // The edges alone are of no use.
  ANSWERS(CUDA_ERROR_INVALID_VALUE,
          cuStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, &edges, &count));
  SUCCEEDS(cuStreamEndCapture(stream, &graph));
}
#endif

}  // namespace
}  // namespace conformance
