// SPDX-License-Identifier: MIT
// Any moment of a run is what folding the events up to it gives, wherever one comes from.
#include <random>

#include "scramble.hpp"

using namespace lab_model_test;

TEST(model, any_moment_equals_the_fold_of_the_events_before_it) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    World world;
    scramble(world, 3000, seed);
    trace::Store store;
    world.into(store);
    lab::Model model(store);
    model.follow();
    ASSERT_EQ(model.moments(), store.size());
    std::vector<lab::State> truth(1);
    for (std::size_t i = 0; i < store.size(); ++i) {
      truth.push_back(truth.back());
      lab::apply(truth.back(), store.at(i));
    }
    std::mt19937 random(seed);
    for (int jump = 0; jump < 600; ++jump) {
      const std::size_t moment = random() % truth.size();
      ASSERT_TRUE(model.at(moment) == truth[moment]) << "moment " << moment << ", seed " << seed;
      if (moment + 1 < truth.size()) {
        ASSERT_TRUE(model.at(moment + 1) == truth[moment + 1]);
      }
    }
    EXPECT_TRUE(model.latest() == truth.back());
  }
}

// The very mistake that the lab teaches: a program that pushes and never pops.
TEST(model, a_stack_that_only_grows_takes_time_and_memory_in_proportion) {
  constexpr std::size_t kPushes = 30'000;
  World world;
  world.create(kA);
  for (std::size_t i = 1; i < kPushes; ++i) world.push(kA);
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  EXPECT_LT(seconds_of([&] {
              model.follow();
              for (std::size_t event = 0; event < store.size(); ++event) {
                ASSERT_TRUE(model.agrees(event));
                ASSERT_NE(model.describe(event), "");
                if (event % 64 == 0) {
                  ASSERT_NE(lab::event_json(model, store, event), "");
                }
              }
            }),
            5.0);
  EXPECT_LT(model.bytes(), 8u << 20);
  EXPECT_EQ(model.latest().threads[0].stack.size(), kPushes);
}

TEST(model, of_a_deep_stack_the_top_is_named_and_the_rest_counted) {
  World world;
  world.create(kA);
  world.create(kB);
  for (std::size_t i = 2; i < lab::kMostStackNames; ++i) world.push(kA);
  world.push(kB);
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  model.follow();
  const std::size_t last = store.size() - 1;
  EXPECT_EQ(model.stack_below(last - 1), 0u);
  EXPECT_EQ(model.stack_names(last - 1).size(), lab::kMostStackNames);
  EXPECT_EQ(lab::event_json(model, store, last - 1).find("stack_below"), std::string::npos);
  EXPECT_EQ(model.stack_below(last), 1u);
  const std::vector<std::string> names = model.stack_names(last);
  ASSERT_EQ(names.size(), lab::kMostStackNames);
  EXPECT_EQ(names.front(), "B");
  EXPECT_EQ(names[1], "A");
  EXPECT_EQ(names.back(), "B");
  EXPECT_NE(lab::event_json(model, store, last).find("\"stack_below\":1"), std::string::npos);
}

TEST(model, many_contexts_take_time_in_proportion) {
  constexpr std::uint64_t kContexts = 30'000;
  World world;
  for (std::uint64_t i = 0; i < kContexts; ++i) {
    world.create(0x1000 + 16 * i);
    world.pop(0x1000 + 16 * i);
  }
  for (std::uint64_t i = 0; i < kContexts; ++i) world.destroy(0x1000 + 16 * i);
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  EXPECT_LT(seconds_of([&] {
              model.follow();
              for (std::size_t event = 0; event < store.size(); ++event) ASSERT_NE(model.describe(event), "");
            }),
            15.0);
  EXPECT_EQ(model.latest().contexts.size(), kContexts + 1);
}

