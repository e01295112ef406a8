// SPDX-License-Identifier: MIT
// Work in streams: which calls enqueue, which prove that it is done, and above all what is not proved by
// them. Lessons 19 and 21 show on a device what is used here.
#include <random>
#include <set>

#include "api/descriptions.hpp"
#include "model/apply.hpp"
#include "world.hpp"

using namespace lab_model_test;
using lab::ObjectKind;
using lab::StreamKey;
using lab::WorkKind;

namespace {

constexpr std::uint64_t kS = 0x21, kT = 0x22, kFree = 0x23, kE = 0x31, kF = 0x32, kKernel = 0x41;

// "legacy: kernel | S1: fill record", in the order of the keys; "" if all is known to be done.
std::string waiting(const lab::State& state) {
  constexpr const char* kWords[] = {"kernel", "copy",   "fill", "host",       "allocate", "free",
                                    "graph",  "record", "wait", "wait-value", "write",    "other"};
  static_assert(std::size(kWords) == lab::kWorkKinds);
  std::string out;
  for (const auto& [key, stream] : state.work.streams) {
    if (!out.empty()) out += " | ";
    out += key.kind == StreamKey::Kind::Legacy ? "legacy"
           : key.kind == StreamKey::Kind::PerThread
               ? "thread" + std::to_string(key.number)
               : lab::object_name(lab::ObjectId{ObjectKind::Stream, key.number});
    out += ":";
    if (stream.waiting() > stream.items.size())
      out += " +" + std::to_string(stream.waiting() - stream.items.size());
    for (const lab::WorkItem& item : stream.items)
      (out += " ") += kWords[static_cast<std::size_t>(item.kind)];
  }
  return out;
}

// A context with two blocking streams, a non-blocking one and two events.
struct Streams : World {
  Streams() {
    create(kA);
    create_stream(kS);
    create_stream(kT);
    call("cuStreamCreate").out_handle("phStream", "CUstream", kFree).in("Flags", 1);
    create_event(kE);
    create_event(kF);
    allocate(kMemory, 4096);
  }
  support::Call& fill(std::uint64_t stream) {
    return call("cuMemsetD8Async")
        .in("dstDevice", kMemory, trace::ValueKind::DevicePointer)
        .in("uc", 0)
        .in("N", 64, trace::ValueKind::Size)
        .handle("hStream", "CUstream", stream);
  }
  support::Call& wait(std::uint64_t stream, std::uint64_t event) {
    return call("cuStreamWaitEvent").handle("hStream", "CUstream", stream).handle("hEvent", "CUevent", event);
  }
  support::Call& sync(std::uint64_t stream) {
    return call("cuStreamSynchronize").handle("hStream", "CUstream", stream);
  }
  support::Call& query(std::uint64_t stream) {
    return call("cuStreamQuery").handle("hStream", "CUstream", stream);
  }
  support::Call& event(std::string_view name, std::uint64_t which) {
    return call(name).handle("hEvent", "CUevent", which);
  }
  support::Call& to_host(std::uint64_t host = 0x7ffd5000) {
    return call("cuMemcpyDtoH")
        .in("dstHost", host, trace::ValueKind::HostPointer)
        .in("srcDevice", kMemory, trace::ValueKind::DevicePointer)
        .in("ByteCount", 64, trace::ValueKind::Size);
  }
  support::Call& to_device(std::uint64_t host) {
    return call("cuMemcpyHtoD")
        .in("dstDevice", kMemory, trace::ValueKind::DevicePointer)
        .in("srcHost", host, trace::ValueKind::HostPointer)
        .in("ByteCount", 64, trace::ValueKind::Size);
  }
  std::string now() { return waiting(fold()); }
};

}  // namespace

