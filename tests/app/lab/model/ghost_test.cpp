// SPDX-License-Identifier: MIT
// Where two runs part, thread by thread, and which entries of stacks, which memory and which contexts are
// ghosts of the run before at which moment. For each ghost there is a test that it is not one wrongly.
#include "lab/ghost.hpp"

#include <functional>
#include <memory>

#include "world.hpp"

using namespace lab_model_test;
using lab::Divergence;
using lab::Ghost;
using lab::GhostMoment;

namespace {

struct FollowedRun {
  trace::Store store;
  std::unique_ptr<lab::Model> model;
  explicit FollowedRun(const std::function<void(World&)>& program) {
    World world;
    program(world);
    world.into(store);
    model = std::make_unique<lab::Model>(store);
    model->follow();
  }
  lab::ComparedRun compared() const { return {*model, store}; }
};

// The shown run and the one before it.
struct TwoRuns {
  FollowedRun shown, before;
  lab::RunPair pair;
  Ghost ghost;
  TwoRuns(const std::function<void(World&)>& now, const std::function<void(World&)>& then)
      : shown(now),
        before(then),
        pair(shown.compared(), before.compared()),
        ghost(pair, shown.compared(), before.compared()) {}

  GhostMoment after(std::size_t calls) const {
    const std::size_t moment = calls == 0 ? 0 : shown.store.event_of_call(calls - 1) + 1;
    return ghost.at(shown.model->at(moment), *before.model, calls);
  }
  GhostMoment at_the_end() const {
    return ghost.at(shown.model->latest(), *before.model, shown.store.calls(), Ghost::Where::AtTheEnd);
  }
};

// "thread 0: 1 below, ghosts B, new 1-2".
std::string words(const GhostMoment::Stack& stack) {
  std::string out = std::to_string(stack.above) + " below, ghosts";
  for (const std::string& name : stack.before) out += " " + name;
  return out + ", new " + std::to_string(stack.from) + "-" + std::to_string(stack.to);
}

void push_and_allocate(World& run) {
  run.init();
  run.create(kA);
  run.create(kB);
  run.push(kA);
  run.allocate(kMemory, 4096);
  run.free(kMemory);
}

}  // namespace

TEST(ghost, two_equal_runs_have_no_ghost_at_any_moment) {
  const TwoRuns runs(push_and_allocate, push_and_allocate);
  EXPECT_TRUE(runs.pair.comparison().forks.empty());
  for (std::size_t calls = 0; calls <= 6; ++calls) EXPECT_TRUE(runs.after(calls).nothing()) << calls;
  EXPECT_TRUE(runs.at_the_end().nothing());
}

TEST(ghost, a_push_that_was_left_out_is_a_ghost_on_the_stack_from_the_next_call_on) {
  const TwoRuns runs(
      [](World& run) {
        run.init();
        run.create(kA);
        run.create(kB);
        run.allocate(kMemory, 4096);
        run.free(kMemory);
      },
      push_and_allocate);
  for (const std::size_t calls : {0, 1, 2, 3}) EXPECT_TRUE(runs.after(calls).stacks.empty()) << calls;
  const GhostMoment found = runs.after(4);
  ASSERT_EQ(found.stacks.size(), 1u);
  EXPECT_EQ(words(found.stacks[0]), "2 below, ghosts A, new 2-2");
  EXPECT_TRUE(found.memory.empty() && found.new_memory.empty());  // both made it, in this call
}

TEST(ghost, a_push_of_something_else_is_a_ghost_and_a_new_entry) {
  const auto program = [](std::uint64_t pushed) {
    return [pushed](World& run) {
      run.create(kA);
      run.create(kB);
      run.push(pushed);
      run.push(kA);
    };
  };
  const TwoRuns runs(program(kB), program(kA));
  ASSERT_EQ(runs.after(3).stacks.size(), 1u);
  EXPECT_EQ(words(runs.after(3).stacks[0]), "3 below, ghosts A, new 2-3");
  // What both have above it is the same.
  ASSERT_EQ(runs.after(4).stacks.size(), 1u);
  EXPECT_EQ(words(runs.after(4).stacks[0]), "3 below, ghosts A, new 2-3");
}

