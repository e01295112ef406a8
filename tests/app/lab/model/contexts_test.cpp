// SPDX-License-Identifier: MIT
// What calls do to contexts and to the stack of their thread. Each rule was measured on a real driver; the
// scenario that showed it is named where the rule surprises.
#include "world.hpp"

using namespace lab_model_test;
using lab::Change;

TEST(contexts, creating_names_in_order_and_pushes) {
  World world;
  world.create(kA);
  world.create(kB);
  const auto state = world.fold();
  EXPECT_EQ(stack(state), "A B");
  EXPECT_TRUE(changed(state, Change::Kind::ContextCreated));
  EXPECT_TRUE(changed(state, Change::Kind::Pushed));
  EXPECT_TRUE(agree(state));
}

TEST(contexts, a_failed_create_makes_nothing_and_is_marked) {
  World world;
  world.call("cuCtxCreate").unwritten("pctx").in("flags", 0xffff).in("dev", 0).result(1);
  const auto state = world.fold();
  EXPECT_EQ(stack(state), "");
  EXPECT_TRUE(state.contexts.empty());
  EXPECT_TRUE(changed(state, Change::Kind::Failed));
  world.create(kA);
  EXPECT_EQ(context(world.fold(), kA).name, "A") << "a failure uses up no letter";
}

TEST(contexts, the_walk_of_the_goal_gives_the_four_stacks) {
  World world;
  world.create(kA);
  EXPECT_EQ(stack(world.fold()), "A");
  world.create(kB);
  EXPECT_EQ(stack(world.fold()), "A B");
  world.push(kA);
  EXPECT_EQ(stack(world.fold()), "A B A");
  world.pop(kA).current(kB);
  EXPECT_EQ(stack(world.fold()), "A B");
  EXPECT_TRUE(agree(world.fold()));
}

TEST(contexts, a_pop_that_fails_leaves_the_stack) {
  World world;
  world.create(kA);
  world.call("cuCtxPopCurrent").unwritten("pctx").result(201);
  EXPECT_EQ(stack(world.fold()), "A");
}

TEST(contexts, popping_frees_nothing_and_the_context_floats) {
  World world;
  world.create(kA);
  world.allocate(kMemory, 64);
  EXPECT_TRUE(world.fold().on_stacks()[world.fold().context_of(kA)]);
  world.pop(kA).current(0);
  const auto state = world.fold();
  EXPECT_EQ(stack(state), "");
  EXPECT_FALSE(state.on_stacks()[state.context_of(kA)]);
  EXPECT_TRUE(context(state, kA).alive);
  EXPECT_EQ(state.allocations.size(), 1u);
}

TEST(contexts, destroying_the_top_of_the_calling_thread_pops_it) {
  World world;
  world.create(kA);
  world.create(kB);
  world.destroy(kB).current(kA);
  const auto state = world.fold();
  EXPECT_EQ(stack(state), "A");
  EXPECT_TRUE(agree(state));
  EXPECT_FALSE(context(state, kB).alive);
  EXPECT_EQ(context(state, kB).destroyed_at, 2u);
}

TEST(contexts, destroying_below_the_top_leaves_a_dead_card) {  // stack_destroy_below_top
  World world;
  world.create(kA);
  world.create(kB);
  world.destroy(kA).current(kB);
  EXPECT_EQ(stack(world.fold()), "A B");
  EXPECT_FALSE(context(world.fold(), kA).alive);
  world.pop(kB).current(kA);
  EXPECT_EQ(stack(world.fold()), "A");
  EXPECT_TRUE(agree(world.fold())) << "the driver still calls the destroyed context current";
  world.pop(kA).current(0);
  EXPECT_EQ(stack(world.fold()), "");
}

TEST(contexts, a_destroyed_context_can_be_pushed_again) {  // stack_destroy_below_top, steps 18 to 20
  World world;
  world.create(kA);
  world.destroy(kA).current(0);
  world.set(kA).current(kA);
  world.push(kA);
  EXPECT_EQ(stack(world.fold()), "A A");
  EXPECT_TRUE(agree(world.fold()));
}

TEST(contexts, destroying_from_another_thread_pops_only_there) {  // threads_floating
  World world;
  world.create(kA);
  world.set(kA).thread(1).current(kA);
  world.destroy(kA).thread(1).current(0);
  const auto state = world.fold();
  EXPECT_EQ(stack(state, 0), "A");
  EXPECT_EQ(stack(state, 1), "");
  EXPECT_TRUE(agree(state, 0));
  EXPECT_TRUE(agree(state, 1));
}

