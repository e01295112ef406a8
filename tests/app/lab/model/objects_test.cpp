// SPDX-License-Identifier: MIT
// Objects: who makes them, who owns them, with what they go, and that a handle used again is another object.
// Scenarios module, library, two_library, streams_events, memory_pools_vmm.
#include "world.hpp"

using namespace lab_model_test;
using lab::Change;
using lab::MemoryKind;
using lab::ObjectKind;

TEST(objects, a_module_belongs_to_the_context_on_top_and_its_functions_to_it) {
  World world;
  world.create(kA);
  world.load_module(0x10);
  world.get_function(0x20, 0x10, "vecAdd");
  world.get_global(0x7000, 256, 0x10, "counter");
  const auto state = world.fold();
  EXPECT_EQ(objects(state), "M1 M1.vecAdd M1.counter");
  for (const lab::Object& object : state.objects) EXPECT_EQ(state.contexts[object.context].name, "A");
  EXPECT_EQ(state.objects[2].size, 256u);
  EXPECT_EQ(state.objects[1].owner, state.objects[0].id);
  EXPECT_EQ(state.objects[1].created_at, 2u);
  EXPECT_TRUE(changed(state, Change::Kind::ObjectCreated));
}

TEST(objects, a_failed_call_makes_nothing_and_ends_nothing) {
  World world;
  world.create(kA);
  world.load_module(0x10).result(200);
  world.load_module(0x20);
  world.unload_module(0x20).result(400);
  const auto state = world.fold();
  EXPECT_EQ(objects(state), "M1");
  EXPECT_EQ(state.objects[0].handle, 0x20u);
}

TEST(objects, unloading_a_module_ends_what_was_got_from_it_and_nothing_else) {
  World world;
  world.create(kA);
  world.load_module(0x10);
  world.load_module(0x18);
  world.get_function(0x20, 0x10, "f");
  world.get_function(0x28, 0x18, "f");
  world.get_global(0x7000, 4, 0x10, "g");
  world.unload_module(0x10);
  const auto state = world.fold();
  EXPECT_EQ(objects(state), "M2 M2.f");
  EXPECT_EQ(std::count_if(state.changes.begin(), state.changes.end(),
                          [](const Change& change) { return change.kind == Change::Kind::ObjectEnded; }),
            3);
}

TEST(objects, the_streams_of_a_green_context_end_with_it_and_other_streams_do_not) {
  World world;
  world.create(kA);
  world.call("cuGreenCtxCreate").out_handle("phCtx", "CUgreenCtx", 0x10);
  world.call("cuGreenCtxStreamCreate")
      .out_handle("phStream", "CUstream", 0x20)
      .handle("greenCtx", "CUgreenCtx", 0x10)
      .in("flags", 1);
  world.call("cuStreamCreate").out_handle("phStream", "CUstream", 0x30).in("Flags", 0);
  EXPECT_EQ(objects(world.fold()), "Green1 S1 S2");
  world.call("cuGreenCtxDestroy").handle("hCtx", "CUgreenCtx", 0x10);
  EXPECT_EQ(objects(world.fold()), "S2");
}

TEST(objects, what_is_made_in_a_green_context_belongs_to_the_primary_context_and_its_streams_do_not) {
  World world;
  world.call("cuGreenCtxCreate").out_handle("phCtx", "CUgreenCtx", 0x10).in("dev", 0);
  world.call("cuDevicePrimaryCtxRetain").out_handle("pctx", "CUcontext", 0x50).in("dev", 0);
  world.call("cuCtxFromGreenCtx")
      .out_handle("pContext", "CUcontext", 0x10)
      .handle("hCtx", "CUgreenCtx", 0x10);
  world.call("cuCtxSetCurrent").handle("ctx", "CUcontext", 0x10);
  world.load_module(0x18);
  world.call("cuStreamCreate").out_handle("phStream", "CUstream", 0x30).in("Flags", 0);
  world.call("cuCtxFromGreenCtx")
      .out_handle("pContext", "CUcontext", 0x10)
      .handle("hCtx", "CUgreenCtx", 0x10);
  EXPECT_EQ(objects(world.fold()), "Green1 M1 S1");
  world.call("cuGreenCtxDestroy").handle("hCtx", "CUgreenCtx", 0x10);
  const auto state = world.fold();
  EXPECT_EQ(objects(state), "M1");
  ASSERT_EQ(state.threads.at(0).stack.size(), 1U);
  const lab::Context& own = state.contexts.at(state.threads.at(0).stack.at(0));
  EXPECT_EQ(own.name, "A");
  EXPECT_TRUE(own.is_destroyed());
}

