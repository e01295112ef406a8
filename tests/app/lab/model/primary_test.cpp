// SPDX-License-Identifier: MIT
// Primary contexts: retained and released, never pushed or popped by that. Scenarios primary,
// primary_threads.
#include "world.hpp"

using namespace lab_model_test;
using lab::Change;

TEST(primary, retaining_activates_but_makes_nothing_current) {
  World world;
  world.retain(kP).current(0);
  const auto state = world.fold();
  EXPECT_EQ(stack(state), "");
  EXPECT_TRUE(context(state, kP).active);
  EXPECT_EQ(context(state, kP).retain_count, 1u);
  EXPECT_EQ(context(state, kP).name, "P0");
  EXPECT_TRUE(changed(state, Change::Kind::PrimaryActivated));
  EXPECT_TRUE(agree(state));
}

TEST(primary, a_second_retain_counts_and_activates_nothing) {
  World world;
  world.retain(kP);
  world.retain(kP);
  EXPECT_EQ(context(world.fold(), kP).retain_count, 2u);
  EXPECT_FALSE(changed(world.fold(), Change::Kind::PrimaryActivated));
}

TEST(primary, a_green_context_retains_it_until_the_last_one_is_destroyed) {
  World world;
  const auto create = [&world](std::uint64_t handle) {
    world.call("cuGreenCtxCreate").out_handle("phCtx", "CUgreenCtx", handle).in("dev", 0);
  };
  const auto destroy = [&world](std::uint64_t handle) {
    world.call("cuGreenCtxDestroy").handle("hCtx", "CUgreenCtx", handle);
  };
  const auto active = [&world] { return world.fold().contexts.at(0).active; };
  create(0x10);
  EXPECT_TRUE(changed(world.fold(), Change::Kind::PrimaryActivated));
  EXPECT_TRUE(active());
  EXPECT_EQ(world.fold().contexts.at(0).retain_count, 0u);  // the program has not retained it
  create(0x20);
  EXPECT_FALSE(changed(world.fold(), Change::Kind::PrimaryActivated));
  world.call("cuDevicePrimaryCtxGetState").in("dev", 0).out("flags", 0).out("active", 1);
  EXPECT_TRUE(world.fold().changes.empty());
  world.retain(kP);
  destroy(0x10);
  world.release();
  EXPECT_TRUE(active());
  destroy(0x20);
  EXPECT_TRUE(changed(world.fold(), Change::Kind::PrimaryDeactivated));
  EXPECT_FALSE(active());
}

TEST(primary, releasing_to_zero_leaves_the_handle_current_and_frees_its_memory) {
  World world;
  world.retain(kP).current(0);
  world.push(kP);
  world.allocate(kMemory, 1024);
  world.release().current(kP);
  const auto state = world.fold();
  EXPECT_EQ(stack(state), "P0");
  EXPECT_FALSE(context(state, kP).active);
  EXPECT_TRUE(state.allocations.empty());
  EXPECT_TRUE(changed(state, Change::Kind::PrimaryDeactivated));
  EXPECT_TRUE(agree(state));
}

TEST(primary, a_release_that_is_not_the_last_keeps_everything) {
  World world;
  world.retain(kP);
  world.retain(kP);
  world.push(kP);
  world.allocate(kMemory, 1024);
  world.release().current(kP);
  const auto state = world.fold();
  EXPECT_TRUE(context(state, kP).active);
  EXPECT_EQ(state.allocations.size(), 1u);
}

TEST(primary, a_release_without_a_retain_fails_and_changes_nothing) {
  World world;
  world.release().result(201);
  EXPECT_TRUE(changed(world.fold(), Change::Kind::Failed));
  EXPECT_TRUE(world.fold().contexts.empty());
}

TEST(primary, a_later_retain_revives_the_same_context) {
  World world;
  world.retain(kP);
  world.push(kP);
  world.release().current(kP);
  world.retain(kP).current(kP);
  const auto state = world.fold();
  EXPECT_TRUE(context(state, kP).active);
  EXPECT_EQ(context(state, kP).name, "P0");
  EXPECT_EQ(stack(state), "P0");
  EXPECT_EQ(context(state, kP).retain_count, 1u);
}

TEST(primary, a_reset_deactivates_whatever_the_count) {
  World world;
  world.retain(kP);
  world.retain(kP);
  world.push(kP);
  world.call("cuDevicePrimaryCtxReset").in("dev", 0).current(kP);
  EXPECT_FALSE(context(world.fold(), kP).active);
  EXPECT_EQ(stack(world.fold()), "P0");
}