TEST(contexts, a_new_thread_begins_with_an_empty_stack) {
  World world;
  world.create(kA);
  world.call("cuCtxGetCurrent").thread(1).out_context("pctx", 0).current(0);
  EXPECT_EQ(stack(world.fold(), 1), "");
  EXPECT_TRUE(agree(world.fold(), 1));
}

TEST(contexts, set_current_replaces_the_top) {
  World world;
  world.create(kA);
  world.create(kB);
  world.set(kA).current(kA);
  EXPECT_EQ(stack(world.fold()), "A A");
  EXPECT_TRUE(changed(world.fold(), Change::Kind::CurrentReplaced));
}

TEST(contexts, set_current_on_an_empty_stack_pushes) {
  World world;
  world.create(kA);
  world.pop(kA).current(0);
  world.set(kA).current(kA);
  EXPECT_EQ(stack(world.fold()), "A");
  EXPECT_TRUE(changed(world.fold(), Change::Kind::Pushed));
}

TEST(contexts, set_current_to_null_pops_and_does_nothing_on_an_empty_stack) {
  World world;
  world.create(kA);
  world.create(kB);
  world.set(0).current(kA);
  EXPECT_EQ(stack(world.fold()), "A");
  world.set(0).current(0);
  world.set(0).current(0);
  EXPECT_EQ(stack(world.fold()), "");
  EXPECT_TRUE(agree(world.fold()));
}

TEST(contexts, attach_counts_and_only_the_last_detach_destroys) {
  World world;
  world.create(kA);
  world.call("cuCtxAttach").out_context("pctx", kA).in("flags", 0).current(kA);
  EXPECT_EQ(context(world.fold(), kA).use_count, 2u);
  world.call("cuCtxDetach").context("ctx", kA).current(kA);
  EXPECT_TRUE(context(world.fold(), kA).alive);
  EXPECT_EQ(stack(world.fold()), "A");
  world.call("cuCtxDetach").context("ctx", kA).current(0);
  EXPECT_FALSE(context(world.fold(), kA).alive);
  EXPECT_EQ(stack(world.fold()), "");
  EXPECT_TRUE(agree(world.fold()));
}

TEST(contexts, a_handle_used_again_names_the_new_context) {
  World world;
  world.create(kA);
  world.destroy(kA).current(0);
  world.create(kA);
  const auto state = world.fold();
  EXPECT_EQ(state.context_name(kA), "B");
  EXPECT_EQ(stack(state), "B");
}

TEST(contexts, letters_go_on_after_z) {
  World world;
  for (std::uint64_t i = 0; i < 28; ++i) world.create(0x1000 + i);
  const auto state = world.fold();
  EXPECT_EQ(state.context_name(0x1000 + 25), "Z");
  EXPECT_EQ(state.context_name(0x1000 + 26), "AA");
  EXPECT_EQ(state.context_name(0x1000 + 27), "AB");
}

TEST(contexts, a_thread_that_ends_takes_its_stack_with_it) {
  World world;
  world.other(trace::EventKind::ThreadStart, 1, "worker");
  world.create(kA).thread(1);
  world.other(trace::EventKind::ThreadEnd, 1);
  const auto state = world.fold();
  EXPECT_FALSE(state.thread(1)->alive);
  EXPECT_EQ(state.thread(1)->name, "worker");
  EXPECT_FALSE(state.on_stacks()[state.context_of(kA)]);
  EXPECT_TRUE(context(state, kA).alive);
}

TEST(contexts, a_thread_that_was_given_no_name_is_not_called_as_the_program) {
  World world;
  world.other(trace::EventKind::ThreadStart, 0, "main");
  world.other(trace::EventKind::ThreadStart, 1, "main");
  world.other(trace::EventKind::ThreadStart, 2, "loader");
  EXPECT_EQ(world.fold().thread(1)->name, "");
  EXPECT_EQ(world.fold().thread(2)->name, "loader");
  World python;
  python.other(trace::EventKind::ThreadStart, 0, "python3");
  python.other(trace::EventKind::ThreadStart, 1, "python3");
  EXPECT_EQ(python.fold().thread(0)->name, "main");
  EXPECT_EQ(python.fold().thread(1)->name, "");
}

