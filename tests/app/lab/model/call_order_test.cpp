// SPDX-License-Identifier: MIT
// The rows of a sorted list of calls: their order, that it is the same in slices, and that calls keep their
// numbers.
#include "lab/call_order.hpp"

#include "world.hpp"

using namespace lab_model_test;
using lab::CallColumn;
using lab::CallOrder;

namespace call_order_test {
namespace {

struct Sorted : World {
  Sorted() {
    call("cuMemFree").thread(1).place("a.cpp", 9).event().dur_ns = 30;
    call("cuInit").result(3).place("a.cpp", 5).event().dur_ns = 10;
    call("cuCtxSynchronize").thread(2).place("a.cpp", 7).event().dur_ns = 20;
    call("cuInit").place("a.cpp", 1).event().dur_ns = 20;
    into(store);
  }
  std::vector<std::size_t> rows(const CallOrder::Wanted& wanted, std::size_t at_once = 100) {
    while (order.follow_some(store, wanted, at_once)) {
    }
    std::vector<std::size_t> calls;
    for (std::size_t row = 0; row < order.rows(); ++row) calls.push_back(order.call_at(row));
    return calls;
  }
  trace::Store store;
  CallOrder order;
};

using Rows = std::vector<std::size_t>;

}  // namespace

TEST(CallOrder, each_column_sorts_and_equal_ones_stay_in_the_order_of_the_run) {
  Sorted sorted;
  EXPECT_EQ(sorted.rows({CallColumn::Number, true}), (Rows{3, 2, 1, 0}));
  EXPECT_EQ(sorted.rows({CallColumn::Thread}), (Rows{1, 3, 0, 2}));
  EXPECT_EQ(sorted.rows({CallColumn::Call}), (Rows{2, 1, 3, 0}));
  EXPECT_EQ(sorted.rows({CallColumn::Result, true}), (Rows{1, 0, 2, 3}));
  EXPECT_EQ(sorted.rows({CallColumn::Time, true}), (Rows{0, 2, 3, 1}));
  EXPECT_EQ(sorted.rows({CallColumn::Line}), (Rows{3, 1, 2, 0}));
}

TEST(CallOrder, slices_give_the_same_rows) {
  Sorted sorted;
  EXPECT_EQ(sorted.rows({CallColumn::Time, true}, 1), (Rows{0, 2, 3, 1}));
}

TEST(CallOrder, a_call_is_found_in_its_row_or_in_none) {
  Sorted sorted;
  (void)sorted.rows({CallColumn::Call});
  EXPECT_EQ(sorted.order.row_of(0), 3u);
  EXPECT_EQ(sorted.order.row_of(9), std::nullopt);
}

}  // namespace call_order_test