TEST(work, what_is_put_into_a_stream_waits_there_until_the_stream_is_synchronized) {
  Streams world;
  EXPECT_EQ(world.now(), "");
  world.launch(kKernel, kS);
  world.fill(kS);
  world.fill(kT);
  EXPECT_EQ(world.now(), "S1: kernel fill | S2: fill");
  const auto state = world.fold();
  const lab::StreamWork& stream = state.work.streams.begin()->second;
  EXPECT_EQ(stream.items[1].amount, 64u);
  EXPECT_EQ(stream.items[1].event, state.events - 2);
  world.sync(kS);
  EXPECT_EQ(world.now(), "S2: fill");
}

TEST(work, a_call_that_failed_enqueues_nothing_and_proves_nothing) {
  Streams world;
  world.launch(kKernel, kS).result(400);
  EXPECT_EQ(world.now(), "");
  world.launch(kKernel, kS);
  world.query(kS).result(600);
  world.sync(kS).result(700);
  EXPECT_EQ(world.now(), "S1: kernel");
  world.query(kS);
  EXPECT_EQ(world.now(), "");
}

TEST(work, an_event_proves_what_is_before_it_and_not_what_is_after_it) {
  Streams world;
  world.fill(kS);
  world.record(kE, kS);
  world.fill(kS);
  world.event("cuEventSynchronize", kE);
  EXPECT_EQ(world.now(), "S1: fill");
}

TEST(work, an_event_of_a_green_context_is_recorded_and_waited_for_in_each_of_its_streams) {
  Streams world;
  constexpr std::uint64_t kGreen = 0x51, kOther = 0x52;
  std::uint64_t handle = 0x61;
  for (const std::uint64_t green : {kGreen, kOther}) {
    world.call("cuGreenCtxCreate").out_handle("phCtx", "CUgreenCtx", green).in("dev", 0);
    for (int i = 0; i < 2; ++i)
      world.call("cuGreenCtxStreamCreate")
          .out_handle("phStream", "CUstream", handle++)
          .handle("greenCtx", "CUgreenCtx", green)
          .in("flags", 1);
  }
  const auto of_green = [&world](std::string_view name, std::uint64_t green) {
    world.call(name).handle("hCtx", "CUgreenCtx", green).handle("hEvent", "CUevent", kE);
  };
  of_green("cuGreenCtxWaitEvent", kOther);  // never recorded: nothing to wait for
  EXPECT_EQ(world.now(), "");
  world.fill(0x61);
  world.fill(0x62);
  of_green("cuGreenCtxRecordEvent", kGreen);
  EXPECT_EQ(world.now(), "S4: fill record | S5: fill record");
  of_green("cuGreenCtxWaitEvent", kOther);
  EXPECT_EQ(world.now(), "S4: fill record | S5: fill record | S6: wait | S7: wait");
  world.fill(0x61);
  Streams synchronized = world, queried = world;
  synchronized.sync(0x63);  // it has waited for both streams of the other
  EXPECT_EQ(synchronized.now(), "S4: fill | S7: wait");
  queried.sync(0x62);  // one of the two streams: the event is not known to be done
  EXPECT_EQ(queried.now(), "S4: fill record fill | S6: wait | S7: wait");
  queried.event("cuEventQuery", kE);
  EXPECT_EQ(queried.now(), "S4: fill | S6: wait | S7: wait");
}

TEST(work, the_last_record_of_an_event_counts) {
  Streams world;
  world.record(kE, kS);
  world.fill(kS);
  world.record(kE, kS);
  world.fill(kT);
  world.event("cuEventQuery", kE).result(600);
  EXPECT_EQ(world.now(), "S1: record fill record | S2: fill");
  world.event("cuEventQuery", kE);
  EXPECT_EQ(world.now(), "S2: fill");
}

TEST(work, a_time_between_events_proves_both) {
  Streams world;
  world.record(kE, kS);
  world.record(kF, kT);
  world.call("cuEventElapsedTime").handle("hStart", "CUevent", kE).handle("hEnd", "CUevent", kF);
  EXPECT_EQ(world.now(), "");
}

