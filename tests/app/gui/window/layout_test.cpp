// SPDX-License-Identifier: MIT
// The arrangement at every size a screen has and every scale the window offers: inside, apart, never
// negative.
#include "layout.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace gui {
namespace {

struct Screen {
  float width, height;
};
constexpr Screen kScreens[] = {{320, 240},   {480, 320},   {800, 600},   {1280, 720},
                               {1366, 768},  {1600, 1000}, {1920, 1080}, {2560, 1440},
                               {3840, 2160}, {7680, 4320}, {720, 1280},  {1, 1}};
constexpr float kScales[] = {0.75f, 1.0f, 1.25f, 1.5f, 1.75f, 2.0f, 2.5f};

struct Named {
  std::string name;
  Rect place;
};

// What is on screen at the same time.
std::vector<std::vector<Named>> shown_together(const Layout& l) {
  std::vector<Named> common = {{"bar", l.bar}, {"time", l.time}, {"calls", l.calls}};
  if (l.arrangement != Arrangement::Wide) common.push_back({"tabs", l.tabs});
  const auto with = [&](std::vector<Named> more) {
    more.insert(more.end(), common.begin(), common.end());
    return more;
  };
  std::vector<Named> code = {{"code", l.code}};
  if (l.show_output) code.push_back({"output", l.output});
  if (l.step.h > 0) code.push_back({"step", l.step});
  if (l.arrangement == Arrangement::Wide) {
    code.push_back({"notes", l.notes});
    code.push_back({"picture", l.picture});
    return {with(code)};
  }
  if (l.arrangement == Arrangement::Tabs) {
    code.push_back({"picture", l.picture});
    return {with(code), with({{"notes", l.notes}, {"picture", l.picture}})};
  }
  return {with(code), with({{"notes", l.notes}}), with({{"picture", l.picture}})};
}

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom() && a.w > 0 && a.h > 0 &&
         b.w > 0 && b.h > 0;
}

void check(const Layout& layout, float width, float height, const std::string& where) {
  for (const auto& group : shown_together(layout)) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Rect& r = group[i].place;
      EXPECT_GE(r.w, 0) << group[i].name << where;
      EXPECT_GE(r.h, 0) << group[i].name << where;
      EXPECT_GE(r.x, 0) << group[i].name << where;
      EXPECT_GE(r.y, 0) << group[i].name << where;
      EXPECT_LE(r.right(), std::max(width, r.x) + 0.5f) << group[i].name << where;
      EXPECT_LE(r.bottom(), std::max(height, r.y) + 0.5f) << group[i].name << where;
      for (std::size_t j = i + 1; j < group.size(); ++j)
        EXPECT_FALSE(overlap(r, group[j].place)) << group[i].name << " and " << group[j].name << where;
    }
  }
}

TEST(Layout, panels_lie_inside_the_window_and_never_on_each_other) {
  for (const Screen& screen : kScreens)
    for (const float scale : kScales)
      check(arrange(screen.width, screen.height, scale, {}), screen.width, screen.height,
            " at " + std::to_string(screen.width) + "x" + std::to_string(screen.height) + " " +
                std::to_string(scale));
}

TEST(Layout, splitters_at_their_ends_change_nothing_of_that) {
  for (const float low : {0.0f, 1.0f})
    for (const float high : {0.0f, 1.0f})
      for (const Screen& screen : kScreens)
        check(arrange(screen.width, screen.height, 1, {low, high, low, high}), screen.width, screen.height,
              " with " + std::to_string(low) + " " + std::to_string(high));
}

TEST(Layout, settings_that_are_no_numbers_fall_back) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  check(arrange(1600, 1000, 1, {nan, inf, -inf, nan}), 1600, 1000, " with no numbers");
}

TEST(Layout, without_notes_the_picture_is_wider_and_without_code_the_output_has_its_column) {
  for (const Shown shown : {Shown{false, true}, Shown{false, false}})
    for (const Screen& screen : kScreens)
      for (const float scale : kScales)
        check(arrange(screen.width, screen.height, scale, {}, shown), screen.width, screen.height,
              " of a foreign program at " + std::to_string(screen.width) + " " + std::to_string(scale));
  const Layout lesson = arrange(1600, 1000, 1, {}), sources = arrange(1600, 1000, 1, {}, {false, true}),
               neither = arrange(1600, 1000, 1, {}, {false, false});
  EXPECT_EQ(sources.notes.w, 0);
  EXPECT_EQ(sources.code.x, lesson.notes.x);
  EXPECT_EQ(sources.code.right(), lesson.notes.x + sources.code.w);
  EXPECT_GE(sources.code.w, lesson.code.w);
  EXPECT_NEAR(sources.picture.w, lesson.picture.w + lesson.notes.w, 2);
  EXPECT_EQ(neither.code.h, 0);
  EXPECT_EQ(neither.output.h, lesson.picture.h);
}

