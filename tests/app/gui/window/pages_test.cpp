// SPDX-License-Identifier: MIT
// Which page is in front, and where F6, Ctrl+Tab and Ctrl+M lead, in each arrangement.
#include "pages.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gui {
namespace {

class PagesIn : public testing::Test {
 protected:
  static Pages in(Arrangement arrangement, Shown there = {}) {
    Pages pages;
    pages.follow(there);
    pages.arrange(arrangement, false);
    return pages;
  }
  std::string round_of(Pages& pages) {
    std::string order;
    selection_.focus.clear();
    for (int i = 0; i < 5; ++i) go_on(pages), order += selection_.focus + " ";
    return order;
  }
  void go_on(Pages& pages) { pages.move_focus(selection_, Pages::Towards::Next); }
  Selection selection_;
};

TEST_F(PagesIn, a_wide_window_only_notes_and_exercise_share_a_place) {
  EXPECT_EQ(in(Arrangement::Wide).all(true), (std::vector<Page>{{Tab::Notes, false}, {Tab::Notes, true}}));
  EXPECT_EQ(in(Arrangement::Wide).all(false), (std::vector<Page>{{Tab::Notes, false}}));
}

TEST_F(PagesIn, smaller_windows_the_code_and_then_the_picture_join_them) {
  EXPECT_EQ(in(Arrangement::Tabs).all(false), (std::vector<Page>{{Tab::Notes}, {Tab::Code}}));
  EXPECT_EQ(in(Arrangement::Stacked).all(false),
            (std::vector<Page>{{Tab::Notes}, {Tab::Code}, {Tab::Picture}}));
}

TEST_F(PagesIn, each_arrangement_the_next_page_comes_round_to_the_first) {
  for (const Arrangement each : {Arrangement::Wide, Arrangement::Tabs, Arrangement::Stacked}) {
    Pages pages = in(each);
    const std::vector<Page> all = pages.all(true);
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(pages.shown(true), all[i]);
      pages.show_next(true, selection_);
    }
    EXPECT_EQ(pages.shown(true), all.front());
  }
}

TEST_F(PagesIn, small_windows_the_keyboard_goes_along_with_the_page_that_had_it) {
  Pages pages = in(Arrangement::Stacked);
  selection_.focus = "notes";
  pages.show_next(false, selection_);
  EXPECT_EQ(selection_.focus, "code");
  EXPECT_EQ(selection_.focus_wanted, "code");
}

TEST_F(PagesIn, small_windows_the_keyboard_stays_where_it_is_when_that_was_another_panel) {
  Pages pages = in(Arrangement::Stacked);
  selection_.focus = "calls";
  pages.show_next(false, selection_);
  EXPECT_EQ(selection_.focus, "calls");
  EXPECT_EQ(selection_.focus_wanted, "");
}

TEST_F(PagesIn, every_window_F6_goes_through_all_panels_and_the_bar) {
  Pages pages = in(Arrangement::Wide);
  go_on(pages);
  EXPECT_EQ(selection_.focus, "code") << "the first time";
  selection_.focus = "bar";
  std::string order, back;
  for (int i = 0; i < 6; ++i) go_on(pages), order += selection_.focus + " ";
  EXPECT_EQ(order, "notes code picture time calls bar ");
  for (int i = 0; i < 6; ++i)
    pages.move_focus(selection_, Pages::Towards::Last), back += selection_.focus + " ";
  EXPECT_EQ(back, "calls time picture code notes bar ") << "with Shift";
}

TEST_F(PagesIn, a_window_with_the_timeline_F6_goes_there_after_the_strip_of_time) {
  Pages pages = in(Arrangement::Wide);
  selection_.timeline = true;
  selection_.focus = "time";
  go_on(pages);
  EXPECT_EQ(selection_.focus, "timeline");
}

TEST_F(PagesIn, two_runs_side_by_side_F6_stays_with_them_the_strip_and_the_bar) {
  Pages pages = in(Arrangement::Wide);
  pages.maximize(Panel::Compare);
  EXPECT_EQ(round_of(pages), "compare time bar compare time ");
  EXPECT_EQ(pages.maximized(), Panel::Compare);
}

TEST_F(PagesIn, any_window_with_room_for_the_output_F6_goes_there_and_shows_it) {
  Pages pages = in(Arrangement::Stacked);
  pages.arrange(Arrangement::Stacked, true);
  selection_.focus = "code";
  pages.show(Tab::Picture);
  go_on(pages);
  EXPECT_EQ(selection_.focus, "output");
  EXPECT_EQ(pages.tab(), Tab::Code);
  EXPECT_EQ(pages.in_use(selection_), Panel::Output);
}

TEST_F(PagesIn, a_recording_without_notes_and_sources_F6_leaves_them_out) {
  Pages pages = in(Arrangement::Wide, {.notes = false, .code = false});
  EXPECT_EQ(round_of(pages), "picture time calls bar picture ");
}

TEST_F(PagesIn, small_windows_the_panel_that_F6_chose_comes_to_the_front) {
  Pages pages = in(Arrangement::Stacked);
  selection_.focus = "code";
  go_on(pages);
  EXPECT_EQ(pages.tab(), Tab::Picture);
}

TEST_F(PagesIn, a_recording_whose_notes_are_gone_the_code_comes_to_the_front) {
  Pages pages = in(Arrangement::Stacked);
  pages.follow({.notes = false});
  EXPECT_EQ(pages.tab(), Tab::Code);
}

TEST_F(PagesIn, a_window_where_the_picture_is_in_front_it_stays_when_notes_are_gone) {
  Pages pages = in(Arrangement::Stacked);
  pages.show(Tab::Picture);
  pages.follow({.notes = false});
  EXPECT_EQ(pages.tab(), Tab::Picture);
}

TEST_F(PagesIn, every_window_notes_that_were_asked_for_are_not_behind_another_panel) {
  Pages pages = in(Arrangement::Wide);
  pages.maximize(Panel::Picture);
  pages.show_exercise(true);
  pages.show_notes();
  EXPECT_EQ(pages.maximized(), Panel::None);
  EXPECT_FALSE(pages.exercise());
}

TEST_F(PagesIn, every_window_notes_alone_stay_alone_when_they_are_asked_for) {
  Pages pages = in(Arrangement::Wide);
  pages.maximize(Panel::Notes);
  pages.show_notes();
  EXPECT_EQ(pages.maximized(), Panel::Notes);
}

TEST_F(PagesIn, every_window_the_panel_in_use_is_that_of_the_keyboard_then_of_the_mouse_then_the_editor) {
  Pages pages = in(Arrangement::Wide);
  selection_.editor_focus.now = true;
  EXPECT_EQ(pages.in_use(selection_), Panel::Code);
  pages.point_at(Panel::Picture);
  EXPECT_EQ(pages.in_use(selection_), Panel::Picture);
  selection_.focus = "calls";
  EXPECT_EQ(pages.in_use(selection_), Panel::Bottom);
}

TEST(NameOf, every_tab_leads_back_to_it) {
  for (const Tab tab : {Tab::Notes, Tab::Code, Tab::Picture}) EXPECT_EQ(tab_named(name_of(tab)), tab);
  EXPECT_FALSE(tab_named("calls"));
  EXPECT_EQ(panel_named("calls"), Panel::Bottom);
  EXPECT_EQ(panel_named("bar"), Panel::None);
}

}  // namespace
}  // namespace gui