TEST(work, a_wait_that_is_done_proves_the_event_that_it_waited_for) {
  Streams world;
  world.fill(kFree);
  world.record(kE, kFree);
  world.fill(kFree);
  world.wait(kS, kE);
  EXPECT_EQ(world.now(), "S1: wait | S3: fill record fill");
  const auto state = world.fold();
  const lab::WorkItem& wait = state.work.streams.begin()->second.items.front();
  EXPECT_EQ(wait.amount, state.events - 3);
  world.sync(kS);
  EXPECT_EQ(world.now(), "S3: fill");
}

TEST(work, a_wait_for_an_event_that_has_no_work_before_it_waits_for_nothing) {
  Streams world;
  world.wait(kS, kE);  // never recorded
  EXPECT_EQ(world.now(), "");
  world.record(kE, kT);
  world.sync(kT);
  world.wait(kS, kE);  // done
  EXPECT_EQ(world.now(), "");
  world.record(kE, kT);
  world.wait(kS, kE);
  EXPECT_EQ(world.now(), "S1: wait | S2: record");
}

TEST(work, the_context_proves_all_of_its_streams_and_no_other_context_s) {
  Streams world;
  world.fill(kS);
  world.fill(kFree);
  world.fill(0);
  world.create(kB);
  world.fill(0);
  EXPECT_EQ(world.now(), "legacy: fill | S1: fill | S3: fill | legacy: fill");
  world.call("cuCtxSynchronize");
  EXPECT_EQ(world.now(), "legacy: fill | S1: fill | S3: fill");
  world.call("cuCtxSynchronize").context("ctx", kA);
  EXPECT_EQ(world.now(), "");
}

TEST(work, the_legacy_stream_proves_blocking_streams_before_it_and_no_others) {
  Streams world;
  world.fill(kS);
  world.fill(kFree);
  world.fill(0);
  world.fill(kT);
  world.sync(0);
  EXPECT_EQ(world.now(), "S2: fill | S3: fill");
}

TEST(work, a_blocking_stream_proves_the_legacy_stream_before_it) {
  Streams world;
  world.fill(kT);
  world.fill(0);
  world.fill(kS);
  world.fill(0);
  world.sync(kS);
  EXPECT_EQ(world.now(), "legacy: fill");  // and with the first of the legacy stream, what is before it in T
}

TEST(work, a_stream_that_is_not_blocking_proves_nothing_of_the_legacy_stream) {
  Streams world;
  world.fill(0);
  world.fill(kFree);
  world.sync(kFree);
  EXPECT_EQ(world.now(), "legacy: fill");
}

TEST(work, each_thread_has_a_default_stream_of_its_own) {
  Streams world;
  world.push(kA).thread(1);
  world.fill(2);
  world.fill(2).thread(1);
  EXPECT_EQ(world.now(), "thread0: fill | thread1: fill");
  world.fill(0).event().symbol = "cuMemsetD8Async_ptsz";
  EXPECT_EQ(world.now(), "thread0: fill fill | thread1: fill");
  world.sync(2);
  EXPECT_EQ(world.now(), "thread1: fill");
  world.other(trace::EventKind::ThreadEnd, 1);
  EXPECT_EQ(world.now(), "");
}

TEST(work, a_copy_to_the_host_proves_what_it_had_to_wait_for) {
  Streams world;
  world.fill(kS);
  world.fill(kFree);
  world.fill(0);
  world.to_host();
  EXPECT_EQ(world.now(), "S3: fill");
}

TEST(work, a_copy_from_memory_that_is_not_pinned_proves_nothing) {
  Streams world;
  world.call("cuMemAllocHost").out("pp", 0x5000).in("bytesize", 4096);
  world.fill(0);
  world.to_device(0x7ffd5000);
  EXPECT_EQ(world.now(), "legacy: fill");
  world.to_device(0x5000);
  EXPECT_EQ(world.now(), "");
}