TEST(objects, the_context_of_a_green_context_is_on_its_device_at_each_moment) {
  World world;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const std::uint64_t green = 0x1000 + i % 3;
    world.call("cuGreenCtxCreate").out_handle("phCtx", "CUgreenCtx", green).in("dev", i % 2);
    world.call("cuCtxFromGreenCtx")
        .out_handle("pContext", "CUcontext", green)
        .handle("hCtx", "CUgreenCtx", green);
    world.push(green);
    world.pop(0);
    world.call("cuGreenCtxDestroy").handle("hCtx", "CUgreenCtx", green);
  }
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  model.follow();
  lab::State state;
  std::vector<std::vector<lab::Context>> each{state.contexts};
  for (support::Call& call : world.calls()) {
    lab::apply(state, call.event());
    each.push_back(state.contexts);
  }
  for (std::size_t moment = each.size(); moment-- > 0;)
    ASSERT_TRUE(model.at(moment).contexts == each[moment]) << moment;
  std::size_t on_second = 0;
  for (const lab::Context& context : state.contexts) on_second += context.green != 0 && context.device == 1;
  EXPECT_EQ(on_second, 150U);
  EXPECT_TRUE(state.green_devices.empty());
}

TEST(objects, a_function_asked_for_twice_is_one_function) {
  World world;
  world.create(kA);
  world.load_module(0x10);
  world.get_function(0x20, 0x10, "f");
  world.get_function(0x20, 0x10, "f");
  EXPECT_EQ(objects(world.fold()), "M1 M1.f");
}

TEST(objects, a_handle_used_again_is_another_object) {
  World world;
  world.create(kA);
  world.create_event(0x10);
  world.destroy_event(0x10);
  world.create_event(0x10);
  EXPECT_EQ(objects(world.fold()), "E2");
  world.load_module(0x10);  // another kind of handle may have the same value
  EXPECT_EQ(objects(world.fold()), "E2 M1");
}

TEST(objects, an_object_whose_end_nobody_saw_gives_way_to_the_one_with_its_handle) {
  World world;
  world.create(kA);
  world.create_stream(0x10);
  world.create_stream(0x10);
  EXPECT_EQ(objects(world.fold()), "S2");
}

TEST(objects, destroying_a_context_ends_what_it_owned_and_nothing_else) {
  World world;
  world.create(kA);
  world.load_module(0x10);
  world.get_function(0x20, 0x10, "f");
  world.create_stream(0x30);
  world.create_event(0x40);
  world.call("cuGraphCreate").out_handle("phGraph", "CUgraph", 0x50).in("flags", 0);
  world.create(kB);
  world.create_stream(0x38);
  world.destroy(kA);
  EXPECT_EQ(objects(world.fold()), "G1 S2");
}

TEST(objects, resetting_a_primary_context_ends_what_it_owned) {
  World world;
  world.retain(kP);
  world.set(kP).current(kP);
  world.load_module(0x10);
  world.create_stream(0x30);
  world.call("cuDevicePrimaryCtxReset").in("dev", 0).current(kP);
  EXPECT_EQ(objects(world.fold()), "");
}

