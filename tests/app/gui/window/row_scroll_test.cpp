// SPDX-License-Identifier: MIT
// The place of a long list: the current row and the next one in sight, nothing beyond the ends, at any
// length.
#include "row_scroll.hpp"

#include <gtest/gtest.h>

namespace gui {
namespace {

RowScroll list(double rows, double fitting) {
  RowScroll scroll;
  scroll.measure(rows, fitting);
  return scroll;
}

TEST(RowScroll, a_list_that_fits_does_not_scroll) {
  RowScroll scroll = list(5, 8.5);
  scroll.move_by(3);
  EXPECT_EQ(scroll.top(), 0);
  EXPECT_TRUE(scroll.all_fit());
}

TEST(RowScroll, it_stops_at_both_ends) {
  RowScroll scroll = list(100, 10);
  scroll.move_by(-5);
  EXPECT_EQ(scroll.top(), 0);
  scroll.move_by(1000);
  EXPECT_EQ(scroll.top(), 90);
}

TEST(RowScroll, the_shown_row_and_the_next_are_in_sight_at_every_length) {
  for (const double rows : {1.0, 3.0, 50.0, 1e6, 1e9})
    for (const double fitting : {0.7, 1.0, 2.5, 5.3, 40.0}) {
      RowScroll scroll = list(rows, fitting);
      for (const double row : {0.0, std::floor(rows / 2), rows - 1, 1.0}) {
        if (row >= rows) continue;
        scroll.show(row, false);
        EXPECT_LE(scroll.top(), row) << rows << " " << fitting;
        const double wanted = fitting < 2.2 || row + 1 >= rows ? std::min(1.0, fitting) : 2;
        EXPECT_GE(scroll.top() + fitting + 1e-9, row + wanted) << rows << " " << fitting << " " << row;
      }
    }
}

TEST(RowScroll, a_row_that_is_in_sight_moves_nothing) {
  RowScroll scroll = list(1e6, 10);
  scroll.move_to(500'000);
  scroll.show(500'004, false);
  EXPECT_EQ(scroll.top(), 500'000);
}

TEST(RowScroll, showing_anew_forgets_where_it_was) {
  RowScroll there = list(1000, 5.5), here = list(1000, 5.5);
  there.move_to(0);
  here.move_to(900);
  there.show(400, true);
  here.show(400, true);
  EXPECT_EQ(there.top(), here.top());
}

TEST(RowScroll, a_list_that_becomes_shorter_stays_inside) {
  RowScroll scroll = list(1e6, 10);
  scroll.move_to(999'990);
  scroll.measure(20, 10);
  EXPECT_EQ(scroll.top(), 10);
}

}  // namespace
}  // namespace gui