// What is made first ends first or last: both take time in proportion.
TEST(model, many_objects_take_time_in_proportion) {
  const auto seconds_for = [](std::uint64_t count, bool first_ends_first) {
    World world;
    world.create(kA);
    for (std::uint64_t i = 1; i <= count; ++i)
      world.call("cuStreamCreate").out_handle("phStream", "CUstream", 16 * i).in("Flags", 0);
    for (std::uint64_t i = 1; i <= count; ++i)
      world.call("cuStreamDestroy")
          .handle("hStream", "CUstream", 16 * (first_ends_first ? i : count + 1 - i));
    trace::Store store;
    world.into(store);
    lab::Model model(store);
    return seconds_of([&] {
      model.follow();
      for (std::size_t event = 0; event < store.size(); ++event) ASSERT_NE(model.describe(event), "");
      EXPECT_TRUE(model.latest().objects.empty());
    });
  };
  for (const bool first_ends_first : {false, true}) {
    const double few = seconds_for(3'000, first_ends_first);
    EXPECT_LT(seconds_for(30'000, first_ends_first), 40 * few) << first_ends_first;
  }
}

// Handles of what is gone are given out again.
TEST(model, a_handle_means_the_context_that_lives_or_else_the_last_that_died) {
  World world;
  world.create(kA);
  world.destroy(kA);
  world.create(kA);
  EXPECT_EQ(context(world.fold(), kA).name, "B");
  world.create(kB);
  world.destroy(kA);
  EXPECT_EQ(context(world.fold(), kA).name, "B");
  world.retain(kA, 0);
  EXPECT_EQ(context(world.fold(), kA).name, "P0");
  EXPECT_EQ(context(world.fold(), kB).name, "C");
}

TEST(model, moment_zero_is_before_everything) {
  trace::Store store;
  lab::Model model(store);
  EXPECT_TRUE(model.at(0) == lab::State{});
  EXPECT_TRUE(model.at(99) == lab::State{}) << "a moment that is not there yet is the newest one";
  World world;
  world.create(kA);
  world.into(store);
  model.follow();
  EXPECT_TRUE(model.at(0) == lab::State{});
  EXPECT_EQ(stack(model.at(1)), "A");
}

TEST(model, following_in_pieces_gives_the_same_moments) {
  World world;
  scramble(world, 1000, 9);
  trace::Store store;
  lab::Model model(store);
  std::size_t n = 0;
  for (support::Call& call : world.calls()) {
    store.append(call.event());
    if (++n % 7 == 0) model.follow();
  }
  while (model.follow_some(10)) {
  }
  lab::Model whole(store);
  whole.follow();
  for (std::size_t moment = 0; moment <= store.size(); moment += 13)
    ASSERT_TRUE(model.at(moment) == whole.at(moment)) << moment;
}

TEST(model, walking_on_event_by_event_gives_the_same_moments_as_jumping) {
  World world;
  scramble(world, 1500, 5);
  trace::Store store;
  world.into(store);
  lab::Model walked(store), jumped(store);
  walked.follow();
  jumped.follow();
  for (std::size_t moment = 0; moment <= store.size(); ++moment) {
    (void)jumped.at((moment + store.size() / 2) % store.size());
    ASSERT_TRUE(walked.at(moment) == jumped.at(moment)) << moment;
  }
}

TEST(model, words_leave_the_moment_that_is_shown_alone) {
  World world;
  scramble(world, 500, 3);
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  model.follow();
  const lab::State& shown = model.at(100);
  const lab::State copy = shown;
  for (std::size_t i = 0; i < store.size(); ++i) {
    model.describe(i);
    model.stack_names(i);
    model.agrees(i);
  }
  EXPECT_TRUE(shown == copy);
}

TEST(model, the_top_of_a_stack_is_its_last_name_after_each_event) {
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
    World world;
    scramble(world, 500, seed);
    trace::Store store;
    world.into(store);
    lab::Model model(store);
    std::size_t known = 0;
    for (std::size_t i = 0; i < store.size(); ++i) {
      EXPECT_EQ(model.top_after(i), nullptr) << "not folded yet";
      model.follow_some(1);
      const std::vector<std::string> names = model.stack_names(i);
      const lab::Context* const top = model.top_after(i);
      ASSERT_EQ(top == nullptr ? "" : top->name, names.empty() ? "" : names.back()) << i;
      known += top == nullptr ? 0 : 1;
    }
    EXPECT_GT(known, store.size() / 4);
  }
}

TEST(model, a_merged_primary_owns_its_allocations_only_from_then_on) {
  World world;
  world.call("cuCtxSynchronize").current(kP);
  world.allocate(kMemory, 16);
  world.retain(kP).current(kP);
  world.init();
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  model.follow();
  EXPECT_EQ(model.at(2).contexts[model.at(2).allocations.at(0).context].name, "0x5000f0");
  EXPECT_EQ(model.at(4).contexts[model.at(4).allocations.at(0).context].name, "P0");
}

TEST(model, a_deep_stack_is_kept_at_every_depth) {
  World world;
  world.create(kA);
  for (int i = 0; i < 20000; ++i) world.push(kA);
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  model.follow();
  for (const std::size_t moment : {1u, 500u, 4999u, 20001u})
    EXPECT_EQ(model.at(moment).threads[0].stack.size(), moment);
  EXPECT_LT(model.bytes(), 90u * 20000u) << "keyframes must pay for themselves";
}