TEST(objects, releasing_a_primary_context_ends_nothing_while_somebody_holds_it) {
  World world;
  world.retain(kP);
  world.retain(kP);
  world.set(kP).current(kP);
  world.load_module(0x10);
  world.release();
  EXPECT_EQ(objects(world.fold()), "M1");
}

TEST(objects, a_library_has_a_copy_in_each_context_that_uses_it) {
  World world;
  world.create(kA);
  world.create(kB);
  world.load_library(0x10);
  world.get_kernel(0x20, 0x10, "k");
  EXPECT_EQ(objects(world.fold()), "L1 L1.k") << "nothing is loaded before somebody needs it";
  world.kernel_function(0x30, 0x20);
  world.set(kA).current(kA);
  world.kernel_function(0x38, 0x20);
  const auto state = world.fold();
  EXPECT_EQ(objects(state), "L1 L1.k M1 M1.k M2 M2.k");
  EXPECT_EQ(state.contexts[state.objects[2].context].name, "B");
  EXPECT_EQ(state.contexts[state.objects[4].context].name, "A");
  EXPECT_EQ(state.objects[0].context, lab::kNone) << "a library belongs to the process";
  world.destroy(kB);
  EXPECT_EQ(objects(world.fold()), "L1 L1.k M2 M2.k");
  world.unload_library(0x10);
  EXPECT_EQ(objects(world.fold()), "");
}

TEST(objects, launching_a_kernel_loads_its_library_into_the_current_context_once) {
  World world;
  world.create(kA);
  world.load_library(0x10);
  world.get_kernel(0x20, 0x10, "k");
  world.launch(0x20);
  world.launch(0x20);
  const auto state = world.fold();
  EXPECT_EQ(objects(state), "L1 L1.k M1");
  EXPECT_TRUE(changed(state, Change::Kind::Launched));
}

TEST(objects, a_librarys_module_learns_its_handle_when_asked) {
  World world;
  world.create(kA);
  world.load_library(0x10);
  world.get_kernel(0x20, 0x10, "k");
  world.launch(0x20);
  world.call("cuLibraryGetModule").out_handle("pMod", "CUmodule", 0x60).handle("library", "CUlibrary", 0x10);
  world.get_function(0x70, 0x60, "other");
  const auto state = world.fold();
  EXPECT_EQ(objects(state), "L1 L1.k M1 M1.other");
  EXPECT_EQ(state.objects[2].handle, 0x60u);
}

TEST(objects, variables_of_a_library_are_one_a_context_and_managed_ones_one_for_all) {
  World world;
  world.create(kA);
  world.load_library(0x10);
  const auto global = [&world](std::uint64_t address) {
    world.call("cuLibraryGetGlobal")
        .out("dptr", address, trace::ValueKind::DevicePointer)
        .out("bytes", 4)
        .handle("library", "CUlibrary", 0x10)
        .text("name", "x");
  };
  const auto managed = [&world] {
    world.call("cuLibraryGetManaged")
        .out("dptr", 0x9000, trace::ValueKind::DevicePointer)
        .out("bytes", 4)
        .handle("library", "CUlibrary", 0x10)
        .text("name", "m");
  };
  global(0x7000);
  managed();
  world.create(kB);
  global(0x8000);
  managed();
  EXPECT_EQ(objects(world.fold()), "L1 M1 M1.x L1.m M2 M2.x");
}

TEST(objects, physical_memory_stays_until_the_last_handle_is_released) {
  World world;
  world.create(kA);
  world.call("cuMemCreate").out_handle("handle", "CUmemGenericAllocationHandle", 0x10).in("size", 4096);
  world.call("cuMemRetainAllocationHandle")
      .out_handle("handle", "CUmemGenericAllocationHandle", 0x10)
      .in("addr", 0x7000);
  const auto release = [&world] {
    world.call("cuMemRelease").handle("handle", "CUmemGenericAllocationHandle", 0x10);
  };
  release();
  EXPECT_EQ(objects(world.fold()), "Phys1");
  release();
  EXPECT_EQ(objects(world.fold()), "");
}

