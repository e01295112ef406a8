// SPDX-License-Identifier: MIT
// The parts of the shell, each by itself: what holds of pop-ups, messages, notices, the tour, the run that is
// followed and the place that is kept.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "answer_keys.hpp"
#include "kept_places.hpp"
#include "messages.hpp"
#include "notices.hpp"
#include "popups.hpp"
#include "run_watch.hpp"
#include "stage.hpp"
#include "text_collector.hpp"
#include "tour.hpp"

namespace gui {
namespace {

using lab::Text;

KeyPress key(Key which) {
  KeyPress press;
  press.key = which;
  return press;
}

class Part : public testing::Test {
 protected:
  void open_recording(const char* name = "h200_05_context_stack.dlrec") {
    stage_.open_recording(std::string(GUI_RECORDINGS "/") + name);
  }
  void open_lesson(const char* slug) {
    stage_.bench().open_lesson(slug);
    stage_.wait_while([this] { return stage_.bench().loading(); });
  }
  lab::Workbench& bench() { return stage_.bench(); }

  OwnHome home_;
  Stage stage_;
  lab::Settings settings_;
  std::vector<Command> commands_;
  Pages pages_;
  Selection selection_;
};

// Pop-ups

TEST_F(Part, at_most_one_popup_is_shown_and_escape_closes_it) {
  Popups popups({bench(), settings_, commands_, pages_});
  EXPECT_FALSE(popups.any());
  popups.toggle(PopupName::Keys);
  popups.toggle(PopupName::Search);
  EXPECT_EQ(popups.shown(), PopupName::Search);
  EXPECT_TRUE(popups.take(key(Key::Escape)));
  EXPECT_FALSE(popups.any());
}

TEST_F(Part, a_popup_that_is_toggled_twice_is_closed) {
  Popups popups({bench(), settings_, commands_, pages_});
  popups.toggle(PopupName::Look);
  popups.toggle(PopupName::Look);
  EXPECT_FALSE(popups.any());
}

TEST_F(Part, without_a_popup_keys_and_text_are_for_others) {
  Popups popups({bench(), settings_, commands_, pages_});
  EXPECT_FALSE(popups.take(key(Key::Escape)));
  EXPECT_FALSE(popups.type("text"));
}

TEST_F(Part, the_list_of_keys_leaves_keys_and_text_to_others) {
  Popups popups({bench(), settings_, commands_, pages_});
  popups.toggle(PopupName::Keys);
  EXPECT_FALSE(popups.take(key(Key::Down)));
  EXPECT_FALSE(popups.type("text"));
}

TEST_F(Part, enter_in_the_list_of_lessons_asks_for_the_chosen_one_and_changes_nothing_itself) {
  open_lesson("vector_add");
  Popups popups({bench(), settings_, commands_, pages_});
  popups.toggle(PopupName::Lessons);
  EXPECT_TRUE(popups.take(key(Key::Home)));
  EXPECT_TRUE(popups.take(key(Key::Enter)));
  ASSERT_EQ(commands_.size(), 1u);
  const auto* wanted = std::get_if<command::OpenLesson>(&commands_.front());
  ASSERT_NE(wanted, nullptr);
  EXPECT_EQ(wanted->slug, lab::by_part(bench().catalogue()).front().lessons.front()->slug);
  EXPECT_TRUE(wanted->by_key);
  EXPECT_EQ(bench().lesson()->slug, "vector_add");
}

TEST_F(Part, a_question_about_unkept_text_calls_nothing_when_it_is_closed) {
  Popups popups({bench(), settings_, commands_, pages_});
  bool left = false;
  popups.ask_about_unkept({"main.cpp"}, [&] { left = true; });
  EXPECT_EQ(popups.shown(), PopupName::Unkept);
  EXPECT_TRUE(popups.take(key(Key::Escape)));
  EXPECT_TRUE(commands_.empty());
  EXPECT_FALSE(left);
}

TEST_F(Part, a_question_about_unkept_text_asks_to_leave_once_the_text_may_go) {
  Popups popups({bench(), settings_, commands_, pages_});
  bool left = false;
  popups.ask_about_unkept({"main.cpp"}, [&] { left = true; });
  EXPECT_TRUE(popups.take(key(Key::Down)));  // discard
  EXPECT_TRUE(popups.take(key(Key::Enter)));
  ASSERT_EQ(commands_.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<command::ClosePopup>(commands_[0]));
  ASSERT_TRUE(std::holds_alternative<command::Leave>(commands_[1]));
  EXPECT_FALSE(left);
  std::get<command::Leave>(commands_[1]).then();
  EXPECT_TRUE(left);
}

// Messages and notices

TEST_F(Part, a_message_stays_until_it_is_dismissed) {
  Messages messages;
  EXPECT_FALSE(messages.any(bench()));
  messages.add({Text::WindowNoChineseFont, {}});
  EXPECT_TRUE(messages.any(bench()));
  messages.dismiss(bench());
  EXPECT_FALSE(messages.any(bench()));
}

TEST_F(Part, a_notice_that_is_said_again_replaces_the_first_one) {
  Notices notices;
  notices.say({Text::PictureSaved, {"a.png"}}, lab::Language::English);
  notices.say({Text::PictureSaved, {"b.png"}}, lab::Language::English);
  notices.say({Text::PictureSaved, {"a.png"}}, lab::Language::English);
  ASSERT_EQ(notices.said().size(), 2u);
  EXPECT_EQ(notices.said().back().values.front(), "a.png");
}

// The tour

TEST(ATour, enter_shows_five_cards_and_then_ends) {
  Tour tour;
  EXPECT_FALSE(tour.take(key(Key::Enter))) << "none is shown";
  tour.start();
  for (int card = 0; card < 5; ++card) {
    EXPECT_EQ(tour.card(), card);
    EXPECT_TRUE(tour.take(key(Key::Enter)));
  }
  EXPECT_EQ(tour.card(), -1);
}

TEST(ATour, escape_ends_it_and_other_keys_are_for_others) {
  Tour tour;
  tour.start();
  EXPECT_FALSE(tour.take(key(Key::Down)));
  EXPECT_TRUE(tour.take(key(Key::Escape)));
  EXPECT_EQ(tour.card(), -1);
}

// The run, its text and the place

TEST_F(Part, a_run_gets_a_number_when_the_lesson_changes_and_keeps_it_otherwise) {
  RunWatch watch;
  open_lesson("vector_add");
  EXPECT_TRUE(watch.follow(bench(), 0).lesson);
  const std::uint64_t first = watch.number();
  const RunWatch::News none = watch.follow(bench(), 0);
  EXPECT_FALSE(none.run || none.lesson);
  EXPECT_EQ(watch.number(), first);
  open_lesson("context");
  EXPECT_TRUE(watch.follow(bench(), 0).run);
  EXPECT_EQ(watch.number(), first + 1);
  EXPECT_EQ(watch.lesson(), "context");
}

TEST_F(Part, a_store_with_fewer_events_than_were_seen_holds_another_run) {
  RunWatch watch;
  open_recording();
  (void)watch.follow(bench(), 0);
  EXPECT_FALSE(watch.follow(bench(), bench().store().size()).run);
  EXPECT_TRUE(watch.follow(bench(), bench().store().size() + 1).run);
}

TEST_F(Part, every_event_of_a_run_is_looked_at_once) {
  open_recording();
  Fonts fonts;
  TextCollector text(fonts);
  while (!text.add_run(bench(), lab::Language::English)) {
  }
  EXPECT_EQ(text.events(), bench().store().size());
  text.forget_run();
  EXPECT_EQ(text.events(), 0u);
}

TEST_F(Part, the_place_in_a_lesson_is_kept_and_returned_to) {
  open_lesson("vector_add");
  Pages pages;
  pages.show(Tab::Code);
  selection_.caret = {"main.cpp", 12};
  selection_.notes_top = "copy";
  bench().toggle_breakpoint("main.cpp", 12);
  KeptPlaces::remember(bench(), settings_, pages, selection_);

  Pages again;
  Selection fresh;
  KeptPlaces places;
  places.return_to(bench(), settings_, again, fresh, commands_);
  EXPECT_EQ(again.tab(), Tab::Code);
  ASSERT_EQ(commands_.size(), 2u);
  EXPECT_EQ(std::get<command::ShowSource>(commands_[0]).line, 12);
  EXPECT_EQ(std::get<command::ScrollToStep>(commands_[1]).step, "copy");
  EXPECT_EQ(settings_.places.at("vector_add").breakpoints.at("main.cpp"), std::set<int>{12});
}

TEST_F(Part, what_is_not_shown_keeps_its_place) {
  open_lesson("vector_add");
  Pages pages;
  selection_.caret = {"main.cpp", 12};
  selection_.notes_top = "copy";
  KeptPlaces::remember(bench(), settings_, pages, selection_);
  KeptPlaces::remember(bench(), settings_, pages, Selection{});  // neither notes nor code are drawn
  EXPECT_EQ(settings_.places.at("vector_add").line, 12);
  EXPECT_EQ(settings_.places.at("vector_add").step, "copy");
}

TEST_F(Part, a_recording_leaves_no_place) {
  open_recording();
  KeptPlaces::remember(bench(), settings_, Pages{}, selection_);
  EXPECT_TRUE(settings_.places.empty());
}

// Number keys

TEST_F(Part, zero_in_the_notes_goes_to_the_first_question_that_is_not_solved) {
  open_lesson("vector_add");
  selection_.focus = "notes";
  EXPECT_TRUE(answer_takes(key(Key::Digit0), bench(), selection_, false, commands_));
  ASSERT_EQ(commands_.size(), 1u);
  EXPECT_EQ(std::get<command::ScrollToQuestion>(commands_.front()).question, 0u);
}

TEST_F(Part, a_digit_is_text_in_the_editor_and_an_answer_with_alt) {
  open_lesson("vector_add");
  selection_.quiz = {true, 0};
  selection_.editor_focus.now = true;
  KeyPress one = key(Key::Digit1);
  EXPECT_FALSE(answer_takes(one, bench(), selection_, false, commands_));
  one.alt = true;
  EXPECT_TRUE(answer_takes(one, bench(), selection_, false, commands_));
  EXPECT_TRUE(bench().quiz_tried(0, 0));
  EXPECT_TRUE(std::holds_alternative<command::ScrollToAnswer>(commands_.at(0)));
}

TEST_F(Part, a_digit_without_a_question_is_for_others) {
  open_lesson("vector_add");
  EXPECT_FALSE(answer_takes(key(Key::Digit1), bench(), selection_, false, commands_));
}

// Commands

TEST_F(Part, a_command_is_done_in_the_frame_in_which_it_was_posted) {
  open_lesson("vector_add");
  stage_.begin({});
  stage_.draw();
  const auto found = stage_.shell().places().find("lesson");
  ASSERT_NE(found, stage_.shell().places().end());
  stage_.click(found->second);
  EXPECT_NE(stage_.shell().state_line().find("\"popup\":1,"), std::string::npos);
}

}  // namespace
}  // namespace gui