TEST(contexts, a_call_that_never_returned_changes_nothing) {
  World world;
  world.create(kA);
  world.call("cuCtxPushCurrent").context("ctx", 0x1234).never_returned();
  EXPECT_EQ(stack(world.fold()), "A");
  EXPECT_TRUE(changed(world.fold(), Change::Kind::Failed));
}

TEST(contexts, not_ready_is_an_answer_and_no_failure) {
  World world;
  world.call("cuEventQuery").result(600);
  EXPECT_FALSE(changed(world.fold(), Change::Kind::Failed));
}

TEST(contexts, a_child_process_is_not_mixed_into_the_picture) {
  World world;
  world.create(kA);
  world.create(kA).process(1);
  world.destroy(kA).process(1);
  const auto state = world.fold();
  EXPECT_EQ(stack(state), "A");
  EXPECT_TRUE(context(state, kA).alive);
}

TEST(contexts, the_end_of_the_program_ends_the_run_but_keeps_the_last_picture) {
  World world;
  world.create(kA);
  world.other(trace::EventKind::ProcessEnd);
  EXPECT_TRUE(world.fold().ended);
  EXPECT_EQ(stack(world.fold()), "A");
}

TEST(contexts, threads_without_number_do_not_fill_the_picture) {
  World world;
  for (std::uint32_t thread = 0; thread < 5000; ++thread) world.init().thread(thread * 7919);
  EXPECT_LE(world.fold().threads.size(), 4096u);
  EXPECT_EQ(world.fold().events, 5000u);
}

TEST(agreement, a_driver_that_says_otherwise_is_marked_and_believed) {
  World world;
  world.create(kA);
  world.create(kB);
  world.call("cuCtxSynchronize").current(kA);
  EXPECT_FALSE(agree(world.fold()));
  EXPECT_EQ(stack(world.fold()), "A A") << "the top is what the driver said";
  world.call("cuCtxSynchronize");
  EXPECT_TRUE(agree(world.fold())) << "only the event itself is marked";
}

TEST(agreement, a_driver_that_says_null_empties_the_stack) {
  World world;
  world.create(kA);
  world.call("cuCtxSynchronize").current(0);
  EXPECT_FALSE(agree(world.fold()));
  EXPECT_EQ(stack(world.fold()), "");
}

TEST(agreement, a_context_nobody_made_is_taken_in_under_its_handle) {
  World world;
  world.init();
  world.call("cuCtxSynchronize").current(0xabc0);
  const auto state = world.fold();
  EXPECT_FALSE(agree(state));
  EXPECT_EQ(stack(state), "0xabc0");
  world.create(kA);
  EXPECT_EQ(stack(world.fold()), "0xabc0 A") << "it uses up no letter";
  EXPECT_TRUE(agree(world.fold()));
}

TEST(agreement, a_handle_seen_first_becomes_the_primary_when_a_retain_returns_it) {
  World world;
  world.init();
  world.call("cuCtxSynchronize").current(kP);
  world.allocate(kMemory, 16);
  world.retain(kP).current(kP);
  const auto state = world.fold();
  EXPECT_EQ(stack(state), "P0");
  EXPECT_TRUE(agree(state));
  ASSERT_EQ(state.allocations.size(), 1u);
  EXPECT_EQ(state.contexts[state.allocations[0].context].name, "P0");
}

TEST(contexts, only_a_created_context_is_ever_destroyed_and_a_primary_one_is_dead_without_a_retain) {
  World world;
  world.create(kA);
  world.create(kB);
  world.call("cuCtxDestroy").in("ctx", kA);
  const auto state = world.fold();
  EXPECT_TRUE(context(state, kA).is_destroyed());
  EXPECT_TRUE(context(state, kA).is_dead());
  EXPECT_FALSE(context(state, kB).is_dead());
  lab::Context primary;
  primary.primary = true;
  EXPECT_FALSE(primary.is_dead());
  primary.active = false;
  EXPECT_TRUE(primary.is_dead());
  EXPECT_FALSE(primary.is_destroyed());
}

TEST(contexts, the_top_of_a_stack_is_current_and_an_unknown_thread_has_an_empty_stack) {
  World world;
  world.create(kA);
  world.create(kB);
  const auto state = world.fold();
  EXPECT_EQ(state.stack_names(0), (std::vector<std::string>{"A", "B"}));
  ASSERT_LT(state.current_of(0), state.contexts.size());
  EXPECT_EQ(state.contexts[state.current_of(0)].name, "B");
  EXPECT_TRUE(state.stack_of(7).empty());
  EXPECT_EQ(state.current_of(7), lab::kNone);
}