TEST(objects, mapped_memory_is_an_allocation_of_the_process) {
  World world;
  world.create(kA);
  world.call("cuMemAddressReserve").out("ptr", 0x10000).in("size", 0x4000);
  world.call("cuMemCreate").out_handle("handle", "CUmemGenericAllocationHandle", 0x10).in("size", 0x1000);
  for (const std::uint64_t page : {0u, 1u})
    world.call("cuMemMap")
        .in("ptr", 0x10000 + page * 0x1000)
        .in("size", 0x1000)
        .handle("handle", "CUmemGenericAllocationHandle", 0x10);
  auto state = world.fold();
  EXPECT_EQ(objects(state), "Range1 Phys1");
  ASSERT_EQ(state.allocations.size(), 2u);
  EXPECT_EQ(state.allocations[0].kind, MemoryKind::Mapped);
  EXPECT_EQ(lab::object_name(state.allocations[0].from), "Phys1");
  world.destroy(kA);
  EXPECT_EQ(world.fold().allocations.size(), 2u);
  world.call("cuMemUnmap").in("ptr", 0x10000).in("size", 0x2000);
  world.call("cuMemAddressFree").in("ptr", 0x10000).in("size", 0x4000);
  state = world.fold();
  EXPECT_EQ(state.allocations.size(), 0u);
  EXPECT_EQ(objects(state), "Phys1");
}

TEST(objects, physical_memory_without_a_handle_stays_until_its_last_mapping_is_removed) {
  World world;
  world.create(kA);
  world.call("cuMemAddressReserve").out("ptr", 0x10000).in("size", 0x4000);
  world.call("cuMemCreate").out_handle("handle", "CUmemGenericAllocationHandle", 0x10).in("size", 0x1000);
  const auto map = [&world](std::uint64_t address) {
    world.call("cuMemMap")
        .in("ptr", address)
        .in("size", 0x1000)
        .handle("handle", "CUmemGenericAllocationHandle", 0x10);
  };
  const auto unmap = [&world](std::uint64_t address) {
    world.call("cuMemUnmap").in("ptr", address).in("size", 0x1000);
  };
  const auto release = [&world] {
    world.call("cuMemRelease").handle("handle", "CUmemGenericAllocationHandle", 0x10);
  };
  map(0x10000);
  map(0x12000);
  release();
  auto state = world.fold();
  EXPECT_EQ(objects(state), "Range1 Phys1");
  EXPECT_TRUE(changed(state, Change::Kind::ObjectChanged));
  EXPECT_FALSE(changed(state, Change::Kind::ObjectEnded));
  EXPECT_FALSE(lab::must_be_destroyed(state.objects[1]));  // no handle is left to release
  world.call("cuMemRetainAllocationHandle")
      .out_handle("handle", "CUmemGenericAllocationHandle", 0x10)
      .in("addr", 0x10000);
  EXPECT_TRUE(lab::must_be_destroyed(world.fold().objects[1]));
  unmap(0x10000);
  unmap(0x12000);
  EXPECT_EQ(objects(world.fold()), "Range1 Phys1");  // it has a handle again
  map(0x10000);
  map(0x12000);
  release();
  unmap(0x10000);
  EXPECT_EQ(objects(world.fold()), "Range1 Phys1");
  unmap(0x12000);
  state = world.fold();
  EXPECT_EQ(objects(state), "Range1");
  EXPECT_TRUE(changed(state, Change::Kind::Freed));
  EXPECT_TRUE(changed(state, Change::Kind::ObjectEnded));
}

