// SPDX-License-Identifier: MIT
// What is different between two moments, and the first difference of two runs. For each reported difference
// there is a test that it is not reported wrongly.
#include "lab/difference.hpp"

#include "world.hpp"

using namespace lab_model_test;
using lab::Divergence;

namespace {

struct FollowedStates {
  trace::Store store;
  lab::Model model{store};
  explicit FollowedStates(World& world) {
    world.into(store);
    model.follow();
  }
  lab::ComparedRun compared() const { return {model, store}; }
};

std::string names(const lab::Model& model, const std::vector<lab::ObjectId>& ids) {
  std::string out;
  for (const lab::ObjectId id : ids) out += (out.empty() ? "" : " ") + model.name_of(id);
  return out;
}

World program(std::uint64_t shift) {
  World world;
  world.init();
  world.create(kA + shift).current(kA + shift);
  world.load_module(0x10 + shift);
  world.get_function(0x20 + shift, 0x10 + shift, "f");
  world.allocate(kMemory + shift, 64);
  world.launch(0x20 + shift);
  world.push(kA + shift).current(kA + shift);
  world.pop(kA + shift).current(kA + shift);
  world.free(kMemory + shift);
  return world;
}

Divergence::What parts(World& a, World& b, const lab::CompareOptions& options = {}) {
  FollowedStates first(a), second(b);
  const lab::Comparison found = lab::first_divergence(first.compared(), second.compared(), options);
  EXPECT_TRUE(found.first);
  return found.first ? found.first->what : Divergence::What::Ends;
}

}  // namespace

TEST(difference, a_moment_differs_in_nothing_from_itself) {
  World world = program(0);
  FollowedStates run(world);
  for (std::size_t moment = 0; moment <= run.model.moments(); ++moment) {
    const lab::State state = run.model.at(moment);
    EXPECT_TRUE(lab::difference(state, state).nothing()) << moment;
  }
}

TEST(difference, created_ended_and_stacks_are_told_in_both_directions) {
  World world = program(0);
  FollowedStates run(world);
  const lab::State before = run.model.at(2), after = run.model.at(7);
  const lab::Difference there = lab::difference(before, after), back = lab::difference(after, before);
  EXPECT_EQ(names(run.model, there.created), "#1 M1 M1.f");
  EXPECT_EQ(names(run.model, there.ended), "");
  ASSERT_EQ(there.stacks.size(), 1u);
  EXPECT_EQ(there.stacks[0].before, std::vector<std::string>({"A"}));
  EXPECT_EQ(there.stacks[0].after, std::vector<std::string>({"A", "A"}));
  EXPECT_EQ(names(run.model, back.ended), "#1 M1 M1.f");
  EXPECT_EQ(names(run.model, back.created), "");
}

TEST(difference, a_primary_that_is_retained_changes_and_is_not_created) {
  World world;
  world.retain(kP);
  world.retain(kP);
  FollowedStates run(world);
  const lab::State before = run.model.at(1), after = run.model.at(2);
  const lab::Difference found = lab::difference(before, after);
  EXPECT_TRUE(found.created.empty());
  ASSERT_EQ(found.changed.size(), 1u);
  EXPECT_EQ(found.changed[0].aspect, lab::Aspect::RetainCount);
  EXPECT_EQ(found.changed[0].before + found.changed[0].after, "12");
}

TEST(difference, an_end_and_a_new_one_at_the_same_address_are_two) {
  World world;
  world.create(kA);
  world.allocate(kMemory, 64);
  world.free(kMemory);
  world.allocate(kMemory, 64);
  FollowedStates run(world);
  const lab::State before = run.model.at(2), after = run.model.at(4);
  const lab::Difference found = lab::difference(before, after);
  EXPECT_EQ(names(run.model, found.created), "#2");
  EXPECT_EQ(names(run.model, found.ended), "#1");
}

