// SPDX-License-Identifier: MIT
// Allocations: who owns them, when they go. Scenarios memory_errors, memory_across_contexts,
// memory_after_destroy.
#include "world.hpp"

using namespace lab_model_test;
using lab::Change;
using lab::MemoryKind;

TEST(memory, an_allocation_belongs_to_the_context_on_top) {
  World world;
  world.create(kA);
  world.create(kB);
  world.set(kA).current(kA);
  world.allocate(kMemory, 4096);
  const auto state = world.fold();
  ASSERT_EQ(state.allocations.size(), 1u);
  EXPECT_EQ(state.contexts[state.allocations[0].context].name, "A");
  EXPECT_EQ(state.allocations[0].number, 1u);
  EXPECT_EQ(state.allocations[0].size, 4096u);
  EXPECT_TRUE(changed(state, Change::Kind::Allocated));
}

TEST(memory, a_failed_allocation_makes_nothing) {
  World world;
  world.call("cuMemAlloc").unwritten("dptr").in("bytesize", 0).result(1);
  EXPECT_TRUE(world.fold().allocations.empty());
  EXPECT_EQ(world.fold().next_allocation, 1u);
}

TEST(memory, any_context_may_free_but_numbers_go_on) {
  World world;
  world.create(kA);
  world.allocate(kMemory, 64);
  world.create(kB);
  world.free(kMemory);
  EXPECT_TRUE(world.fold().allocations.empty());
  EXPECT_TRUE(changed(world.fold(), Change::Kind::Freed));
  world.allocate(kMemory, 64);
  EXPECT_EQ(world.fold().allocations.at(0).number, 2u);
}

TEST(memory, freeing_null_or_failing_to_free_changes_nothing) {
  World world;
  world.create(kA);
  world.allocate(kMemory, 64);
  world.free(0);
  EXPECT_FALSE(changed(world.fold(), Change::Kind::Freed));
  world.free(kMemory + 8).result(1);
  EXPECT_EQ(world.fold().allocations.size(), 1u);
}

TEST(memory, destroying_a_context_frees_what_it_owned_and_nothing_else) {
  World world;
  world.create(kA);
  world.allocate(kMemory, 64);
  world.create(kB);
  world.allocate(kMemory + 4096, 64);
  world.destroy(kA).current(kB);
  const auto state = world.fold();
  ASSERT_EQ(state.allocations.size(), 1u);
  EXPECT_EQ(state.allocations[0].number, 2u);
}

TEST(memory, every_kind_of_allocation_is_told_apart) {
  World world;
  world.create(kA);
  world.call("cuMemAllocHost").out("pp", 0x1000).in("bytesize", 100);
  world.call("cuMemHostAlloc").out("pp", 0x2000).in("bytesize", 100).in("Flags", 0);
  world.call("cuMemAllocManaged").out("dptr", kMemory).in("bytesize", 100).in("flags", 1);
  world.call("cuMemHostRegister").in("p", 0x3000).in("bytesize", 4096).in("Flags", 0);
  world.call("cuMemAllocPitch")
      .out("dptr", kMemory + 0x1000)
      .out("pPitch", 512)
      .in("WidthInBytes", 100)
      .in("Height", 3);
  const auto state = world.fold();
  ASSERT_EQ(state.allocations.size(), 5u);
  EXPECT_EQ(state.allocations[0].kind, MemoryKind::Host);
  EXPECT_EQ(state.allocations[1].kind, MemoryKind::Host);
  EXPECT_EQ(state.allocations[2].kind, MemoryKind::Managed);
  EXPECT_EQ(state.allocations[3].kind, MemoryKind::Registered);
  EXPECT_EQ(state.allocations[4].size, 1536u);
  world.call("cuMemFreeHost").in("p", 0x1000);
  world.call("cuMemHostUnregister").in("p", 0x3000);
  EXPECT_EQ(world.fold().allocations.size(), 3u);
}

TEST(memory, a_write_marks_the_allocation_that_holds_the_target) {
  World world;
  world.create(kA);
  world.allocate(kMemory, 64);
  world.call("cuMemsetD8").in("dstDevice", kMemory + 63).in("uc", 0).in("N", 1);
  ASSERT_TRUE(changed(world.fold(), Change::Kind::MemoryWritten));
  EXPECT_EQ(world.fold().changes[0].allocation, 1u);
  world.call("cuMemcpyDtoH").in("dstHost", 0x10).in("srcDevice", kMemory).in("ByteCount", 1);
  EXPECT_FALSE(changed(world.fold(), Change::Kind::MemoryWritten));
}

TEST(memory, one_past_the_end_is_no_longer_inside) {
  World world;
  world.create(kA);
  world.allocate(kMemory, 64);
  const auto state = world.fold();
  EXPECT_EQ(state.allocation_at(kMemory + 63)->number, 1u);
  EXPECT_EQ(state.allocation_at(kMemory + 64), nullptr);
  EXPECT_EQ(state.allocation_at(kMemory - 1), nullptr);
}
