// SPDX-License-Identifier: MIT
// What a library above the driver does to the picture: driver calls inside it count as ever, and what it does
// by ways of its own shows as what the call did, never as a disagreement.
#include <gtest/gtest.h>

#include "lab/model.hpp"
#include "world.hpp"

namespace lab_model_test {
namespace {

using lab::Change;
constexpr std::uint64_t kPrimary = 0x100, kSecond = 0x200, kOwn = 0x300;

TEST(runtime, a_context_taken_privately_is_the_primary_of_device_0) {
  World world;
  world.call("cudaMalloc").current(kPrimary);
  const lab::State state = world.fold();
  EXPECT_EQ(stack(state), "P0");
  EXPECT_TRUE(agree(state));
  EXPECT_TRUE(context(state, kPrimary).active);
  EXPECT_TRUE(changed(state, Change::Kind::PrimaryActivated));
  EXPECT_TRUE(changed(state, Change::Kind::Pushed));
}

TEST(runtime, after_setting_the_device_it_is_that_ones) {
  World world;
  world.call("cudaMalloc").current(kPrimary);
  world.call("cudaSetDevice").in("device", 1).current(kSecond);
  EXPECT_EQ(stack(world.fold()), "P1");
  EXPECT_TRUE(changed(world.fold(), Change::Kind::CurrentReplaced));
}

TEST(runtime, the_device_of_one_thread_is_not_that_of_another) {
  World world;
  world.call("cudaSetDevice").in("device", 1).current(kSecond);
  world.call("cudaFree").thread(1).current(kPrimary);
  EXPECT_EQ(stack(world.fold(), 0), "P1");
  EXPECT_EQ(stack(world.fold(), 1), "P0");
}

TEST(runtime, a_device_that_was_refused_is_not_taken) {
  World world;
  world.call("cudaSetDevice").in("device", 1).result(101);
  world.call("cudaMalloc").current(kPrimary);
  EXPECT_EQ(stack(world.fold()), "P0");
}

TEST(runtime, a_context_of_the_program_that_is_current_stays_its_own) {
  World world;
  world.init();
  world.create(kOwn);
  world.call("cudaMalloc").current(kOwn);
  const lab::State state = world.fold();
  EXPECT_EQ(stack(state), "A");
  EXPECT_TRUE(state.changes.empty());
  EXPECT_TRUE(agree(state));
}

TEST(runtime, the_driver_call_inside_says_what_happened_and_the_runtime_call_nothing_more) {
  World world;
  auto& retain = world.call("cuDevicePrimaryCtxRetain").out_context("pctx", kPrimary).in("dev", 0);
  retain.event().depth = 1;
  retain.event().inside = "cudaMalloc";
  auto& set = world.call("cuCtxSetCurrent").context("ctx", kPrimary).current(kPrimary);
  set.event().depth = 1;
  set.event().inside = "cudaMalloc";
  world.call("cudaMalloc").current(kPrimary);
  const lab::State state = world.fold();
  EXPECT_EQ(stack(state), "P0");
  EXPECT_EQ(context(state, kPrimary).retain_count, 1u);
  EXPECT_TRUE(state.changes.empty());
}

TEST(runtime, without_a_library_around_it_an_unknown_context_is_still_a_disagreement) {
  World world;
  world.call("cuCtxSynchronize").current(kPrimary);
  EXPECT_FALSE(agree(world.fold()));
}

TEST(runtime, a_failed_call_is_marked_and_changes_nothing) {
  World world;
  world.call("cudaMalloc").result(2);
  EXPECT_TRUE(changed(world.fold(), Change::Kind::Failed));
  EXPECT_EQ(stack(world.fold()), "");
}

}  // namespace
}  // namespace lab_model_test
