// SPDX-License-Identifier: MIT
// How the keyboard goes through what can be pressed, without a window.
#include "key_stops.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gui {
namespace {

class Stops : public testing::Test {
 protected:
  using Id = KeyStops::Id;
  // A frame in which these are drawn; returns what was pressed.
  Id frame(const std::vector<Id>& ids, KeyStops::Arrows arrows = KeyStops::Arrows::OfPlace) {
    stops_.begin_frame();
    stops_.follow("panel");
    Id pressed = 0;
    at_ = 0;
    {
      const KeyPlace elsewhere(stops_, "another panel");
      stops_.stop(99, 0, 0);
    }
    const KeyPlace place(stops_, "panel", arrows);
    for (const Id id : ids) {
      const KeyStops::Here here = stops_.stop(id, 0, 0);
      if (here.on) at_ = id;
      if (here.pressed) pressed = id;
    }
    stops_.end_frame();
    return pressed;
  }
  bool press(Key key, bool shift = false, bool typing = false) {
    return stops_.take({key, false, shift}, typing);
  }
  KeyStops stops_;
  Id at_ = 0;
};

TEST_F(Stops, tab_goes_through_those_of_its_place_and_round) {
  frame({1, 2, 3});
  EXPECT_EQ(at_, 0u);
  for (const Id wanted : {1u, 2u, 3u, 1u}) {
    EXPECT_TRUE(press(Key::Tab));
    frame({1, 2, 3});
    EXPECT_EQ(at_, wanted);
  }
  EXPECT_TRUE(press(Key::Tab, true));
  frame({1, 2, 3});
  EXPECT_EQ(at_, 3u);
}

TEST_F(Stops, a_key_presses_only_what_is_stood_on_and_once) {
  frame({1, 2});
  EXPECT_FALSE(press(Key::Enter)) << "it is the panel's";
  press(Key::Tab), press(Key::Tab);
  EXPECT_TRUE(press(Key::Space));
  EXPECT_EQ(frame({1, 2}), 2u);
  EXPECT_EQ(frame({1, 2}), 0u);
}

TEST_F(Stops, escape_goes_back_to_the_place_and_then_is_for_others) {
  frame({1, 2});
  press(Key::Tab);
  frame({1, 2});
  EXPECT_TRUE(press(Key::Escape));
  frame({1, 2});
  EXPECT_EQ(at_, 0u);
  EXPECT_TRUE(stops_.whole("panel"));
  EXPECT_FALSE(press(Key::Escape));
}

TEST_F(Stops, arrows_walk_only_where_the_place_has_no_other_use_for_them) {
  frame({1, 2});
  EXPECT_FALSE(press(Key::Down));
  frame({1, 2}, KeyStops::Arrows::Walk);
  EXPECT_TRUE(press(Key::Down));
  EXPECT_TRUE(press(Key::Right));
  frame({1, 2}, KeyStops::Arrows::Walk);
  EXPECT_EQ(at_, 2u);
}

TEST_F(Stops, where_one_is_gone_what_took_its_place_is_stood_on) {
  frame({1, 2, 3});
  press(Key::Tab), press(Key::Tab);
  frame({1, 3});
  frame({1, 3});
  EXPECT_EQ(at_, 3u);
  frame({});  // the panel is not drawn
  frame({1, 3});
  EXPECT_EQ(at_, 3u);
}

TEST_F(Stops, in_a_field_plain_keys_are_text_and_tab_goes_on) {
  frame({1, 2});
  press(Key::Tab);
  frame({1, 2});
  EXPECT_FALSE(press(Key::Space, false, true));
  EXPECT_FALSE(press(Key::Escape, false, true));
  EXPECT_TRUE(press(Key::Tab, false, true));
  EXPECT_TRUE(stops_.has_left(1));
  frame({1, 2});
  EXPECT_EQ(at_, 2u);
}

TEST_F(Stops, a_row_that_is_drawn_from_the_right_is_walked_from_the_left) {
  stops_.begin_frame();
  stops_.follow("panel");
  {
    const KeyPlace place(stops_, "panel");
    const KeyOrder order(stops_, KeyOrder::Of::Row);
    stops_.stop(1, 300, 0), stops_.stop(2, 200, 5), stops_.stop(3, 100, 2);
  }
  stops_.end_frame();
  press(Key::Tab);
  EXPECT_TRUE(stops_.is_on(3));
}

TEST_F(Stops, the_last_row_is_walked_after_all_else_although_it_is_drawn_first) {
  stops_.begin_frame();
  stops_.follow("panel");
  {
    const KeyPlace place(stops_, "panel");
    {
      const KeyOrder order(stops_, KeyOrder::Of::LastRow);
      stops_.stop(1, 200, 0), stops_.stop(2, 100, 0);
    }
    stops_.stop(3, 0, 50);
  }
  stops_.end_frame();
  for (const Id wanted : {3u, 2u, 1u, 3u}) {
    press(Key::Tab);
    EXPECT_TRUE(stops_.is_on(wanted)) << wanted;
  }
}

TEST_F(Stops, a_place_that_opens_by_a_key_begins_with_what_it_prefers) {
  stops_.begin_in("menu", KeyStops::From::First);
  for (int i = 0; i < 2; ++i) {
    stops_.begin_frame();
    stops_.follow("menu");
    const KeyPlace place(stops_, "menu", KeyStops::Arrows::Walk);
    stops_.stop(1, 0, 0), stops_.stop(2, 0, 0, true), stops_.stop(3, 0, 0, true);
    stops_.end_frame();
  }
  EXPECT_TRUE(stops_.is_on(2));
}

}  // namespace
}  // namespace gui