TEST(work, a_copy_inside_the_device_and_a_fill_return_before_they_are_done) {
  Streams world;
  world.call("cuMemcpyDtoD").in("dstDevice", kMemory).in("srcDevice", kMemory + 64).in("ByteCount", 64);
  world.call("cuMemsetD32").in("dstDevice", kMemory).in("ui", 0).in("N", 4);
  EXPECT_EQ(world.now(), "legacy: copy fill");
  EXPECT_EQ(world.fold().work.streams.begin()->second.items[1].amount, 16u);
}

TEST(work, a_copy_of_unified_addresses_counts_only_where_both_ends_are_known) {
  Streams world;
  const auto copy = [&world](std::uint64_t to, std::uint64_t from) {
    world.call("cuMemcpy").in("dst", to).in("src", from).in("ByteCount", 8);
  };
  world.call("cuMemAllocHost").out("pp", 0x5000).in("bytesize", 4096);
  copy(kMemory, kMemory + 64);
  EXPECT_EQ(world.now(), "legacy: copy");
  copy(0x7ffd5000, kMemory);
  EXPECT_EQ(world.now(), "legacy: copy");
  copy(0x5000, kMemory);
  EXPECT_EQ(world.now(), "");
}

// Two threads: the call that waits had begun before the other thread's call returned.
TEST(work, a_call_proves_nothing_of_what_another_thread_enqueues_meanwhile) {
  Streams world;
  world.push(kA).thread(1);
  world.fill(kS);
  support::Call& other = world.fill(kS).thread(1);
  support::Call& sync = world.sync(kS);
  sync.event().t_ns = other.event().t_ns + 10;  // the other call takes 40
  EXPECT_EQ(world.now(), "S1: fill");
  sync.event().t_ns = other.event().t_ns + 40;
  EXPECT_EQ(world.now(), "");
}

TEST(work, an_event_recorded_meanwhile_by_another_thread_proves_nothing) {
  Streams world;
  world.push(kA).thread(1);
  world.fill(kS);
  support::Call& record = world.record(kE, kS).thread(1);
  world.event("cuEventSynchronize", kE).event().t_ns = record.event().t_ns + 10;
  EXPECT_EQ(world.now(), "S1: fill record");
}

// A launch of the graph records the event too, and no call says when.
TEST(work, an_event_that_a_graph_records_proves_nothing) {
  Streams world;
  world.call("cuGraphCreate").out_handle("phGraph", "CUgraph", 0x51);
  world.call("cuGraphAddEventRecordNode")
      .out_handle("phGraphNode", "CUgraphNode", 0x61)
      .handle("hGraph", "CUgraph", 0x51)
      .handle("event", "CUevent", kE);
  world.fill(kS);
  world.record(kE, kS);
  world.event("cuEventSynchronize", kE);
  EXPECT_EQ(world.now(), "S1: fill record");
  world.wait(kT, kE);
  EXPECT_EQ(world.now(), "S1: fill record | S2: wait");
  world.sync(kT);
  EXPECT_EQ(world.now(), "S1: fill record");
}

TEST(work, an_event_of_another_process_or_of_all_streams_proves_nothing) {
  Streams world;
  world.fill(kS);
  world.record(kE, kS);
  world.record(kF, kS);
  world.call("cuIpcGetEventHandle").handle("event", "CUevent", kE);
  world.call("cuCtxRecordEvent").context("hCtx", kA).handle("hEvent", "CUevent", kF);
  world.event("cuEventSynchronize", kE);
  world.event("cuEventSynchronize", kF);
  EXPECT_EQ(world.now(), "S1: fill record record");
  world.record(kF, kS);
  world.event("cuEventSynchronize", kF);  // known again
  EXPECT_EQ(world.now(), "");
}

TEST(work, calls_at_the_same_time_on_two_threads_are_not_ordered_by_the_legacy_stream) {
  Streams world;
  world.push(kA).thread(1);
  support::Call& blocking = world.fill(kS).thread(1);
  world.fill(0).event().t_ns = blocking.event().t_ns + 10;
  world.sync(0);
  EXPECT_EQ(world.now(), "S1: fill");
}