TEST(Layout, a_desktop_shows_notes_code_and_picture_side_by_side) {
  for (const Screen& screen : {Screen{1600, 1000}, Screen{1920, 1080}, Screen{3840, 2160}}) {
    const Layout layout = arrange(screen.width, screen.height, 1, {});
    EXPECT_EQ(layout.arrangement, Arrangement::Wide);
    EXPECT_TRUE(layout.show_output);
    EXPECT_LT(layout.notes.right(), layout.code.x);
    EXPECT_LT(layout.code.right(), layout.picture.x);
  }
}

TEST(Layout, a_small_screen_lets_notes_and_code_share_tabs) {
  const Layout layout = arrange(1280, 720, 1, {});
  EXPECT_EQ(layout.arrangement, Arrangement::Tabs);
  EXPECT_GT(layout.notes.w, 480);
  EXPECT_GT(layout.picture.w, 400);
  EXPECT_GT(layout.calls.h, 60);
}

struct SmallScreen {
  float width, height, scale;
};
// A laptop, and projectors.
constexpr SmallScreen kSmallScreens[] = {{1366, 768, 1},  {1280, 720, 1},  {1920, 1080, 1.5f},
                                         {1920, 1080, 2}, {2560, 1440, 2}, {1600, 1000, 2}};

TEST(Layout, on_a_small_screen_the_text_of_the_step_stands_above_the_code_and_both_can_be_read) {
  for (const SmallScreen& screen : kSmallScreens) {
    const Layout layout = arrange(screen.width, screen.height, screen.scale, {});
    SCOPED_TRACE(std::to_string(screen.width) + " at " + std::to_string(screen.scale));
    ASSERT_EQ(layout.arrangement, Arrangement::Tabs);
    EXPECT_GE(layout.step.h, 94 * screen.scale) << "four lines";
    EXPECT_GE(layout.code.h, 130 * screen.scale) << "five lines";
    EXPECT_GE(layout.code.w, 400 * screen.scale);
    EXPECT_EQ(layout.step.y, layout.tabs.bottom());
    EXPECT_EQ(layout.code.y, layout.step.bottom());
    EXPECT_EQ(layout.code.w, layout.step.w);
  }
}

TEST(Layout, on_a_small_screen_six_calls_have_room_below_a_picture_that_is_no_strip) {
  for (const SmallScreen& screen : kSmallScreens) {
    const Layout layout = arrange(screen.width, screen.height, screen.scale, {});
    SCOPED_TRACE(std::to_string(screen.width) + " at " + std::to_string(screen.scale));
    EXPECT_GE(layout.calls.h, (26 + 6 * 26 + 8) * screen.scale) << "the head, six rows and the edge";
    EXPECT_GE(layout.picture.h, 160 * screen.scale);
    EXPECT_GE(layout.picture.w, 350 * screen.scale);
    EXPECT_EQ(layout.time.w, layout.bottom.w) << "time has the width of the window";
    EXPECT_GE(layout.time.w, screen.width * 0.95f);
  }
}

TEST(Layout, in_a_very_low_window_the_picture_keeps_its_height_and_the_calls_give_way) {
  const Layout layout = arrange(1920, 1080, 2.5f, {});
  ASSERT_EQ(layout.arrangement, Arrangement::Tabs);
  EXPECT_GE(layout.picture.h, 159 * 2.5f);
  EXPECT_GE(layout.calls.h, 26 * 4 * 2.5f);
  EXPECT_GE(layout.code.h, 88 * 2.5f);
}

TEST(Layout, a_screen_for_one_panel_has_room_for_two_lines_of_the_step_above_the_code) {
  const Layout layout = arrange(1366, 768, 2, {});
  ASSERT_EQ(layout.arrangement, Arrangement::Stacked);
  EXPECT_GE(layout.step.h, 56 * 2);
  EXPECT_GE(layout.code.h, 87 * 2);
}

TEST(Layout, side_by_side_and_without_notes_the_step_has_no_strip) {
  EXPECT_EQ(arrange(1600, 1000, 1, {}).step.h, 0);
  EXPECT_EQ(arrange(1366, 768, 1, {}, {.notes = false}).step.h, 0);
}

TEST(Layout, the_strip_of_the_step_is_as_high_as_it_was_dragged) {
  const Layout low = arrange(1366, 768, 1, {.step = 0.15f}), high = arrange(1366, 768, 1, {.step = 0.5f});
  EXPECT_LT(low.step.h, high.step.h);
  EXPECT_GT(low.code.h, high.code.h);
  EXPECT_GT(high.code.h, 80);
}

