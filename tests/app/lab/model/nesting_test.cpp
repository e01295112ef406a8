// SPDX-License-Identifier: MIT
// The order of calls inside calls: as they completed in the store, as they began in a list.
#include "lab/nesting.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/events.hpp"

namespace {

// The calls of a store: each with its depth, in the order in which they completed.
struct Completed : support::Run {
  void add(std::uint32_t depth, std::string_view name, std::uint32_t thread = 0) {
    call(name).thread(thread).event().depth = depth;
  }
  trace::Store& store() {
    if (store_.size() == 0)
      for (support::Call& call : calls()) store_.append(call.event());
    return store_;
  }
  std::string rows() {
    std::string names;
    for (std::size_t row = 0; row < store().calls(); ++row)
      (names += store().at(store().event_of_call(lab::call_of_row(store(), row, store().calls()))).name) +=
          " ";
    return names;
  }

 private:
  trace::Store store_;
};

}  // namespace

TEST(nesting, calls_in_the_order_in_which_they_began) {
  lab::CallsBegun<char> begun;
  EXPECT_FALSE(begun.add(2, 'c'));
  EXPECT_FALSE(begun.add(1, 'b'));
  EXPECT_FALSE(begun.add(2, 'e'));
  EXPECT_FALSE(begun.add(1, 'd'));
  EXPECT_TRUE(begun.add(0, 'a'));
  std::string order;
  for (const auto& [depth, name] : begun.calls()) order += name + std::to_string(depth);
  EXPECT_EQ(order, "a0b1c2d1e2");
}

TEST(nesting, a_row_shows_a_call_before_those_inside_it) {
  Completed run;
  run.add(0, "cuInit");
  run.add(1, "cuMemAlloc");
  run.add(1, "cuMemFree");
  run.add(0, "cudaMalloc");
  run.add(0, "cuCtxSynchronize");
  EXPECT_EQ(run.rows(), "cuInit cudaMalloc cuMemAlloc cuMemFree cuCtxSynchronize ");
}

TEST(nesting, calls_two_deep_are_below_their_own_outer_call) {
  Completed run;
  run.add(2, "cuMemAlloc");
  run.add(1, "cuGraphLaunch");
  run.add(1, "cuMemFree");
  run.add(0, "cudaMalloc");
  EXPECT_EQ(run.rows(), "cudaMalloc cuGraphLaunch cuMemAlloc cuMemFree ");
}

TEST(nesting, another_thread_in_between_leaves_the_order_of_completion) {
  Completed run;
  run.add(1, "cuMemAlloc");
  run.add(0, "cuInit", 1);
  run.add(0, "cudaMalloc");
  EXPECT_EQ(run.rows(), "cuMemAlloc cuInit cudaMalloc ");
}

TEST(nesting, what_has_not_completed_leaves_the_calls_inside_it_as_they_are) {
  Completed run;
  run.add(0, "cuInit");
  run.add(1, "cuMemAlloc");
  run.add(1, "cuMemFree");
  EXPECT_EQ(run.rows(), "cuInit cuMemAlloc cuMemFree ");
}

TEST(nesting, the_first_call_inside_another_leads_to_the_outermost) {
  Completed run;
  run.add(2, "cuMemAlloc");
  run.add(1, "cuGraphLaunch");
  run.add(0, "cuInit", 1);
  run.add(0, "cudaMalloc");
  EXPECT_EQ(lab::outermost(run.store(), 0), 3u);
  EXPECT_EQ(lab::outermost(run.store(), 1), std::nullopt) << "not the first";
  EXPECT_EQ(lab::outermost(run.store(), 2), 2u);
  EXPECT_EQ(lab::outermost(run.store(), 3), 3u);
}