TEST(work, what_has_ended_is_not_shown_as_waiting) {
  Streams world;
  world.fill(kS);
  world.destroy_stream(kS);
  EXPECT_EQ(world.now(), "");
  world.fill(kT);
  world.fill(0);
  world.destroy(kA).current(0);
  EXPECT_EQ(world.now(), "");
}

TEST(work, a_new_stream_with_an_old_handle_is_another_stream) {
  Streams world;
  world.fill(kS);
  world.create_stream(kS);  // the end of the first was not recorded
  EXPECT_EQ(world.now(), "");
  world.fill(kS);
  EXPECT_EQ(world.now(), "S4: fill");
}

TEST(work, without_a_known_stream_nothing_is_claimed) {
  Streams world;
  world.fill(0x99);
  world.sync(0x99);
  world.record(kE, 0x99);
  EXPECT_EQ(world.now(), "");
  world.wait(kS, kE);
  EXPECT_EQ(world.now(), "");
}

TEST(work, allocations_of_pools_and_graphs_name_what_they_are_about) {
  Streams world;
  world.call("cuMemAllocAsync")
      .out("dptr", kMemory + 0x10000)
      .in("bytesize", 256)
      .handle("hStream", "CUstream", kS);
  world.call("cuMemFreeAsync").in("dptr", kMemory + 0x10000).handle("hStream", "CUstream", kS);
  world.call("cuGraphCreate").out_handle("phGraph", "CUgraph", 0x51);
  world.call("cuGraphInstantiateWithFlags")
      .out_handle("phGraphExec", "CUgraphExec", 0x52)
      .handle("hGraph", "CUgraph", 0x51);
  world.call("cuGraphLaunch").handle("hGraphExec", "CUgraphExec", 0x52).handle("hStream", "CUstream", kS);
  const auto state = world.fold();
  EXPECT_EQ(waiting(state), "S1: allocate free graph");
  const auto& items = state.work.streams.begin()->second.items;
  EXPECT_EQ(items[0].object, (lab::ObjectId{ObjectKind::Allocation, 2}));
  EXPECT_EQ(items[1].object, (lab::ObjectId{ObjectKind::Allocation, 2}));
  EXPECT_EQ(items[2].object, (lab::ObjectId{ObjectKind::GraphExec, 1}));
}

// A program may launch without end: the number is exact, and the room is not.
TEST(work, of_many_items_the_latest_are_kept_and_all_are_counted) {
  Streams world;
  for (int i = 0; i < 1000; ++i) world.launch(kKernel, kS);
  world.record(kE, kS);
  for (int i = 0; i < 5; ++i) world.fill(kS);
  auto state = world.fold();
  const lab::StreamWork* stream = &state.work.streams.begin()->second;
  EXPECT_EQ(stream->waiting(), 1006u);
  EXPECT_LE(stream->items.size(), lab::StreamWork::kMostItems);
  EXPECT_GE(stream->items.size(), lab::StreamWork::kMostItems / 2);
  world.event("cuEventSynchronize", kE);
  EXPECT_EQ(world.now(), "S1: fill fill fill fill fill");
  for (int i = 0; i < 100; ++i) world.launch(kKernel, kS);
  world.record(kE, kS);
  for (int i = 0; i < 100; ++i) world.launch(kKernel, kS);
  world.event("cuEventSynchronize", kE);  // among those that are only counted
  state = world.fold();
  EXPECT_EQ(state.work.streams.begin()->second.waiting(), 100u);
}