TEST(primary, each_device_has_its_own) {
  World world;
  world.retain(kP, 0);
  world.retain(kQ, 1);
  const auto state = world.fold();
  EXPECT_EQ(state.context_name(kP), "P0");
  EXPECT_EQ(state.context_name(kQ), "P1");
  ASSERT_EQ(state.devices.size(), 2u);
  EXPECT_EQ(state.devices[1].primary, state.context_of(kQ));
}

TEST(primary, flags_are_learned_and_set) {
  World world;
  world.call("cuDevicePrimaryCtxSetFlags").in("dev", 0).in("flags", 4);
  EXPECT_EQ(world.fold().contexts[0].flags, 4u);
  EXPECT_TRUE(changed(world.fold(), Change::Kind::FlagsChanged));
}

TEST(primary, asking_for_its_state_reveals_an_activation_nobody_saw) {
  World world;
  world.call("cuDevicePrimaryCtxGetState").in("dev", 0).out("flags", 0).out("active", 1);
  EXPECT_TRUE(world.fold().contexts[0].active);
  EXPECT_EQ(world.fold().contexts[0].retain_count, 0u);
  world.call("cuDevicePrimaryCtxGetState").in("dev", 0).out("flags", 0).out("active", 0);
  EXPECT_FALSE(world.fold().contexts[0].active);
}

TEST(primary, created_contexts_and_primaries_are_named_apart) {
  World world;
  world.retain(kP);
  world.create(kA);
  EXPECT_EQ(world.fold().context_name(kA), "A");
}

TEST(devices, the_count_makes_them_all_known) {
  World world;
  world.call("cuDeviceGetCount").out("count", 2);
  const auto state = world.fold();
  ASSERT_EQ(state.devices.size(), 2u);
  EXPECT_FALSE(state.contexts[state.devices[1].primary].active);
  EXPECT_FALSE(state.contexts[state.devices[1].primary].alive);
}

TEST(devices, an_ordinal_no_machine_has_is_not_believed) {
  World world;
  world.call("cuDeviceGetCount").out("count", 0xffffffff);
  world.create(kA, 0xffffffff);
  EXPECT_LE(world.fold().devices.size(), 256u);
}

TEST(devices, names_and_sizes_are_learned_from_the_programs_own_questions) {
  World world;
  world.call("cuDeviceGetName").out_text("name", "Embedded GPU 0").in("len", 64).in("dev", 0);
  world.call("cuDeviceTotalMem").out("bytes", 8ull << 30).in("dev", 0);
  EXPECT_EQ(world.fold().devices.at(0).name, "Embedded GPU 0");
  EXPECT_EQ(world.fold().devices.at(0).total_bytes, 8ull << 30);
}

TEST(devices, too_short_a_buffer_for_the_name_renames_no_device) {
  World world;
  world.call("cuDeviceGetName").out_text("name", "Embedded GPU 0").in("len", 64).in("dev", 0);
  world.call("cuDeviceGetName").out_text("name", "Emb").in("len", 4).in("dev", 0);
  EXPECT_EQ(world.fold().devices.at(0).name, "Embedded GPU 0");
  world.call("cuDeviceGetName").out_text("name", "Another GPU").in("len", 64).in("dev", 0);
  EXPECT_EQ(world.fold().devices.at(0).name, "Another GPU");
}

TEST(devices, the_first_successful_init_is_marked_and_no_other) {
  World world;
  world.init().result(1);
  EXPECT_FALSE(world.fold().initialised);
  world.init();
  EXPECT_TRUE(world.fold().initialised);
  EXPECT_TRUE(changed(world.fold(), Change::Kind::Initialised));
  world.init();
  EXPECT_FALSE(changed(world.fold(), Change::Kind::Initialised));
}

TEST(devices, a_context_nobody_saw_being_made_is_placed_by_the_programs_own_question) {
  World world;
  world.call("cuDeviceGetCount").out("count", 2);
  world.call("cuCtxSynchronize").current(0xabc0);
  world.call("cuCtxGetDevice").out("device", 1);
  EXPECT_EQ(context(world.fold(), 0xabc0).device, 1u);
  world.call("cuCtxGetDevice").out("device", 0).context("ctx", 0xabc0);
  EXPECT_EQ(context(world.fold(), 0xabc0).device, 0u);
}
