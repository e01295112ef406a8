// SPDX-License-Identifier: MIT
// Which calls of two runs belong together, and that both can be looked at in the same place.
#include <gtest/gtest.h>

#include "lab/run_pair.hpp"
#include "support/events.hpp"

namespace {

using lab::Side;

struct Recorded {
  support::Run run;
  trace::Store store;
  std::unique_ptr<lab::Model> model;

  lab::ComparedRun compared() {
    for (support::Call& call : run.calls()) store.append(call.event());
    model = std::make_unique<lab::Model>(store);
    model->follow();
    return {*model, store};
  }
};

void open_and_close(support::Run& run) {
  run.init();
  run.create(0x10);
  run.allocate(0x7000, 64);
  run.free(0x7000);
  run.destroy(0x10);
}

TEST(run_pair, two_equal_runs_stand_at_the_same_call_everywhere) {
  Recorded first, second;
  open_and_close(first.run);
  open_and_close(second.run);
  const lab::RunPair pair(first.compared(), second.compared());
  EXPECT_FALSE(pair.comparison().first);
  for (std::size_t calls = 0; calls <= 5; ++calls) {
    EXPECT_EQ(pair.calls_beside(Side::First, calls), calls);
    EXPECT_EQ(pair.calls_beside(Side::Second, calls), calls);
  }
  EXPECT_EQ(pair.calls_beside(Side::First, 99), 5u);  // more than there are: the end
}

TEST(run_pair, a_call_that_only_one_run_has_stands_beside_the_call_before_it) {
  Recorded first, second;
  open_and_close(first.run);
  second.run.init();
  second.run.create(0x10);
  second.run.push(0x10);  // added by the edit
  second.run.allocate(0x7000, 64);
  second.run.free(0x7000);
  second.run.destroy(0x10);
  const lab::RunPair pair(first.compared(), second.compared());
  ASSERT_TRUE(pair.comparison().first);
  EXPECT_EQ(pair.comparison().calls, 2u);
  EXPECT_EQ(pair.calls_beside(Side::First, 2), 2u);
  EXPECT_EQ(pair.calls_beside(Side::First, 3), 4u);  // the allocation, on both sides
  EXPECT_EQ(pair.calls_beside(Side::First, 5), 6u);
  EXPECT_EQ(pair.calls_beside(Side::Second, 3), 2u);  // the push has no partner
  EXPECT_EQ(pair.calls_beside(Side::Second, 6), 5u);
}

TEST(run_pair, threads_are_matched_each_by_itself_however_they_overlap) {
  Recorded first, second;
  const auto main = [](support::Run& run) { run.init(), run.create(0x10); };
  const auto worker = [](support::Run& run) { run.push(0x10).thread(1), run.pop(0x10).thread(1); };
  main(first.run), worker(first.run), first.run.destroy(0x10);
  second.run.init(), second.run.create(0x10), second.run.push(0x10).thread(1);
  second.run.destroy(0x10);  // before the worker is through
  second.run.pop(0x10).thread(1);
  const lab::RunPair pair(first.compared(), second.compared());
  EXPECT_EQ(pair.calls_beside(Side::First, 3), 3u);
  EXPECT_EQ(pair.calls_beside(Side::First, 4), 5u);  // the pop
  EXPECT_EQ(pair.calls_beside(Side::First, 5), 4u);  // the destroy
}

TEST(run_pair, a_run_without_calls_stays_at_its_beginning) {
  Recorded first, second;
  open_and_close(first.run);
  const lab::RunPair pair(first.compared(), second.compared());
  EXPECT_EQ(pair.calls_beside(Side::First, 5), 0u);
  EXPECT_EQ(pair.calls_beside(Side::Second, 0), 0u);
}

}  // namespace
