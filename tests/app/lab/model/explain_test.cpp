// SPDX-License-Identifier: MIT
// Why calls failed: each explanation names what it rests on, and none is given where nothing is known.
#include "lab/explain.hpp"

#include "world.hpp"

namespace lab_model_test {
namespace {

using trace::ValueKind;

struct Told {
  std::string english, chinese;
  std::optional<std::size_t> event;
};

// What is said about the last call of a run.
struct Failed : World {
  Told explained() {
    trace::Store store;
    into(store);
    lab::Model model(store, store.at(store.size() - 1).process);
    model.follow();
    const auto found = lab::explain(model, store, store.size() - 1);
    if (!found) return {};
    return {found->sentence.in(lab::Language::English), found->sentence.in(lab::Language::Chinese),
            found->event};
  }
  support::Call& copy_to(std::uint64_t address, std::uint64_t bytes) {
    return call("cuMemcpyHtoD")
        .in("dstDevice", address, ValueKind::DevicePointer)
        .in("srcHost", 0x1000, ValueKind::HostPointer)
        .in("ByteCount", bytes, ValueKind::Size);
  }
  support::Call& launch(std::uint64_t function, std::uint64_t blocks, std::uint64_t threads,
                        std::uint64_t parameters = 0x7ffd1000) {
    return call("cuLaunchKernel")
        .in("f", function, ValueKind::Handle)
        .in("gridDimX", blocks)
        .in("gridDimY", 1)
        .in("gridDimZ", 1)
        .in("blockDimX", threads)
        .in("blockDimY", 1)
        .in("blockDimZ", 1)
        .in("kernelParams", parameters, ValueKind::HostPointer)
        .in("extra", 0, ValueKind::HostPointer);
  }
  void load(std::uint64_t module, std::uint64_t function) {
    call("cuModuleLoadData").out("module", module, ValueKind::Handle);
    call("cuModuleGetFunction")
        .out("hfunc", function, ValueKind::Handle)
        .in("hmod", module, ValueKind::Handle)
        .text("name", "vecAdd");
  }
};

#define EXPECT_SAYS(told, words)                                                \
  do {                                                                          \
    EXPECT_NE((told).english.find(words), std::string::npos) << (told).english; \
    EXPECT_NE((told).chinese, "");                                              \
  } while (false)

TEST(Explain, a_call_that_succeeded_needs_no_explanation) {
  Failed run;
  run.init();
  run.create(kA);
  EXPECT_EQ(run.explained().english, "");
}

TEST(Explain, a_call_before_cuInit_is_told_to_initialise) {
  Failed run;
  run.call("cuDeviceGetCount").unwritten("count").result(3);
  EXPECT_SAYS(run.explained(), "`cuInit(0)`");
}

TEST(Explain, a_call_after_cuInit_is_not_told_to_initialise) {
  Failed run;
  run.init();
  run.call("cuDeviceGetCount").unwritten("count").result(3);
  EXPECT_EQ(run.explained().english, "");
}

TEST(Explain, a_forked_child_is_told_that_the_driver_does_not_follow) {
  Failed run;
  run.init();
  run.call("cuDeviceGetCount").unwritten("count").result(3).process(1);
  EXPECT_SAYS(run.explained(), "forked");
}

TEST(Explain, an_ordinal_beyond_the_count_names_both) {
  Failed run;
  run.init();
  run.call("cuDeviceGetCount").out("count", 2);
  run.call("cuDeviceGet").unwritten("device").in("ordinal", 5).result(101);
  const Told told = run.explained();
  EXPECT_SAYS(told, "no device 5");
  EXPECT_SAYS(told, "gave 2");
  EXPECT_EQ(told.event, 1U);
}

TEST(Explain, an_ordinal_that_exists_is_not_called_too_large) {
  Failed run;
  run.init();
  run.call("cuDeviceGetCount").out("count", 2);
  run.call("cuDeviceGet").unwritten("device").in("ordinal", 1).result(101);
  EXPECT_EQ(run.explained().english, "");
}

TEST(Explain, without_any_context_one_is_asked_for) {
  Failed run;
  run.init();
  run.call("cuMemAlloc").unwritten("dptr").in("bytesize", 16).result(201);
  EXPECT_SAYS(run.explained(), "No context is current on thread main");
}

TEST(Explain, a_retained_primary_context_is_said_to_be_not_current) {
  Failed run;
  run.init();
  run.retain(kP).place("main.cpp", 12);
  run.call("cuMemAlloc").unwritten("dptr").in("bytesize", 16).result(201);
  const Told told = run.explained();
  EXPECT_SAYS(told, "P0 was retained by call 2 (main.cpp:12)");
  EXPECT_EQ(told.event, 1U);
}

TEST(Explain, a_context_of_another_thread_has_to_be_pushed_on_this_one) {
  Failed run;
  run.init();
  run.create(kA);
  run.call("cuMemAlloc").thread(1).unwritten("dptr").in("bytesize", 16).result(201);
  EXPECT_SAYS(run.explained(), "A is alive, but each thread has a stack of its own");
}

TEST(Explain, with_a_live_context_current_201_is_not_blamed_on_the_stack) {
  Failed run;
  run.init();
  run.create(kA);
  run.call("cuMemAlloc").unwritten("dptr").in("bytesize", 16).result(201);
  EXPECT_EQ(run.explained().english, "");
}

TEST(Explain, a_pop_too_many_is_called_that) {
  Failed run;
  run.init();
  run.create(kA);
  run.pop(kA);
  run.call("cuCtxPopCurrent").unwritten("pctx").result(201);
  EXPECT_SAYS(run.explained(), "nothing to pop");
}

TEST(Explain, a_destroyed_context_that_is_current_names_its_destruction) {
  Failed run;
  run.init();
  run.create(kA);
  run.destroy(kA).thread(1).place("main.cpp", 30);
  run.call("cuMemAlloc").unwritten("dptr").in("bytesize", 16).result(709);
  const Told told = run.explained();
  EXPECT_SAYS(told, "A, which is current on thread main, was destroyed by call 3 (main.cpp:30)");
  EXPECT_EQ(told.event, 2U);
}

TEST(Explain, a_released_primary_that_is_current_names_its_release) {
  Failed run;
  run.init();
  run.retain(kP);
  run.push(kP);
  run.release().place("main.cpp", 9);
  run.call("cuMemAlloc").unwritten("dptr").in("bytesize", 16).result(709);
  EXPECT_SAYS(run.explained(),
              "P0, which is current on thread main, has not been active since call 4 (main.cpp:9)");
}

TEST(Explain, a_primary_context_cannot_be_destroyed) {
  Failed run;
  run.init();
  run.retain(kP);
  run.destroy(kP).result(201);
  EXPECT_SAYS(run.explained(), "P0 is the primary context of device 0");
}

TEST(Explain, a_release_too_many_is_called_that) {
  Failed run;
  run.init();
  run.retain(kP);
  run.release();
  run.release().result(201);
  EXPECT_SAYS(run.explained(), "P0 is not retained now");
}

TEST(Explain, a_release_of_a_retained_context_is_not_called_one_too_many) {
  Failed run;
  run.init();
  run.retain(kP);
  run.release().result(201);
  EXPECT_EQ(run.explained().english.find("is not retained now"), std::string::npos);
}

TEST(Explain, an_address_inside_an_allocation_names_its_beginning) {
  Failed run;
  run.init();
  run.create(kA);
  run.allocate(kMemory, 64).place("main.cpp", 12);
  run.free(kMemory + 8).result(1);
  const Told told = run.explained();
  EXPECT_SAYS(told, "lies 8 bytes into allocation #1, which begins at 0x7f0000000000 (call 3 (main.cpp:12))");
  EXPECT_EQ(told.event, 2U);
}

TEST(Explain, memory_freed_twice_names_the_first_free) {
  Failed run;
  run.init();
  run.create(kA);
  run.allocate(kMemory, 64);
  run.free(kMemory).place("main.cpp", 20);
  run.free(kMemory).result(1);
  EXPECT_SAYS(run.explained(), "freed already, by call 4 (main.cpp:20)");
}

TEST(Explain, a_copy_from_freed_memory_is_not_told_to_free_it_once) {
  Failed run;
  run.init();
  run.create(kA);
  run.allocate(kMemory, 64);
  run.free(kMemory).place("main.cpp", 20);
  run.call("cuMemsetD8")
      .in("dstDevice", kMemory, trace::ValueKind::DevicePointer)
      .in("uc", 0)
      .in("N", 64, trace::ValueKind::Size)
      .result(1);
  const Told told = run.explained();
  EXPECT_SAYS(told, "freed already, by call 4 (main.cpp:20). Use memory only before it is freed.");
  EXPECT_EQ(told.english.find("Free each allocation once"), std::string::npos);
}

TEST(Explain, memory_that_a_graph_may_have_allocated_is_not_only_called_freed) {
  for (const bool with_graph : {true, false}) {
    Failed run;
    run.init();
    run.create(kA);
    run.allocate(kMemory, 64);
    run.free(kMemory).place("main.cpp", 20);
    if (with_graph) run.call("cuGraphAddMemAllocNode").in("hGraph", 0x90);
    run.call("cuMemsetD8")
        .in("dstDevice", kMemory, trace::ValueKind::DevicePointer)
        .in("uc", 0)
        .in("N", 64, trace::ValueKind::Size)
        .result(1);
    EXPECT_EQ(run.explained().english.find("If a graph allocates it") != std::string::npos, with_graph);
  }
}

TEST(Explain, memory_allocated_anew_at_a_freed_address_is_not_called_freed) {
  Failed run;
  run.init();
  run.create(kA);
  run.allocate(kMemory, 64);
  run.free(kMemory);
  run.allocate(kMemory, 64);
  run.free(kMemory).result(1);
  EXPECT_EQ(run.explained().english, "");
}

TEST(Explain, memory_that_died_with_its_context_names_it) {
  Failed run;
  run.init();
  run.create(kA);
  run.create(kB);
  run.set(kA);
  run.allocate(kMemory, 64);
  run.set(kB);
  run.destroy(kA);
  run.free(kMemory).result(1);
  EXPECT_SAYS(run.explained(), "was allocation #1, made by call 5 in A, and was freed with A");
}

TEST(Explain, a_call_that_asked_about_memory_is_not_taken_for_the_one_that_made_it) {
  Failed run;
  run.init();
  run.create(kA);
  run.create(kB);
  run.set(kA);
  run.allocate(kMemory, 64);
  run.call("cuMemGetAddressRange")
      .out("pbase", kMemory, ValueKind::DevicePointer)
      .in("dptr", kMemory, ValueKind::DevicePointer);
  run.set(kB);
  run.destroy(kA);
  run.free(kMemory).result(1);
  EXPECT_SAYS(run.explained(), "was allocation #1, made by call 5 in A, and was freed with A");
}

TEST(Explain, an_address_nobody_allocated_is_called_that) {
  Failed run;
  run.init();
  run.create(kA);
  run.free(0x1234).result(1);
  EXPECT_SAYS(run.explained(), "0x1234 is not an allocation");
}

TEST(Explain, host_memory_is_freed_by_its_own_call) {
  Failed run;
  run.init();
  run.create(kA);
  run.call("cuMemAllocHost").out("pp", kMemory, ValueKind::HostPointer).in("bytesize", 64);
  run.free(kMemory).result(1);
  EXPECT_SAYS(run.explained(), "`cuMemFreeHost` is what frees it");
}

TEST(Explain, a_copy_beyond_the_end_names_what_is_left) {
  Failed run;
  run.init();
  run.create(kA);
  run.allocate(kMemory, 64);
  run.copy_to(kMemory + 16, 64).result(1);
  EXPECT_SAYS(run.explained(),
              "`dstDevice` is #1+16, and 64 bytes from there go beyond the end: 48 are left of the 64");
}

TEST(Explain, a_copy_that_fits_is_not_blamed) {
  Failed run;
  run.init();
  run.create(kA);
  run.allocate(kMemory, 64);
  run.copy_to(kMemory + 16, 48).result(1);
  EXPECT_EQ(run.explained().english, "");
}

TEST(Explain, a_copy_to_no_allocation_is_called_that) {
  Failed run;
  run.init();
  run.create(kA);
  run.copy_to(0x5555, 4).result(1);
  EXPECT_SAYS(run.explained(), "`dstDevice` is 0x5555, and this program has no allocation there");
}

TEST(Explain, no_bytes_are_no_allocation) {
  Failed run;
  run.init();
  run.create(kA);
  run.call("cuMemAlloc").unwritten("dptr").in("bytesize", 0).result(1);
  EXPECT_SAYS(run.explained(), "0 bytes");
}

TEST(Explain, too_much_memory_counts_what_the_program_holds) {
  Failed run;
  run.init();
  run.create(kA);
  run.allocate(kMemory, 64 << 20);
  run.call("cuMemAlloc").unwritten("dptr").in("bytesize", 1ULL << 40).result(2);
  EXPECT_SAYS(run.explained(), "1048576 MiB do not fit on device 0, where this program holds 64 MiB");
}

TEST(Explain, a_kernels_error_names_the_launch_before_it) {
  Failed run;
  run.init();
  run.create(kA);
  run.load(0x10, 0x20);
  run.launch(0x20, 1, 32).place("main.cpp", 40);
  run.call("cuCtxSynchronize").result(700);
  const Told told = run.explained();
  EXPECT_SAYS(told, "the last launch before it was call 5 (main.cpp:40)");
  EXPECT_EQ(told.event, 4U);
}

TEST(Explain, calls_after_a_broken_kernel_are_not_to_blame) {
  Failed run;
  run.init();
  run.create(kA);
  run.launch(0x20, 1, 32);
  run.call("cuCtxSynchronize").result(700).place("main.cpp", 41);
  run.call("cuMemAlloc").unwritten("dptr").in("bytesize", 16).result(700);
  EXPECT_SAYS(run.explained(), "not the cause: since call 4 (main.cpp:41)");
}

TEST(Explain, a_function_of_another_contexts_module_names_both_contexts) {
  Failed run;
  run.init();
  run.create(kA);
  run.load(0x10, 0x20);
  run.create(kB);
  run.launch(0x20, 1, 32).result(400);
  EXPECT_SAYS(run.explained(), "belongs to A, but B is current");
  EXPECT_SAYS(run.explained(), "M1.vecAdd");
}

// What is said about the call before the end of the process.
Told told_of_the_end(Failed& run, trace::EndKind end, int number) {
  run.other(trace::EventKind::ProcessEnd, 0, "", static_cast<std::uint64_t>(number)).event().end = end;
  trace::Store store;
  run.into(store);
  lab::Model model(store);
  model.follow();
  const auto found = lab::explain(model, store, store.size() - 2);
  if (!found) return {};
  return {found->sentence.in(lab::Language::English), found->sentence.in(lab::Language::Chinese),
          found->event};
}

TEST(Explain, a_crash_inside_a_launch_speaks_of_kernelParams) {
  Failed run;
  run.init();
  run.create(kA);
  run.load(0x10, 0x20);
  run.launch(0x20, 1, 32).never_returned();
  const Told told = told_of_the_end(run, trace::EndKind::Signal, 11);
  EXPECT_SAYS(told, "fewer entries than M1.vecAdd");
}

TEST(Explain, a_launch_that_was_killed_or_has_no_parameters_is_not_said_to_have_too_few) {
  for (const bool crashed : {false, true}) {
    Failed run;
    run.init();
    run.create(kA);
    run.load(0x10, 0x20);
    run.launch(0x20, 1, 32, crashed ? 0 : 0x7ffd1000).never_returned();
    EXPECT_EQ(told_of_the_end(run, crashed ? trace::EndKind::Signal : trace::EndKind::TimeLimit, 11).english,
              "");
  }
}

TEST(Explain, a_function_fetched_elsewhere_belongs_to_where_its_module_was_loaded) {
  Failed run;
  run.init();
  run.create(kA);
  run.call("cuModuleLoadData").out("module", 0x10, ValueKind::Handle);
  run.create(kB);
  run.call("cuModuleGetFunction").out("hfunc", 0x20, ValueKind::Handle).in("hmod", 0x10, ValueKind::Handle);
  run.launch(0x20, 1, 32).result(400);
  EXPECT_SAYS(run.explained(), "belongs to A, but B is current");
}

TEST(Explain, a_function_of_an_unloaded_module_names_the_unloading) {
  Failed run;
  run.init();
  run.create(kA);
  run.load(0x10, 0x20);
  run.call("cuModuleUnload").in("hmod", 0x10, ValueKind::Handle);
  run.launch(0x20, 1, 32).result(400);
  EXPECT_SAYS(run.explained(), "unloaded by call 5");
}

TEST(Explain, a_function_in_its_own_context_is_not_called_misplaced) {
  Failed run;
  run.init();
  run.create(kA);
  run.load(0x10, 0x20);
  run.launch(0x20, 1, 32).result(400);
  EXPECT_EQ(run.explained().english, "");
}

TEST(Explain, an_event_recorded_in_a_stream_of_another_context_is_not_helped_by_a_push) {
  for (const std::uint64_t current : {kA, kB}) {
    Failed run;
    run.init();
    run.create(kA);
    run.create_stream(0x30);
    run.create(kB);
    run.create_event(0x40);
    if (current == kA) run.push(kA);
    run.record(0x40, 0x30).result(400);
    EXPECT_SAYS(run.explained(), "E1 (call 5) belongs to B, and S1 to A");
  }
}

// Whose they were helps nobody then: the advice would be to use a handle that is no longer valid.
TEST(Explain, a_destroyed_event_or_stream_of_another_context_is_called_destroyed) {
  for (const bool event_ends : {true, false}) {
    for (const std::uint64_t current : {kA, kB}) {
      Failed run;
      run.init();
      run.create(kA);
      run.create_event(0x40);
      if (event_ends) run.destroy_event(0x40).place("main.cpp", 12);
      run.create(kB);
      run.create_stream(0x30);
      if (!event_ends) run.destroy_stream(0x30).place("main.cpp", 12);
      if (current == kA) run.push(kA);
      run.record(0x40, 0x30).result(400);
      EXPECT_SAYS(run.explained(), event_ends ? "`hEvent` was destroyed by call 4 (main.cpp:12)"
                                              : "`hStream` was destroyed by call 6 (main.cpp:12)");
    }
  }
}

TEST(Explain, an_event_with_the_handle_of_a_destroyed_one_belongs_to_its_own_context) {
  Failed run;
  run.init();
  run.create(kA);
  run.create_event(0x40);
  run.destroy_event(0x40);
  run.create_event(0x40);
  run.create(kB);
  run.create_stream(0x30);
  run.record(0x40, 0x30).result(400);
  EXPECT_SAYS(run.explained(), "(call 5) belongs to A, and S1 to B");
}

TEST(Explain, an_event_recorded_in_a_stream_of_its_own_context_is_said_to_need_that_context) {
  Failed run;
  run.init();
  run.create(kA);
  run.create_stream(0x30);
  run.create_event(0x40);
  run.create(kB);
  run.record(0x40, 0x30).result(400);
  const Told told = run.explained();
  EXPECT_SAYS(told, "belongs to A, but B is current. Push A first.");
  EXPECT_EQ(told.english.find("CUkernel"), std::string::npos);
}

TEST(Explain, too_many_threads_are_counted) {
  Failed run;
  run.init();
  run.create(kA);
  run.launch(0x20, 1, 1025).result(1);
  EXPECT_SAYS(run.explained(), "1025 × 1 × 1 threads has 1025");
}

TEST(Explain, a_grid_of_nothing_is_called_that) {
  Failed run;
  run.init();
  run.create(kA);
  run.launch(0x20, 0, 32).result(1);
  EXPECT_SAYS(run.explained(), "one dimension is 0");
}

TEST(Explain, missing_parameters_are_asked_for) {
  Failed run;
  run.init();
  run.create(kA);
  run.launch(0x20, 1, 32, 0).result(1);
  EXPECT_SAYS(run.explained(), "Neither `kernelParams` nor `extra`");
}

TEST(Explain, a_sound_launch_is_not_blamed_for_its_shape) {
  Failed run;
  run.init();
  run.create(kA);
  run.launch(0x20, 65536, 1024).result(1);
  EXPECT_EQ(run.explained().english, "");
}

TEST(Explain, a_name_that_is_not_there_speaks_of_mangling) {
  Failed run;
  run.init();
  run.create(kA);
  support::Call& call = run.call("cuModuleGetFunction")
                            .unwritten("hfunc")
                            .in("hmod", 0x10)
                            .in("name", 0x7ffd, ValueKind::String);
  call.event().arguments.back().text = "vecAdd";
  call.result(500);
  EXPECT_SAYS(run.explained(), "“vecAdd”");
}

TEST(Explain, an_unknown_error_is_left_to_the_manual) {
  Failed run;
  run.init();
  run.create(kA);
  run.call("cuMemAlloc").unwritten("dptr").in("bytesize", 16).result(999);
  EXPECT_EQ(run.explained().english, "");
}

}  // namespace
}  // namespace lab_model_test
