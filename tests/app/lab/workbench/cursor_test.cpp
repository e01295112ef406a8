// SPDX-License-Identifier: MIT
// The cursor in a run, without a workbench: following and going back, lines, and the process that is shown.
#include "workbench/cursor.hpp"

#include <gtest/gtest.h>

#include "support/events.hpp"

namespace {

class cursor : public testing::Test {
 protected:
  void append(support::Run& run) {
    for (; appended_ < run.calls().size(); ++appended_)
      store_.append(std::next(run.calls().begin(), static_cast<std::ptrdiff_t>(appended_))->event());
  }
  // Two calls from line 2, one from line 3, one from line 5.
  void four_calls() {
    run_.init().place("main.cpp", 2);
    run_.create(0x10).place("main.cpp", 2);
    run_.push(0x10).place("main.cpp", 3);
    run_.pop(0x10).place("main.cpp", 5);
    append(run_);
    EXPECT_TRUE(cursor_.fold());
  }

  support::Run run_;
  std::size_t appended_ = 0;
  trace::Store store_;
  lab::Cursor cursor_{store_, std::make_shared<lab::Wake>()};
};

TEST_F(cursor, follows_the_run_until_it_goes_back_and_again_from_its_end) {
  EXPECT_FALSE(cursor_.fold());
  four_calls();
  EXPECT_TRUE(cursor_.at_end());
  EXPECT_EQ(cursor_.calls(), 4u);
  cursor_.back();
  EXPECT_EQ(cursor_.calls(), 3u);
  run_.init();
  append(run_);
  EXPECT_TRUE(cursor_.fold());
  EXPECT_EQ(cursor_.calls(), 3u);
  EXPECT_EQ(cursor_.known_calls(), 5u);
  cursor_.go_to(999);
  run_.init();
  append(run_);
  EXPECT_TRUE(cursor_.fold());
  EXPECT_EQ(cursor_.calls(), 6u);
}

TEST_F(cursor, goes_from_line_to_line) {
  four_calls();
  EXPECT_FALSE(cursor_.go_to_line(lab::Direction::Forward));
  EXPECT_TRUE(cursor_.go_to_line(lab::Direction::Back));
  EXPECT_EQ(cursor_.calls(), 3u);
  EXPECT_TRUE(cursor_.go_to_line(lab::Direction::Back));
  EXPECT_EQ(cursor_.calls(), 2u);
  EXPECT_FALSE(cursor_.go_to_line(lab::Direction::Back));
  cursor_.go_to(0);
  EXPECT_TRUE(cursor_.go_to_line(lab::Direction::Forward));
  EXPECT_EQ(cursor_.calls(), 2u);  // both calls of line 2
}

TEST_F(cursor, stops_at_lines_after_the_next_call) {
  four_calls();
  cursor_.go_to(0);
  EXPECT_EQ(cursor_.next_stop({}), std::nullopt);
  EXPECT_EQ(cursor_.next_stop({{"/home/somebody/main.cpp", 3}}), 2u);
  cursor_.go_to_call(1);
  EXPECT_EQ(cursor_.next_stop({{"main.cpp", 3}}), std::nullopt);  // that is the next call itself
  EXPECT_EQ(cursor_.next_stop({{"main.cpp", 5}, {"main.cpp", 2}}), 3u);
}

TEST_F(cursor, returns_to_a_moment_once_the_run_is_followed_to_there) {
  for (int i = 0; i < 3; ++i) run_.init();
  append(run_);
  cursor_.return_to(2);
  EXPECT_FALSE(cursor_.return_to_moment());
  cursor_.fold();
  EXPECT_TRUE(cursor_.return_to_moment());
  EXPECT_EQ(cursor_.calls(), 2u);
  EXPECT_FALSE(cursor_.return_to_moment());  // once
  cursor_.return_to(3);                      // its end, where it follows the run
  cursor_.go_to_end();
  EXPECT_FALSE(cursor_.return_to_moment());
}

TEST_F(cursor, shows_the_process_of_the_call_that_it_goes_to) {
  run_.other(trace::EventKind::ProcessStart, 0, "./parent", 100);
  run_.init();
  run_.other(trace::EventKind::ProcessStart, 0, "./child", 101).process(1);
  run_.init().process(1).thread(1);
  run_.create(0x10).process(1).thread(1);
  append(run_);
  cursor_.fold();
  EXPECT_EQ(cursor_.process(), 0u);  // a run that goes on by itself does not change it
  cursor_.go_to_call(2);
  EXPECT_EQ(cursor_.process(), 1u);
  EXPECT_NE(&cursor_.shown_model(), &cursor_.model());
  cursor_.show_process(7);  // there is none
  EXPECT_EQ(cursor_.process(), 1u);
  trace::Store other;
  cursor_.show(other);
  EXPECT_EQ(cursor_.process(), 0u);
  EXPECT_EQ(cursor_.moments(), 0u);
}

TEST_F(cursor, a_run_that_is_opened_stops_where_something_is_to_be_seen) {
  run_.init();
  run_.create(0x10);
  run_.pop(0x10);
  append(run_);
  cursor_.show_from_first_sight(store_);
  EXPECT_TRUE(cursor_.fold());
  EXPECT_EQ(cursor_.calls(), 2u);
  EXPECT_EQ(cursor_.known_calls(), 3u) << "the rest is read all the same";
  cursor_.go_to_end();
  run_.init();
  append(run_);
  EXPECT_TRUE(cursor_.fold());
  EXPECT_EQ(cursor_.calls(), 4u) << "and from its end it is followed";
}

TEST_F(cursor, a_run_that_shows_nothing_opens_at_its_end) {
  run_.init();
  run_.init();
  append(run_);
  cursor_.show_from_first_sight(store_);
  EXPECT_TRUE(cursor_.fold());
  EXPECT_EQ(cursor_.calls(), 2u);
  EXPECT_TRUE(cursor_.at_end());
}

TEST_F(cursor, the_next_run_returns_to_the_same_call_of_the_same_thread) {
  four_calls();
  EXPECT_FALSE(cursor_.spot()) << "at the end there is no moment to keep";
  cursor_.go_to(2);
  const auto spot = cursor_.spot();
  ASSERT_TRUE(spot);
  EXPECT_EQ(spot->nth, 2u);
  cursor_.show(store_);
  cursor_.return_to(*spot);
  cursor_.fold();
  EXPECT_TRUE(cursor_.return_to_moment());
  EXPECT_EQ(cursor_.calls(), 2u);
  EXPECT_FALSE(cursor_.return_to_moment());
}

TEST_F(cursor, where_the_call_is_another_one_the_next_run_is_followed) {
  four_calls();
  cursor_.go_to(2);
  const auto spot = cursor_.spot();
  ASSERT_TRUE(spot);
  support::Run other;
  other.init();
  other.init();
  other.init();
  trace::Store store;
  for (auto& call : other.calls()) store.append(call.event());
  cursor_.show(store);
  cursor_.return_to(*spot);
  cursor_.fold();
  EXPECT_FALSE(cursor_.return_to_moment());
  EXPECT_TRUE(cursor_.at_end());
  cursor_.show(store_);
}

}  // namespace