TEST(ghost, an_entry_that_only_this_run_has_is_new_and_no_ghost) {
  const TwoRuns runs(push_and_allocate, [](World& run) {
    run.init();
    run.create(kA);
    run.create(kB);
    run.allocate(kMemory, 4096);
    run.free(kMemory);
  });
  ASSERT_EQ(runs.after(4).stacks.size(), 1u);
  EXPECT_EQ(words(runs.after(4).stacks[0]), "3 below, ghosts, new 2-3");
  EXPECT_TRUE(runs.after(3).nothing());
}

TEST(ghost, memory_that_was_not_freed_the_last_time_is_a_ghost_once_it_is_freed) {
  const TwoRuns runs(
      [](World& run) {
        run.create(kA);
        run.allocate(kMemory, 4096);
        run.free(kMemory);
        run.call("cuCtxSynchronize");
      },
      [](World& run) {
        run.create(kA);
        run.allocate(kMemory, 4096);
        run.call("cuCtxSynchronize");
      });
  EXPECT_TRUE(runs.after(2).nothing());
  const GhostMoment found = runs.after(3);
  ASSERT_EQ(found.memory.size(), 1u);
  EXPECT_EQ(found.memory[0].context, "A");
  EXPECT_EQ(found.memory[0].size, 4096u);
  EXPECT_TRUE(found.new_memory.empty());
}

TEST(ghost, memory_of_another_size_is_the_same_memory_with_another_size) {
  const auto program = [](std::uint64_t size) {
    return [size](World& run) {
      run.create(kA);
      run.allocate(kMemory, size);
    };
  };
  const TwoRuns runs(program(4096), program(8192));
  const GhostMoment found = runs.after(2);
  EXPECT_EQ(found.other_sizes, (std::map<std::uint32_t, std::uint64_t>{{1, 8192}}));
  EXPECT_TRUE(found.memory.empty() && found.new_memory.empty());
  ASSERT_TRUE(runs.pair.comparison().first);
  EXPECT_EQ(runs.pair.comparison().first->what, Divergence::What::Arguments);
}

TEST(ghost, an_allocation_that_was_left_out_shifts_no_other) {
  const auto program = [](bool both) {
    return [both](World& run) {
      run.create(kA);
      if (both) run.allocate(kMemory, 4096);
      run.call("cuCtxSynchronize");
      run.allocate(kMemory + 0x10000, 512);
    };
  };
  const TwoRuns less(program(false), program(true));
  const GhostMoment lost = less.after(3);  // #1 of now is #2 of then
  ASSERT_EQ(lost.memory.size(), 1u);
  EXPECT_EQ(lost.memory[0].size, 4096u);
  EXPECT_TRUE(lost.new_memory.empty() && lost.other_sizes.empty());
  const TwoRuns more(program(true), program(false));
  const GhostMoment won = more.after(4);
  EXPECT_TRUE(won.memory.empty() && won.other_sizes.empty());
  EXPECT_EQ(won.new_memory, std::set<std::uint32_t>{1});
}

TEST(ghost, a_context_that_was_not_made_is_a_ghost_with_its_memory) {
  const auto program = [](bool both) {
    return [both](World& run) {
      run.create(kA);
      if (both) {
        run.create(kB).current(kB);
        run.allocate(kMemory, 64).current(kB);
      }
      run.call("cuCtxSynchronize");
    };
  };
  const TwoRuns less(program(false), program(true));
  const GhostMoment lost = less.after(2);
  ASSERT_EQ(lost.contexts.size(), 1u);
  EXPECT_EQ(lost.contexts[0].name, "B");
  ASSERT_EQ(lost.memory.size(), 1u);
  EXPECT_EQ(lost.memory[0].context, "B");
  EXPECT_TRUE(lost.new_contexts.empty());
  const TwoRuns more(program(true), program(false));
  const GhostMoment won = more.after(2);
  EXPECT_TRUE(won.contexts.empty());
  EXPECT_EQ(won.new_contexts.size(), 1u);
}

TEST(ghost, at_the_end_of_a_run_the_run_before_is_at_its_end) {
  const TwoRuns runs([](World& run) { run.create(kA), run.allocate(kMemory, 64); },
                     [](World& run) {
                       run.create(kA), run.allocate(kMemory, 64);
                       run.push(kA);
                       run.allocate(kMemory + 0x1000, 32);
                     });
  EXPECT_TRUE(runs.after(2).nothing());
  const GhostMoment found = runs.at_the_end();
  ASSERT_EQ(found.stacks.size(), 1u);
  EXPECT_EQ(words(found.stacks[0]), "1 below, ghosts A, new 1-1");
  ASSERT_EQ(found.memory.size(), 1u);
  EXPECT_EQ(found.memory[0].size, 32u);
}