// Any moment is the same, whichever way it is reached.
TEST(work, the_model_reaches_each_moment_as_the_fold_does) {
  Streams world;
  world.push(kA).thread(1);
  std::mt19937 random(7);
  const std::uint64_t streams[] = {0, 2, kS, kT, kFree};
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t stream = streams[random() % 5], event = random() % 2 == 0 ? kE : kF;
    const std::uint32_t thread = random() % 2;
    switch (random() % 16) {
      case 0:
        world.sync(stream).thread(thread);
        break;
      case 1:
        world.event("cuEventSynchronize", event).thread(thread);
        break;
      case 2:
      case 3:
        world.record(event, stream).thread(thread);
        break;
      case 4:
      case 5:
        world.wait(stream, event).thread(thread);
        break;
      case 6:
        if (i % 11 == 0) world.call("cuCtxSynchronize").thread(thread);
        break;
      case 7:
        if (i % 7 == 0) world.to_host().thread(thread);
        break;
      default:
        world.launch(kKernel, stream).thread(thread);
    }
  }
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  model.follow();
  lab::State state;
  std::vector<lab::Work> each{state.work};
  for (support::Call& call : world.calls()) {
    lab::apply(state, call.event());
    each.push_back(state.work);
  }
  for (std::size_t moment = 0; moment < each.size(); ++moment)
    ASSERT_TRUE(model.at(moment).work == each[moment]) << moment;
  for (std::size_t i = 0; i < 300; ++i) {
    const std::size_t moment = random() % each.size();
    ASSERT_TRUE(model.at(moment).work == each[moment]) << moment;
  }
}

TEST(work, many_launches_take_time_and_memory_in_proportion) {
  const auto run = [](int launches, std::size_t& bytes) {
    Streams world;
    for (int i = 0; i < launches; ++i) world.launch(kKernel, i % 2 == 0 ? kS : kT);
    trace::Store store;
    world.into(store);
    lab::Model model(store);
    const double seconds = seconds_of([&] {
      model.follow();
      for (std::size_t i = 1; i <= 100; ++i) (void)model.at(model.moments() * i / 100);
      for (std::size_t i = 100; i > 0; --i) (void)model.at(model.moments() * i / 100);
    });
    bytes = model.bytes();
    return seconds;
  };
  std::size_t few_bytes = 0, many_bytes = 0;
  const double few = run(5000, few_bytes), many = run(50000, many_bytes);
  EXPECT_LT(many, 25 * std::max(few, 0.004));
  EXPECT_LT(many_bytes, 300u * 50000u);
  EXPECT_LT(many_bytes, 14 * few_bytes);
}

// A new call that is given a stream has to be looked at: it enqueues, it waits, or it is named here.
TEST(work, each_call_with_a_stream_has_a_rule_or_enqueues_nothing) {
  static const std::set<std::string_view> nothing = {"cuGraphUpload",
                                                     "cuGraphicsMapResources",
                                                     "cuGraphicsUnmapResources",
                                                     "cuStreamCopyAttributes",
                                                     "cuStreamDestroy",
                                                     "cuStreamGetAttribute",
                                                     "cuStreamGetCaptureInfo",
                                                     "cuStreamGetCtx",
                                                     "cuStreamGetDevice",
                                                     "cuStreamGetFlags",
                                                     "cuStreamGetGreenCtx",
                                                     "cuStreamGetId",
                                                     "cuStreamGetPriority",
                                                     "cuStreamIsCapturing",
                                                     "cuStreamSetAttribute",
                                                     "cuStreamUpdateCaptureDependencies"};
  std::set<trace::Function> ruled;
  for (const lab::Rule& rule : lab::work_rules()) {
    EXPECT_TRUE(ruled.insert(rule.call).second) << trace::name_of(rule.call);
  }
  for (const api::FunctionDescription& function : api::functions()) {
    if (!function.symbol.starts_with("cu") || function.symbol.starts_with("cuda")) continue;
    for (const api::ParameterDescription& parameter : function.parameters) {
      if (parameter.value.name != "CUstream" || parameter.role != api::Role::In) continue;
      EXPECT_NE(ruled.contains(function.function), nothing.contains(function.name)) << function.name;
    }
  }
}