TEST(objects, memory_from_a_pool_outlives_the_context) {
  World world;
  world.create(kA);
  world.call("cuMemPoolCreate").out_handle("pool", "CUmemoryPool", 0x10).in("poolProps", 0x1);
  world.call("cuMemAllocFromPoolAsync")
      .out("dptr", kMemory)
      .in("bytesize", 64)
      .handle("pool", "CUmemoryPool", 0x10)
      .handle("hStream", "CUstream", 0);
  world.call("cuMemAllocAsync").out("dptr", kMemory + 4096).in("bytesize", 64);
  world.destroy(kA);
  auto state = world.fold();
  EXPECT_EQ(objects(state), "Pool1");
  ASSERT_EQ(state.allocations.size(), 2u);
  EXPECT_EQ(state.allocations[0].kind, MemoryKind::Pooled);
  EXPECT_EQ(lab::object_name(state.allocations[0].from), "Pool1");
  world.call("cuMemFreeAsync").in("dptr", kMemory);
  EXPECT_EQ(world.fold().allocations.size(), 1u);
}

TEST(objects, memory_knows_the_device_that_its_properties_name) {
  World world;
  world.create(kA);
  world.call("cuMemCreate")
      .out_handle("handle", "CUmemGenericAllocationHandle", 0x10)
      .in("size", 4096)
      .text("prop",
            "{type=CU_MEM_ALLOCATION_TYPE_PINNED, location={type=CU_MEM_LOCATION_TYPE_DEVICE, id=1}}");
  world.call("cuMemPoolCreate").out_handle("pool", "CUmemoryPool", 0x20).text("poolProps", "{id=x}");
  const auto state = world.fold();
  EXPECT_EQ(state.objects.at(0).device, 1u);
  EXPECT_EQ(state.objects.at(1).device, lab::kNone);
}

TEST(objects, the_default_pool_was_there_before_and_is_one) {
  World world;
  const auto ask = [&world] {
    world.call("cuDeviceGetDefaultMemPool").out_handle("pool_out", "CUmemoryPool", 0x10).in("dev", 1);
  };
  ask();
  ask();
  const auto state = world.fold();
  EXPECT_EQ(objects(state), "Pool1");
  EXPECT_FALSE(lab::must_be_destroyed(state.objects[0]));
  EXPECT_EQ(state.objects[0].device, 1u);
}

TEST(objects, memory_of_cuMemAllocAsync_belongs_to_the_default_pool_until_another_one_is_set) {
  World world;
  world.create(kA);
  const auto allocate = [&world](std::uint64_t page) {
    world.call("cuMemAllocAsync").out("dptr", kMemory + page * 4096).in("bytesize", 64);
  };
  const auto pools = [&world] {
    std::string names;
    for (const lab::Allocation& allocation : world.fold().allocations)
      (names += names.empty() ? "" : " ") += allocation.from ? lab::object_name(allocation.from) : "?";
    return names;
  };
  allocate(0);
  EXPECT_EQ(pools(), "?");
  world.call("cuDeviceGetDefaultMemPool").out_handle("pool_out", "CUmemoryPool", 0x10).in("dev", 0);
  world.call("cuDeviceGetMemPool").out_handle("pool", "CUmemoryPool", 0x10).in("dev", 0);
  EXPECT_EQ(objects(world.fold()), "Pool1");
  EXPECT_EQ(pools(), "Pool1");
  allocate(1);
  world.call("cuMemPoolCreate").out_handle("pool", "CUmemoryPool", 0x20).in("poolProps", 0x1);
  world.call("cuDeviceSetMemPool").in("dev", 0).handle("pool", "CUmemoryPool", 0x20);
  allocate(2);
  world.call("cuDeviceGetMemPool").out_handle("pool", "CUmemoryPool", 0x20).in("dev", 0);
  EXPECT_EQ(pools(), "Pool1 Pool1 Pool2");
  world.call("cuMemPoolDestroy").handle("pool", "CUmemoryPool", 0x20);
  allocate(3);  // the default pool is current again
  EXPECT_EQ(pools(), "Pool1 Pool1 Pool2 Pool1");
}