// Two workers, each with a context and memory of its own: what comes first is chance.
namespace {
void workers(World& run, std::uint32_t first, bool extra = false) {
  run.init();
  const std::uint32_t second = 3 - first;
  for (const std::uint32_t worker : {first, second}) run.create(worker == 1 ? kA : kB).thread(worker);
  for (const std::uint32_t worker : {first, second})
    run.allocate(kMemory + worker * 0x10000, worker * 512).thread(worker).current(worker == 1 ? kA : kB);
  if (extra) run.push(kA).thread(1);
  for (const std::uint32_t worker : {second, first})
    run.free(kMemory + worker * 0x10000).thread(worker).current(worker == 1 ? kA : kB);
}
}  // namespace

TEST(ghost, threads_in_another_order_are_no_fork_and_no_ghost) {
  const TwoRuns runs([](World& run) { workers(run, 1); }, [](World& run) { workers(run, 2); });
  EXPECT_TRUE(runs.pair.comparison().forks.empty());
  for (std::size_t calls = 0; calls <= 7; ++calls) EXPECT_TRUE(runs.after(calls).nothing()) << calls;
}

TEST(ghost, a_fork_on_one_thread_is_none_on_another) {
  const TwoRuns runs([](World& run) { workers(run, 1, true); }, [](World& run) { workers(run, 2); });
  const lab::Comparison& found = runs.pair.comparison();
  ASSERT_EQ(found.forks.size(), 1u);
  EXPECT_EQ(found.forks[0].thread, 1u);
  EXPECT_EQ(found.forks[0].what, Divergence::What::Call);
  EXPECT_EQ(found.forks[0].event_a, found.first->event_a);
  EXPECT_TRUE(runs.after(5).nothing());
  ASSERT_EQ(runs.after(6).stacks.size(), 1u);
  EXPECT_EQ(runs.after(6).stacks[0].thread, 1u);
  EXPECT_EQ(words(runs.after(6).stacks[0]), "2 below, ghosts, new 1-2");
}

TEST(ghost, each_thread_that_parts_has_a_fork_of_its_own_in_the_order_of_this_run) {
  const auto program = [](bool now) {
    return [now](World& run) {
      run.init();
      run.call("cuCtxSynchronize").thread(1).result(201);
      run.call(now ? "cuCtxGetDevice" : "cuCtxSynchronize").thread(2).result(201);
      run.call("cuCtxGetDevice").thread(1).result(now ? 201 : 3);
      if (!now) run.call("cuCtxGetFlags").result(201);
    };
  };
  const TwoRuns runs(program(true), program(false));
  const auto& forks = runs.pair.comparison().forks;
  ASSERT_EQ(forks.size(), 3u);
  EXPECT_EQ(forks[0].thread, 2u);
  EXPECT_EQ(forks[0].what, Divergence::What::Call);
  EXPECT_EQ(forks[1].thread, 1u);
  EXPECT_EQ(forks[1].what, Divergence::What::Result);
  EXPECT_EQ(forks[2].thread, 0u);
  EXPECT_EQ(forks[2].what, Divergence::What::Ends);
  EXPECT_EQ(runs.pair.comparison().calls, 2u);
}

TEST(ghost, a_call_without_a_partner_has_none) {
  const TwoRuns runs([](World& run) { run.init(), run.create(kA), run.push(kA), run.allocate(kMemory, 8); },
                     [](World& run) { run.init(), run.create(kA), run.allocate(kMemory, 8); });
  using lab::Side;
  EXPECT_EQ(runs.pair.partner(Side::First, 0), std::optional<std::size_t>(0));
  EXPECT_EQ(runs.pair.partner(Side::First, 2), std::nullopt);
  EXPECT_EQ(runs.pair.partner(Side::First, 3), std::optional<std::size_t>(2));
  EXPECT_EQ(runs.pair.partner(Side::Second, 2), std::optional<std::size_t>(3));
  EXPECT_EQ(runs.pair.partner(Side::Second, 9), std::nullopt);
}
