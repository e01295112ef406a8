// SPDX-License-Identifier: MIT
// Which part of a run the timeline shows: zooming, moving, and what stays in its place meanwhile.
#include "timeline_range.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace gui {
namespace {

using Kind = lab::TimeScale::Kind;

lab::TimeScale thousand_calls() {
  lab::TimeScale scale;
  for (std::uint64_t call = 0; call < 1000; ++call) {
    scale.add(call * 1000);
    scale.add(call * 1000 + (call % 10 == 0 ? 900 : 40));
  }
  scale.settle();
  return scale;
}

TEST(TimelineRange, at_first_all_of_the_run_is_shown) {
  const lab::TimeScale scale = thousand_calls();
  TimelineRange range;
  EXPECT_GT(range.part_of(scale, scale.first()), 0);
  EXPECT_LT(range.part_of(scale, scale.last()), 1);
  EXPECT_EQ(range.shown(scale), 1);
}

TEST(TimelineRange, what_is_under_the_mouse_stays_there_when_it_zooms) {
  const lab::TimeScale scale = thousand_calls();
  for (const Kind kind : {Kind::Steps, Kind::Clock}) {
    TimelineRange range;
    range.set_kind(kind);
    const std::uint64_t there = range.instant_at(scale, 0.3);
    for (int i = 0; i < 8; ++i) range.zoom(scale, 1.5, 0.3);
    EXPECT_LT(range.shown(scale), 0.05);
    EXPECT_NEAR(range.part_of(scale, there), 0.3, 0.01);
  }
}

TEST(TimelineRange, it_zooms_down_to_one_call_and_no_further) {
  const lab::TimeScale scale = thousand_calls();
  TimelineRange range;
  for (int i = 0; i < 200; ++i) range.zoom(scale, 2, 0.5);
  EXPECT_GE(range.ends(scale).wide(), 2.9);
  EXPECT_LE(range.ends(scale).wide(), 3.1);
}

TEST(TimelineRange, zooming_out_ends_with_all_of_the_run) {
  const lab::TimeScale scale = thousand_calls();
  TimelineRange range;
  range.zoom(scale, 10, 0.5);
  EXPECT_FALSE(range.fits());
  for (int i = 0; i < 10; ++i) range.zoom(scale, 0.5, 0.5);
  EXPECT_TRUE(range.fits());
}

TEST(TimelineRange, it_does_not_move_beyond_the_ends_of_the_run) {
  const lab::TimeScale scale = thousand_calls();
  TimelineRange range;
  range.zoom(scale, 10, 0.5);
  for (int i = 0; i < 100; ++i) range.move(scale, 1);
  EXPECT_NEAR(range.part_of(scale, scale.last()), 1, 0.01);
  for (int i = 0; i < 100; ++i) range.move(scale, -1);
  EXPECT_NEAR(range.part_of(scale, scale.first()), 0, 0.01);
}

TEST(TimelineRange, a_moment_out_of_view_is_brought_into_it_and_one_in_view_moves_nothing) {
  const lab::TimeScale scale = thousand_calls();
  TimelineRange range;
  range.zoom(scale, 20, 0);
  const auto before = range.ends(scale);
  range.show(scale, range.instant_at(scale, 0.7));
  EXPECT_EQ(range.ends(scale).from, before.from);
  range.show(scale, 700'000);
  EXPECT_NEAR(range.part_of(scale, 700'000), 0.5, 0.01);
  EXPECT_NEAR(range.ends(scale).wide(), before.wide(), 1);
}

TEST(TimelineRange, the_other_scale_shows_the_same_part_of_the_run) {
  const lab::TimeScale scale = thousand_calls();
  TimelineRange range;
  range.zoom(scale, 20, 0.5);
  const std::uint64_t from = range.instant_at(scale, 0), to = range.instant_at(scale, 1);
  range.set_kind(Kind::Clock);
  EXPECT_EQ(range.instant_at(scale, 0), from);
  EXPECT_EQ(range.instant_at(scale, 1), to);
}

TEST(TimelineRange, a_run_that_grows_stays_where_it_was_zoomed_to) {
  lab::TimeScale scale = thousand_calls();
  TimelineRange range;
  range.zoom(scale, 20, 0.5);
  const std::uint64_t from = range.instant_at(scale, 0);
  for (std::uint64_t i = 0; i < 500; ++i) scale.add(2'000'000 + i * 1000);
  scale.settle();
  EXPECT_EQ(range.instant_at(scale, 0), from);
}

TEST(TimelineRange, pixels_begin_in_order_and_hold_the_last_instant) {
  const lab::TimeScale scale = thousand_calls();
  TimelineRange range;
  std::vector<std::uint64_t> edges;
  range.edges(scale, 333, edges);
  ASSERT_EQ(edges.size(), 334u);
  EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
  EXPECT_GT(edges.back(), scale.last());
}

TEST(TimelineRange, a_run_without_calls_has_some_width) {
  const lab::TimeScale scale;
  TimelineRange range;
  range.zoom(scale, 2, 0.5);
  EXPECT_GT(range.ends(scale).wide(), 0);
}

}  // namespace
}  // namespace gui