TEST(Layout, the_strip_of_the_step_is_no_higher_than_its_text_and_the_code_gets_the_rest) {
  const Layout whole = arrange(1366, 768, 1, {});
  Layout layout = whole;
  fit_step(layout, 50);
  EXPECT_EQ(layout.step.h, 50);
  EXPECT_EQ(layout.code.y, layout.step.bottom());
  EXPECT_EQ(layout.code.bottom(), whole.code.bottom());
  layout = whole;
  fit_step(layout, 500);
  EXPECT_EQ(layout.step.h, whole.step.h);
  EXPECT_EQ(layout.code.y, whole.code.y);
}

TEST(Layout, what_takes_a_part_of_the_column_takes_the_output_first_and_then_of_the_step) {
  const Layout whole = arrange(1920, 1080, 2, {});
  ASSERT_TRUE(whole.show_output);
  const auto after = [&](float height) {
    Layout layout = whole;
    const Rect taken = take_from_column(layout, height, 2);
    EXPECT_FALSE(layout.show_output);
    EXPECT_EQ(taken.bottom(), whole.notes.bottom());
    EXPECT_EQ(taken.h, height);
    EXPECT_EQ(taken.y, layout.code.bottom());
    EXPECT_EQ(taken.y, layout.notes.bottom());
    return layout;
  };
  EXPECT_EQ(after(200).step.h, whole.step.h);
  const Layout some = after(420);
  EXPECT_LT(some.step.h, whole.step.h);
  EXPECT_GE(some.step.h, 56 * 2);
  EXPECT_EQ(some.code.y, some.step.bottom());
  EXPECT_GE(some.code.h, 88 * 2);
  const Layout none = after(520);
  EXPECT_EQ(none.step.h, 0);
  EXPECT_EQ(none.code.y, whole.step.y);
}

TEST(Layout, above_175_percent_panels_share_places_instead_of_shrinking) {
  EXPECT_EQ(arrange(1600, 1000, 2, {}).arrangement, Arrangement::Tabs);
  EXPECT_EQ(arrange(1600, 1000, 2.5f, {}).arrangement, Arrangement::Stacked);
  EXPECT_EQ(arrange(3840, 2160, 2, {}).arrangement, Arrangement::Wide);
}

TEST(Layout, a_dragged_splitter_moves_its_panel) {
  const Layout narrow = arrange(1600, 1000, 1, {.notes = 0.2f}),
               wide = arrange(1600, 1000, 1, {.notes = 0.35f});
  EXPECT_LT(narrow.notes.w, wide.notes.w);
  EXPECT_EQ(narrow.picture.w, wide.picture.w);
}

TEST(Layout, the_timeline_lies_below_the_strip_of_time_and_the_calls_below_or_above_both) {
  for (const Screen& screen : kScreens)
    for (const float scale : kScales) {
      const Layout layout = arrange(screen.width, screen.height, scale, {.lanes = 0.3f});
      if (screen.height < 2) continue;  // nothing finds room there
      EXPECT_GE(layout.lanes.y, layout.time.bottom());
      EXPECT_LE(layout.lanes.bottom(), layout.bottom.bottom() + 1);
      if (layout.arrangement == Arrangement::Tabs)
        EXPECT_LE(layout.calls.bottom(), layout.bottom.y);
      else
        EXPECT_GE(layout.calls.y, layout.lanes.bottom());
      EXPECT_LE(layout.calls.bottom(), layout.bottom.bottom() + 1);
      EXPECT_GE(layout.calls.h, 0);
    }
}

TEST(Layout, a_fork_takes_a_line_below_the_strip_of_time_and_no_row_of_the_calls) {
  Shown fork;
  fork.fork = true;
  for (const Screen& screen : {Screen{1366, 768}, Screen{1600, 700}}) {
    const Layout without = arrange(screen.width, screen.height, 1, {}),
                 with = arrange(screen.width, screen.height, 1, {}, fork);
    EXPECT_EQ(with.time.h, without.time.h + 18);
    EXPECT_GE(with.calls.h, without.calls.h);
    EXPECT_TRUE(with.calls.y == with.time.bottom() || with.calls.bottom() < with.time.y);
  }
}

TEST(Layout, the_timeline_takes_its_height_from_the_panels_above_and_leaves_the_calls) {
  const Layout without = arrange(1920, 1080, 1, {}), with = arrange(1920, 1080, 1, {.lanes = 0.3f});
  EXPECT_EQ(without.lanes.h, 0);
  EXPECT_GT(with.lanes.h, 250);
  EXPECT_NEAR(with.calls.h, without.calls.h, 1);
  EXPECT_LT(with.picture.h, without.picture.h);
  EXPECT_GT(with.picture.h, 250);
}

TEST(Layout, a_width_of_the_timeline_that_is_no_number_hides_it) {
  const float numbers[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                           -1};
  for (const float number : numbers) EXPECT_EQ(arrange(1600, 1000, 1, {.lanes = number}).lanes.h, 0);
}

}  // namespace
}  // namespace gui