TEST(divergence, the_same_program_at_other_addresses_is_the_same) {
  World a = program(0), b = program(0x100000);
  FollowedStates first(a), second(b);
  const lab::Comparison found = lab::first_divergence(first.compared(), second.compared());
  EXPECT_FALSE(found.first);
  EXPECT_EQ(found.calls, first.store.calls());
}

TEST(divergence, threads_that_overlap_differently_are_the_same) {
  World a, b;
  for (World* world : {&a, &b}) {
    world->create(kA);
    const auto one = [&] { world->call("cuCtxSynchronize").thread(1).result(201); };
    const auto two = [&] { world->call("cuCtxGetDevice").thread(2).result(201); };
    if (world == &a) one(), two();
    if (world == &b) two(), one();
  }
  FollowedStates first(a), second(b);
  EXPECT_FALSE(lab::first_divergence(first.compared(), second.compared()).first);
}

TEST(divergence, another_call_another_result_and_another_object_are_told) {
  World a = program(0), b = program(0), c = program(0);
  a.call("cuCtxSynchronize");
  b.call("cuCtxGetDevice");
  c.call("cuCtxSynchronize").result(700);
  EXPECT_EQ(parts(a, b), Divergence::What::Call);
  EXPECT_EQ(parts(a, c), Divergence::What::Result);
  World d, e;
  for (World* world : {&d, &e}) {
    world->create(kA);
    world->create_event(0x10);
    world->create_event(0x20);
    world->record(world == &d ? 0x10 : 0x20, 0);
  }
  EXPECT_EQ(parts(d, e), Divergence::What::Arguments);
}

TEST(divergence, sizes_are_compared_only_where_they_should_be_the_same) {
  World a, b;
  a.create(kA);
  b.create(kA);
  a.allocate(kMemory, 64);
  b.allocate(kMemory, 128);
  EXPECT_EQ(parts(a, b), Divergence::What::Arguments);
  FollowedStates first(a), second(b);
  EXPECT_FALSE(lab::first_divergence(first.compared(), second.compared(), {.numbers = false}).first);
}

TEST(divergence, a_run_that_goes_on_is_told_from_either_side) {
  World a = program(0), b = program(0);
  b.call("cuCtxSynchronize");
  FollowedStates first(a), second(b);
  const auto there = lab::first_divergence(first.compared(), second.compared());
  ASSERT_TRUE(there.first);
  EXPECT_EQ(there.first->what, Divergence::What::Ends);
  EXPECT_FALSE(there.first->event_a);
  EXPECT_EQ(there.first->b, "cuCtxSynchronize()");
  const auto back = lab::first_divergence(second.compared(), first.compared());
  ASSERT_TRUE(back.first);
  EXPECT_FALSE(back.first->event_b);
}

TEST(divergence, another_stack_is_told_where_the_calls_are_the_same) {
  World a, b;
  for (World* world : {&a, &b}) {
    world->create(kA);
    world->create(kB);
    world->call("cuCtxSynchronize").current(world == &a ? kB : kA);
  }
  EXPECT_EQ(parts(a, b), Divergence::What::Stack);
}

TEST(divergence, the_folder_of_a_file_is_none_and_another_file_is_one) {
  const auto loading = [](const char* path) {
    World world;
    world.create(kA);
    world.call("cuModuleLoad").text("fname", path).result(301);
    return world;
  };
  World here = loading("/home/a/builds/1/kernels.ptx"), there = loading("/home/b/builds/2/kernels.ptx");
  World other = loading("/home/a/builds/1/others.ptx");
  FollowedStates first(here), second(there);
  EXPECT_FALSE(lab::first_divergence(first.compared(), second.compared()).first);
  EXPECT_EQ(parts(here, other), Divergence::What::Arguments);
  World slashes = loading("// a"), others = loading("// b");  // text that is no path
  EXPECT_EQ(parts(slashes, others), Divergence::What::Arguments);
}
