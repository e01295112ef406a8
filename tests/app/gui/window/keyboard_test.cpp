// SPDX-License-Identifier: MIT
// The window by keyboard alone: everything that can be pressed is reached, there is one ring, Escape leaves,
// and what was open gives the keyboard back.
//
// Drives the whole window without a display.
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "stage.hpp"

namespace gui {
namespace {

class Keyboard : public testing::Test {
 protected:
  void open(const char* recording = "h200_05_context_stack.dlrec", Look look = {}) {
    stage_.open_recording(std::string(GUI_RECORDINGS "/") + recording);
    stage_.begin(look);
    stage_.draw();
    if (value("predict") == "true") press({Key::F2});  // a question lets nobody go on
  }
  std::string value(const std::string& name) {
    const std::string line = stage_.shell().state_line(), key = "\"" + name + "\":";
    const std::size_t at = line.find(key);
    if (at == std::string::npos) return "there is no " + name;
    std::size_t begin = at + key.size(), end = line.find_first_of(",}", begin);
    if (line[begin] == '"') end = line.find('"', ++begin);
    return line.substr(begin, end - begin);
  }
  void press(KeyPress key) {
    stage_.press(key);
    stage_.draw();
  }
  void focus(const std::string& panel) {
    for (int i = 0; i < 9 && value("focus") != panel; ++i) press({Key::F6});
    ASSERT_EQ(value("focus"), panel);
  }
  // By Tab; false: it is not there.
  bool walk_to(const std::string& stop, bool back = false) {
    std::string first;
    for (int i = 0; i < 400; ++i) {
      press({Key::Tab, false, back});
      const std::string now = value("stop");
      if (now == stop) return true;
      if (i > 0 && now == first) return false;
      if (i == 0) first = now;
    }
    return false;
  }
  bool there(const std::string& place) { return stage_.shell().places().count(place) > 0; }
  std::size_t call() { return stage_.bench().call_at_cursor(); }
  static std::string clipboard() {
    const char* const text = ImGui::GetClipboardText();
    return text == nullptr ? "" : text;
  }
  OwnHome home_;
  Stage stage_;
};

TEST_F(Keyboard, every_panel_has_one_ring_around_itself_or_around_what_tab_came_to) {
  open();
  press({Key::F3});
  std::vector<std::string> walked;
  for (int panel = 0; panel < 8; ++panel) {
    press({Key::F6});
    const std::string name = value("focus");
    EXPECT_EQ(value("rings"), "1") << name;
    if (name == "code") continue;  // there Tab is the editor's
    for (int i = 0; i < 12; ++i) {
      press({Key::Tab});
      EXPECT_EQ(value("rings"), "1") << name << ", " << value("stop");
      EXPECT_EQ(value("focus"), name);
    }
    if (!value("stop").empty()) walked.push_back(name);
    press({Key::Escape});
    EXPECT_EQ(value("stop"), "") << name;
    EXPECT_EQ(value("rings"), "1") << name;
  }
  std::sort(walked.begin(), walked.end());
  EXPECT_EQ(walked, (std::vector<std::string>{"bar", "calls", "notes", "picture", "time", "timeline"}));
}

TEST_F(Keyboard, tab_begins_in_the_bar_and_goes_from_left_to_right) {
  open();
  press({Key::Tab});
  EXPECT_EQ(value("focus"), "bar");
  EXPECT_EQ(value("stop"), "files");
  std::string order;
  for (int i = 0; i < 6; ++i) press({Key::Right}), order += value("stop") + " ";
  EXPECT_EQ(order, "lesson restart back step continue stop ");
  press({Key::Tab, false, true});
  EXPECT_EQ(value("stop"), "continue");
}

TEST_F(Keyboard, a_head_sorts_the_calls_and_the_menu_of_the_columns_copies_them) {
  open();
  focus("calls");
  ASSERT_TRUE(walk_to("sort 0"));
  press({Key::Enter});
  ASSERT_TRUE(walk_to("columns"));
  press({Key::Enter});
  EXPECT_EQ(value("rings"), "1");
  ASSERT_EQ(value("stop"), "column 0");
  press({Key::Space});
  press({Key::End});
  ASSERT_EQ(value("stop"), "copy calls");
  press({Key::Enter});
  EXPECT_EQ(value("stop"), "columns") << "the menu is closed";
  const std::string table = clipboard();
  const std::size_t second = table.find('\n') + 1;
  EXPECT_EQ(table.substr(second, table.find('\t', second) - second),
            std::to_string(stage_.bench().store().calls()));
  EXPECT_EQ(table.find("Thread"), std::string::npos);
}

TEST_F(Keyboard, escape_closes_the_menu_of_the_columns_and_goes_back_to_its_button) {
  open();
  focus("calls");
  ASSERT_TRUE(walk_to("columns", true));
  press({Key::Space});
  press({Key::Down});
  EXPECT_EQ(value("stop"), "column 1");
  const std::size_t before = call();
  press({Key::Down});
  EXPECT_EQ(call(), before) << "the list behind it stays";
  press({Key::Escape});
  EXPECT_EQ(value("stop"), "columns");
  EXPECT_FALSE(there("column 1"));
  press({Key::Escape});
  EXPECT_EQ(value("stop"), "");
  press({Key::Home});
  EXPECT_EQ(call(), 1u);
}

TEST_F(Keyboard, only_these_is_reached_from_the_field_and_the_field_from_there) {
  open();
  focus("calls");
  press({Key::F, true});
  stage_.type("name:cuCtxPushCurrent");
  press({Key::Enter});
  EXPECT_EQ(value("rings"), "1");
  std::string order;
  for (int i = 0; i < 3; ++i) {
    press({Key::Tab});
    order += value("stop") + ", ";
    EXPECT_EQ(value("rings"), "1");
  }
  ASSERT_EQ(order, "find previous, find next, find only, ");
  press({Key::Enter});
  focus("calls");
  press({Key::End});
  EXPECT_LT(call(), stage_.bench().store().calls()) << "the last one that was found";
  ASSERT_TRUE(walk_to("field"));
  EXPECT_EQ(value("rings"), "1");
  press({Key::A, true});
  stage_.type("result:error");
  stage_.draw();
  EXPECT_EQ(value("stop"), "field") << "Space, Enter and letters are the field's";
  press({Key::Escape});
  if (there("find calls")) press({Key::Escape});  // what it can be completed to goes first
  EXPECT_FALSE(there("find calls"));
  EXPECT_EQ(value("focus"), "calls");
  EXPECT_EQ(value("rings"), "1");
}

TEST_F(Keyboard, the_tools_of_the_picture_come_after_what_is_in_it) {
  open();
  stage_.bench().jump_to_call(9);
  stage_.draw();
  focus("picture");
  press({Key::Tab, false, true});
  EXPECT_EQ(value("stop"), "fit");
  press({Key::Tab, false, true});
  ASSERT_EQ(value("stop"), "filter");
  press({Key::Enter});
  ASSERT_TRUE(there("picture kind 0"));
  ASSERT_TRUE(walk_to("kind 0"));
  press({Key::Space});
  EXPECT_TRUE(there("picture all")) << "not everything is shown";
  ASSERT_TRUE(walk_to("open find"));
  press({Key::Enter});
  ASSERT_TRUE(there("picture find"));
  EXPECT_EQ(value("rings"), "1");
  stage_.type("A");
  press({Key::Escape});
  EXPECT_FALSE(there("picture find"));
  EXPECT_EQ(value("focus"), "picture");
  EXPECT_EQ(value("rings"), "1");
}

TEST_F(Keyboard, enter_goes_into_the_card_of_a_thing_and_escape_back_to_it) {
  open();
  stage_.bench().jump_to_call(12);
  stage_.draw();
  focus("picture");
  while (value("object") != "A") {
    press({Key::Tab});
    ASSERT_NE(value("stop"), "fit") << "all of it was walked through";
  }
  const std::string thing = value("stop");
  press({Key::Enter});
  EXPECT_EQ(value("rings"), "1");
  ASSERT_EQ(value("stop"), "previous");
  for (int i = 0; i < 5 && value("stop") != "row"; ++i) press({Key::Down});
  ASSERT_EQ(value("stop"), "row");
  press({Key::Enter});
  EXPECT_LT(call(), 12u) << "where it was made";
  EXPECT_EQ(value("object"), "A");
  press({Key::Escape});
  EXPECT_EQ(value("stop"), thing);
  press({Key::Escape});
  EXPECT_EQ(value("object"), "");
  EXPECT_EQ(value("focus"), "picture");
}

TEST_F(Keyboard, a_link_of_the_notes_is_copied_and_a_step_gone_to) {
  open();
  ASSERT_NE(stage_.bench().lesson(), nullptr);
  stage_.bench().jump_to_call(0);
  focus("notes");
  ASSERT_TRUE(walk_to("step 2"));
  const std::string step = value("step");
  press({Key::Enter});
  EXPECT_NE(value("step"), step);
  EXPECT_EQ(call(), stage_.bench().calls_of_step(*stage_.bench().step_name()).front() + 1);
  for (int i = 0; i < 60 && !value("stop").starts_with("link"); ++i) press({Key::Tab, false, true});
  ASSERT_TRUE(value("stop").starts_with("link"));
  press({Key::Enter});
  EXPECT_TRUE(clipboard().starts_with("http")) << clipboard();
  EXPECT_NE(value("said").find(clipboard()), std::string::npos);
}

TEST_F(Keyboard, arrows_scroll_the_notes) {
  open("h200_05_context_stack.dlrec", Look{1366, 768, 150});
  focus("notes");
  press({Key::Home});
  const DrawnText* lowest = nullptr;
  for (const DrawnText& text : stage_.draw().texts())
    if (text.window.find("/notes_") != std::string::npos && text.text.size() > 12 &&
        (lowest == nullptr || text.box.y > lowest->box.y))
      lowest = &text;
  ASSERT_NE(lowest, nullptr);
  const std::string words = lowest->text;
  const auto top = [&] {
    for (const DrawnText& text : stage_.draw().texts())
      if (text.text == words) return text.box.y;
    return 1e9f;
  };
  const float begin = top();
  press({Key::Down});
  const float below = top();
  EXPECT_LT(below, begin);
  press({Key::Down});
  EXPECT_LT(top(), below);
  press({Key::Home});
  EXPECT_EQ(top(), begin);
}

TEST_F(Keyboard, the_strip_of_time_is_walked_and_its_buttons_pressed) {
  open();
  focus("time");
  press({Key::Home});
  EXPECT_EQ(call(), 0u);
  press({Key::Right}), press({Key::Right}), press({Key::Left});
  EXPECT_EQ(call(), 1u);
  press({Key::End});
  EXPECT_EQ(call(), stage_.bench().store().calls());
  ASSERT_TRUE(walk_to("pin"));
  press({Key::Enter});
  EXPECT_NE(value("pin"), "-1");
  press({Key::Home});
  EXPECT_EQ(call(), 0u) << "the arrows are the strip's";
}

TEST_F(Keyboard, the_timeline_is_zoomed_by_its_buttons_too) {
  open();
  press({Key::F3});
  focus("timeline");
  ASSERT_TRUE(walk_to("timeline in"));
  const std::string all = value("timeline");
  press({Key::Enter});
  EXPECT_LT(std::stoi(value("timeline")), std::stoi(all));
}

TEST_F(Keyboard, an_exercise_is_worked_on_by_keys) {
  stage_.bench().open_lesson("05");
  stage_.begin(Look{});
  stage_.draw();
  press({Key::E, true, true});
  ASSERT_EQ(value("focus"), "notes");
  ASSERT_TRUE(walk_to("exercise hint"));
  EXPECT_EQ(value("rings"), "1");
  press({Key::Enter});
  EXPECT_EQ(value("hints"), "1");
  ASSERT_TRUE(walk_to("exercise solution"));
  press({Key::Space});
  EXPECT_EQ(value("comparing"), "true");
  focus("code");
  press({Key::Escape});
  EXPECT_EQ(value("comparing"), "false");
  EXPECT_TRUE(stage_.shell().editor_focused());
}

TEST_F(Keyboard, two_runs_take_the_keyboard_and_give_it_back) {
  open();
  ASSERT_TRUE(stage_.bench().compare_with(GUI_RECORDINGS "/h200_04_context.dlrec"));
  ASSERT_TRUE(stage_.wait_while([this] { return stage_.bench().other()->loading; }));
  focus("calls");
  press({Key::F4});
  ASSERT_EQ(value("maximized"), "5");
  EXPECT_EQ(value("focus"), "compare");
  EXPECT_EQ(value("rings"), "1");
  ASSERT_TRUE(walk_to("compare file"));
  ASSERT_TRUE(walk_to("compare close"));
  press({Key::F6});
  EXPECT_EQ(value("focus"), "time");
  EXPECT_EQ(value("maximized"), "5");
  press({Key::Escape});
  EXPECT_EQ(value("maximized"), "0");
  EXPECT_EQ(value("focus"), "calls");
  EXPECT_EQ(value("rings"), "1");
  press({Key::F4});
  ASSERT_TRUE(walk_to("compare close"));
  press({Key::Enter});
  EXPECT_EQ(value("maximized"), "0");
  EXPECT_EQ(value("focus"), "calls");
}

struct Opened {
  KeyPress key;
  const char* number;  // of the pop-up
};
constexpr Opened kOpened[] = {
    {{Key::O, true}, "1"},       {{Key::F1}, "4"}, {{Key::F, true, true}, "5"}, {{Key::E, true}, "6"},
    {{Key::T, true, true}, "8"}, {{Key::F7}, "9"}, {{Key::O, true, true}, "10"}};

TEST_F(Keyboard, what_a_key_opens_has_the_only_ring_and_escape_gives_it_back) {
  open();
  focus("calls");
  const std::size_t before = call();
  for (const Opened& each : kOpened) {
    press(each.key);
    ASSERT_EQ(value("popup"), each.number);
    EXPECT_LE(std::stoi(value("rings")), 1) << each.number;
    press({Key::Down});
    press({Key::Up});
    EXPECT_LE(std::stoi(value("rings")), 1) << each.number;
    press({Key::Escape});
    EXPECT_EQ(value("popup"), "0");
    EXPECT_EQ(value("focus"), "calls");
    EXPECT_EQ(value("rings"), "1");
    EXPECT_EQ(call(), before) << "the list behind it stays";
  }
}

TEST_F(Keyboard, the_editor_has_the_keyboard_again_when_what_was_open_is_closed) {
  open();
  focus("code");
  ASSERT_TRUE(stage_.shell().editor_focused());
  for (const Opened& each : kOpened) {
    press(each.key);
    ASSERT_EQ(value("popup"), each.number);
    press({Key::Escape});
    EXPECT_TRUE(stage_.shell().editor_focused()) << each.number;
  }
}

TEST_F(Keyboard, the_appearance_is_chosen_from_the_bar) {
  open();
  focus("bar");
  press({Key::Tab, false, true});
  ASSERT_EQ(value("stop"), "look");
  press({Key::Enter});
  ASSERT_EQ(value("popup"), "3");
  EXPECT_EQ(value("stop"), "theme dark");
  EXPECT_EQ(value("rings"), "1");
  press({Key::Down});
  press({Key::Enter});
  EXPECT_EQ(value("theme"), "light");
  std::vector<std::string> all;
  for (int i = 0; i < 20; ++i) {
    press({Key::Tab});
    EXPECT_EQ(value("rings"), "1");
    all.push_back(value("stop"));
  }
  for (const char* stop : {"theme projector", "smaller", "larger", "motion", "presenter", "questions"})
    EXPECT_NE(std::find(all.begin(), all.end(), stop), all.end()) << stop;
  press({Key::Escape});
  EXPECT_EQ(value("popup"), "0");
  EXPECT_EQ(value("stop"), "look");
}

TEST_F(Keyboard, another_machine_is_named_in_its_field_and_the_choices_stay_in_reach) {
  open();
  focus("bar");
  ASSERT_TRUE(walk_to("driver"));
  press({Key::Enter});
  ASSERT_EQ(value("popup"), "2");
  ASSERT_TRUE(walk_to("driver remote"));
  press({Key::Enter});
  EXPECT_EQ(value("stop"), "launcher");
  EXPECT_EQ(value("rings"), "1");
  stage_.type("ssh a b");
  stage_.draw();
  EXPECT_EQ(stage_.shell().settings().launcher, "ssh a b");
  press({Key::Home});
  EXPECT_EQ(value("stop"), "launcher") << "the caret goes to the beginning";
  ASSERT_TRUE(walk_to("driver embedded"));
  press({Key::Enter});
  EXPECT_EQ(value("popup"), "0");
  EXPECT_FALSE(stage_.shell().settings().remote);
  EXPECT_EQ(value("stop"), "driver");
}

TEST_F(Keyboard, the_driver_of_a_program_is_chosen_on_the_way_and_the_program_is_there_again) {
  open();
  ASSERT_TRUE(stage_.shell().open("trace"));
  stage_.draw();
  press({Key::A, true});
  stage_.type("./saxpy");
  for (int i = 0; i < 3; ++i) press({Key::Tab});
  press({Key::Enter});
  ASSERT_EQ(value("popup"), "2");
  ASSERT_TRUE(walk_to("driver embedded"));
  press({Key::Enter});
  EXPECT_EQ(value("popup"), "11");
  EXPECT_EQ(stage_.shell().settings().program.command, "./saxpy");
  press({Key::Escape});
  EXPECT_EQ(value("popup"), "0");
}

TEST_F(Keyboard, escape_leaves_the_editor_for_its_buttons_and_text_goes_back) {
  stage_.bench().open_lesson("05");
  stage_.begin(Look{});
  stage_.draw();
  focus("code");
  ASSERT_TRUE(stage_.shell().editor_focused());
  press({Key::Escape});
  EXPECT_FALSE(stage_.shell().editor_focused());
  EXPECT_EQ(value("focus"), "code");
  EXPECT_EQ(value("rings"), "1");
  press({Key::Tab});
  EXPECT_EQ(value("stop"), "tab");
  ASSERT_TRUE(walk_to("outside"));
  press({Key::Escape});
  EXPECT_EQ(value("stop"), "");
  const std::string before = stage_.bench().file_text("main.cpp");
  stage_.type("x");
  stage_.draw();
  EXPECT_TRUE(stage_.shell().editor_focused());
  EXPECT_EQ(stage_.bench().file_text("main.cpp").size(), before.size() + 1) << "nothing typed is lost";
}

TEST_F(Keyboard, in_a_small_window_the_files_beside_the_tabs_and_their_menu_are_reached) {
  stage_.bench().open_lesson("13");
  stage_.begin(Look{1920, 1080, 200});
  stage_.draw();
  focus("code");
  press({Key::Escape});
  press({Key::Tab});
  EXPECT_EQ(value("stop"), "tab");
  ASSERT_TRUE(walk_to("code menu"));
  press({Key::Enter});
  EXPECT_TRUE(there("outside"));
  EXPECT_EQ(value("stop"), "choose main.cpp");
  press({Key::Escape});
  EXPECT_FALSE(there("outside"));
  EXPECT_EQ(value("stop"), "code menu");
  press({Key::Enter});
  const std::string last = stage_.bench().files().back();
  ASSERT_TRUE(walk_to("choose " + last));
  press({Key::Enter});
  EXPECT_FALSE(there("outside"));
  EXPECT_EQ(value("file"), last);
  EXPECT_TRUE(stage_.shell().editor_focused()) << "to be written in";
}

TEST_F(Keyboard, the_mouse_takes_the_ring_away) {
  open();
  focus("bar");
  press({Key::Tab});
  EXPECT_EQ(value("rings"), "1");
  ASSERT_TRUE(stage_.click("panel picture"));
  stage_.draw();
  EXPECT_EQ(value("rings"), "0");
  EXPECT_EQ(value("focus"), "");
}

}  // namespace
}  // namespace gui