TEST(objects, an_imported_pointer_lies_in_its_imported_pool_and_keeps_its_number_when_it_is_freed) {
  World world;
  world.create(kA);
  world.call("cuMemPoolImportFromShareableHandle").out_handle("pool_out", "CUmemoryPool", 0x10);
  world.call("cuMemPoolImportPointer")
      .out("ptr_out", kMemory, trace::ValueKind::DevicePointer)
      .handle("pool", "CUmemoryPool", 0x10);
  world.call("cuIpcOpenMemHandle").out("pdptr", kMemory + 4096, trace::ValueKind::DevicePointer);
  const auto state = world.fold();
  ASSERT_EQ(state.allocations.size(), 2u);
  EXPECT_EQ(state.allocations[0].kind, MemoryKind::Pooled);
  EXPECT_EQ(state.allocations[0].context, lab::kNone);
  EXPECT_EQ(lab::object_name(state.allocations[0].from), "Pool1");
  const std::size_t before = world.calls().size();
  world.call("cuMemFree").in("dptr", kMemory, trace::ValueKind::DevicePointer);
  world.call("cuIpcCloseMemHandle").in("dptr", kMemory + 4096, trace::ValueKind::DevicePointer);
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  model.follow();
  EXPECT_EQ(model.address_word(before, kMemory), "#1");
  EXPECT_EQ(model.address_word(before + 1, kMemory + 4096), "#2");
}

TEST(objects, the_pool_of_another_device_or_kind_of_memory_is_not_the_current_one) {
  World world;
  world.create(kA);
  world.call("cuMemAllocAsync").out("dptr", kMemory).in("bytesize", 64);
  world.call("cuDeviceGetMemPool").out_handle("pool", "CUmemoryPool", 0x10).in("dev", 1);
  const auto ask = [&world](std::uint64_t pool, const char* type) {
    world.call("cuMemGetDefaultMemPool")
        .out_handle("pool_out", "CUmemoryPool", pool)
        .text("location", "{type=CU_MEM_LOCATION_TYPE_DEVICE, id=0}")
        .text("type", type);
  };
  ask(0x20, "CU_MEM_ALLOCATION_TYPE_MANAGED");
  EXPECT_FALSE(world.fold().allocations.at(0).from);
  ask(0x30, "CU_MEM_ALLOCATION_TYPE_PINNED");
  EXPECT_EQ(lab::object_name(world.fold().allocations.at(0).from), "Pool3");
}

TEST(objects, a_moment_far_back_has_the_pools_of_its_time) {
  World world;
  world.create(kA);
  world.call("cuMemAllocAsync").out("dptr", kMemory).in("bytesize", 64);
  world.call("cuDeviceGetDefaultMemPool").out_handle("pool_out", "CUmemoryPool", 0x10).in("dev", 0);
  const std::size_t asked = world.calls().size();
  for (std::uint64_t i = 0; i < 600; ++i) {
    world.push(kA);
    world.call("cuMemAllocAsync").out("dptr", kMemory + 4096 + i * 64).in("bytesize", 64);
  }
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  model.follow();
  EXPECT_EQ(lab::object_name(model.at(model.moments()).allocations[600].from), "Pool1");
  EXPECT_EQ(lab::object_name(model.at(asked).allocations[0].from), "Pool1");
  EXPECT_FALSE(model.at(asked - 1).allocations[0].from);
  EXPECT_EQ(lab::object_name(model.at(asked + 900).allocations[400].from), "Pool1");
}

TEST(objects, an_array_that_is_mapped_from_external_memory_is_the_programs_to_destroy) {
  World world;
  world.create(kA);
  world.call("cuImportExternalMemory").out_handle("extMem_out", "CUexternalMemory", 0x10);
  world.call("cuExternalMemoryGetMappedMipmappedArray")
      .out_handle("mipmap", "CUmipmappedArray", 0x20)
      .handle("extMem", "CUexternalMemory", 0x10);
  auto state = world.fold();
  ASSERT_EQ(objects(state), "ExtMem1 Mipmap1");
  EXPECT_EQ(state.objects[1].owner, state.objects[0].id);
  EXPECT_EQ(state.contexts.at(state.objects[1].context).name, "A");
  EXPECT_TRUE(lab::must_be_destroyed(state.objects[1]));
  world.call("cuMipmappedArrayDestroy").handle("hMipmappedArray", "CUmipmappedArray", 0x20);
  EXPECT_EQ(objects(world.fold()), "ExtMem1");
}

TEST(objects, managed_memory_is_where_it_was_last_sent) {
  World world;
  world.create(kA);
  world.call("cuMemAllocManaged").out("dptr", kMemory).in("bytesize", 64).in("flags", 1);
  const auto send = [&world](std::uint64_t device) {
    world.call("cuMemPrefetchAsync").in("devPtr", kMemory).in("count", 64).in("dstDevice", device);
  };
  EXPECT_EQ(world.fold().allocations.at(0).place, lab::kNone);
  send(1);
  EXPECT_EQ(world.fold().allocations.at(0).place, 1u);
  send(0xffffffff);
  EXPECT_EQ(world.fold().allocations.at(0).place, lab::kHost);
}

TEST(objects, a_child_process_with_equal_handles_changes_nothing_here) {
  World world;
  world.create(kA);
  world.create_event(0x10);
  world.destroy_event(0x10).process(1);
  EXPECT_EQ(objects(world.fold()), "E1");
}

TEST(objects, words_name_handles_alive_or_dead_and_keep_the_value_of_unknown_ones) {
  World world;
  world.create(kA);
  world.load_module(0x10);
  world.get_function(0x20, 0x10, "vecAdd");
  world.launch(0x20, 0);
  world.unload_module(0x10);
  world.launch(0x20, 2).result(400);
  world.launch(0x28, 1).result(400);
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  model.follow();
  EXPECT_EQ(model.describe(3), "cuLaunchKernel(f=M1.vecAdd, gridDimX=1, blockDimX=32, hStream=null)");
  EXPECT_EQ(model.describe(4), "cuModuleUnload(hmod=M1)");
  EXPECT_EQ(model.describe(5),
            "cuLaunchKernel(f=M1.vecAdd, gridDimX=1, blockDimX=32, hStream=CU_STREAM_PER_THREAD)");
  EXPECT_EQ(model.describe(6), "cuLaunchKernel(f=0x28, gridDimX=1, blockDimX=32, hStream=CU_STREAM_LEGACY)");
}

TEST(objects, words_of_a_handle_used_again_name_the_object_of_their_time) {
  World world;
  world.create(kA);
  world.create_event(0x10);
  world.destroy_event(0x10);
  world.create_event(0x10);
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  model.follow();
  EXPECT_EQ(model.describe(1), "cuEventCreate(&phEvent = E1, Flags=0)");
  EXPECT_EQ(model.describe(2), "cuEventDestroy(hEvent=E1)");
  EXPECT_EQ(model.describe(3), "cuEventCreate(&phEvent = E2, Flags=0)");
}

TEST(objects, a_pointer_into_a_variable_is_named_by_it) {
  World world;
  world.create(kA);
  world.load_module(0x10);
  world.get_global(0x7000, 64, 0x10, "table");
  world.call("cuMemsetD8").in("dstDevice", 0x7010, trace::ValueKind::DevicePointer).in("uc", 0);
  world.call("cuMemsetD8").in("dstDevice", 0x7040, trace::ValueKind::DevicePointer).in("uc", 0);
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  model.follow();
  EXPECT_EQ(model.describe(3), "cuMemsetD8(dstDevice=M1.table+16, uc=0)");
  EXPECT_EQ(model.describe(4), "cuMemsetD8(dstDevice=0x7040, uc=0)");
}
