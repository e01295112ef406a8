// SPDX-License-Identifier: MIT
// The page for the teacher: what it says of each lesson, where a click leads, and what it says of files that
// are missing or wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "lab/teaching.hpp"
#include "stage.hpp"

namespace gui {
namespace {

namespace fs = std::filesystem;
constexpr const char* kContextStack = GUI_RECORDINGS "/h200_05_context_stack.dlrec";

std::string without_blanks(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

// OwnHome comes first, so that it is there before the stage and goes after it.
class Teaching : private OwnHome, public testing::Test {
 protected:
  void open(const Look& look = {}) {
    stage_.open_recording(kContextStack);
    stage_.begin(look);
    stage_.bench().jump(0);
    stage_.draw();
    press({Key::T, true, true});
  }
  void press(KeyPress key) {
    stage_.press(key);
    stage_.draw(6);
  }
  // Clicks on the choice with these words; the page scrolls there first.
  void click_on(const std::string& words) {
    for (int i = 0; i < 60 && !in_sight(words); ++i) press({Key::Down});
    for (const DrawnText& text : stage_.draw().texts())
      if (text.text.find(words) != std::string::npos && of_page(text) && visible(text))
        return stage_.click(ImVec2{text.box.x + 4, text.box.y + text.box.h / 2});
    FAIL() << words << " is nowhere";
  }
  static bool of_page(const DrawnText& text) { return text.window.find("teaching") != std::string::npos; }
  static bool visible(const DrawnText& text) {
    return text.seen.holds({text.box.x + 1, text.box.y + 1}) &&
           text.seen.holds({text.box.x + 1, text.box.bottom() - 1});
  }
  bool in_sight(std::string_view words, std::string_view window = "teaching") {
    const TextLog& log = stage_.draw();
    return std::any_of(log.texts().begin(), log.texts().end(), [&](const DrawnText& text) {
      return text.text.find(words) != std::string::npos && text.window.find(window) != std::string::npos &&
             visible(text);
    });
  }
  // All of the page, also what scrolling shows; words may be broken into lines anywhere.
  std::string page() {
    std::string all;
    for (const DrawnText& text : stage_.draw().texts())
      if (of_page(text)) all += text.text;
    return without_blanks(all);
  }
  bool says(std::string_view words) { return stage_.shell().state_line().find(words) != std::string::npos; }
  const lab::Catalogue& catalogue() { return stage_.bench().catalogue(); }
  lab::TeachingNotes notes() { return *lab::read_teaching(*catalogue().find("context_stack")); }

  Stage stage_;
};

TEST_F(Teaching, says_all_that_the_files_of_the_lesson_say) {
  for (const auto language : {lab::Language::English, lab::Language::Chinese}) {
    open(Look{1600, 1000, 100, ThemeName::Dark, language});
    const auto i = static_cast<std::size_t>(language);
    const std::string said = page();
    const auto expect = [&](const std::string& words) {
      EXPECT_NE(said.find(without_blanks(words)), std::string::npos) << words;
    };
    const lab::TeachingNotes written = notes();
    ASSERT_FALSE(written.shows.empty() || written.asks.empty() || written.print.empty());
    for (const lab::TeachingShow& show : written.shows) expect(show.step.heading[i]), expect(show.text[i]);
    for (const lab::TeachingAsk& ask : written.asks) {
      expect(ask.step.heading[i]), expect(ask.question[i]), expect(ask.expected[i]);
      for (const lab::TeachingWrong& wrong : ask.wrong) expect(wrong.heard[i]), expect(wrong.reply[i]);
    }
    expect(language == lab::Language::English ? "figures/push.svg" : "figures/push.zh.svg");
    press({Key::Escape});
    EXPECT_TRUE(says("\"popup\":0,"));
  }
}

TEST_F(Teaching, the_steps_come_in_the_order_of_the_program_and_questions_before_what_is_shown) {
  open();
  const std::string said = page();
  std::size_t at = 0;
  for (const char* words : {"Showafter“Pushingacontext", "Askbefore“Threepops”", "Showafter“Threepops”",
                            "Askbefore“Adestroyedcontextbecomescurrent”"}) {
    const std::size_t found = said.find(words);
    ASSERT_NE(found, std::string::npos) << words;
    EXPECT_GT(found, at) << words;
    at = found;
  }
}

TEST_F(Teaching, is_about_the_lesson_while_an_exercise_of_it_is_open) {
  stage_.bench().open_lesson("03");
  stage_.bench().choose_exercise("project");
  stage_.bench().enter_exercise(true);
  stage_.begin({});
  press({Key::T, true, true});
  const std::string said = page();
  EXPECT_EQ(said.find("teaching.toml"), std::string::npos) << said;
  const lab::TeachingNotes written = *lab::read_teaching(*catalogue().find("vector_add"));
  for (const lab::TeachingShow& show : written.shows)
    EXPECT_NE(said.find(without_blanks(show.text[0])), std::string::npos) << show.text[0];
}

TEST_F(Teaching, a_click_on_a_question_goes_to_the_place_before_the_step) {
  open();
  click_on("Ask before “Three pops”");
  EXPECT_TRUE(says("\"popup\":0,"));
  EXPECT_EQ(stage_.bench().call_at_cursor(), stage_.bench().calls_of_step("three_pops").front());
  stage_.draw();
  EXPECT_TRUE(stage_.shell().places().contains("note three_pops"));
}

TEST_F(Teaching, a_click_on_what_is_shown_goes_to_the_end_of_the_step_also_from_the_exercise) {
  stage_.open_recording(kContextStack);
  stage_.begin({});
  stage_.bench().jump(0);
  stage_.shell().open("exercise");
  stage_.draw();
  press({Key::T, true, true});
  click_on("Show after “Destroyed, but still on the stack”");
  EXPECT_EQ(stage_.bench().call_at_cursor(), stage_.bench().calls_of_step("destroy_below").back() + 1);
  EXPECT_TRUE(says("\"step\":\"destroy_below\""));
  stage_.draw();
  EXPECT_TRUE(stage_.shell().places().contains("note destroy_below"));
}

TEST_F(Teaching, the_cursor_begins_at_the_step_of_the_run_and_enter_goes_there) {
  stage_.open_recording(kContextStack);
  stage_.begin(Look{1366, 768, 200});
  const std::vector<std::size_t> calls = stage_.bench().calls_of_step("destroy_top");
  stage_.bench().jump_to_call(calls.back());
  stage_.draw();
  press({Key::T, true, true});
  EXPECT_TRUE(in_sight("Ask before “A destroyed context becomes current”"));
  press({Key::Enter});
  EXPECT_TRUE(says("\"popup\":0,"));
  EXPECT_EQ(stage_.bench().call_at_cursor(), calls.front());
}

// In the smallest room, wheel and keys reach the end of what belongs to the last choice.
TEST_F(Teaching, keys_and_wheel_reach_the_end_of_the_page) {
  open(Look{1366, 768, 200});
  const std::string last = notes().print.back();
  EXPECT_FALSE(in_sight(last));
  for (int i = 0; i < 20; ++i) press({Key::PageDown});
  EXPECT_TRUE(in_sight(last));
  for (int i = 0; i < 20; ++i) press({Key::PageUp});
  EXPECT_TRUE(in_sight("Lesson 05:"));
  stage_.point_at({683, 500});
  stage_.draw();
  for (int i = 0; i < 100; ++i) stage_.turn(-3), stage_.draw(1);
  EXPECT_TRUE(in_sight(last));
}

TEST_F(Teaching, the_sessions_are_one_key_away_and_the_session_of_the_lesson_is_shown) {
  open();
  press({Key::Tab});
  const auto plan = lab::read_sessions(catalogue());
  ASSERT_TRUE(plan);
  const std::size_t number = lab::session_of(*plan, 5).value_or(0);
  ASSERT_GT(number, 0u);
  const std::string said = page();
  for (const lab::SessionPart& part : (*plan)[number - 1].parts) {
    EXPECT_NE(said.find(without_blanks(part.what[0])), std::string::npos) << part.what[0];
    EXPECT_NE(said.find(fmt::format("{}min", part.minutes)), std::string::npos);
    const std::string place = lab::place_words(part, lab::Language::English);
    EXPECT_NE(said.find(without_blanks(place)), std::string::npos) << place;
  }
  for (const lab::TeachingSession& session : *plan)
    EXPECT_NE(said.find(without_blanks(session.title[0])), std::string::npos) << session.title[0];
  press({Key::Tab});
  EXPECT_TRUE(in_sight("Lesson 05:"));
}

TEST_F(Teaching, a_session_is_chosen_and_its_part_opens_the_lesson_at_the_step) {
  open();
  ASSERT_TRUE(stage_.click("teaching page1"));
  click_on("Session 1:");
  const auto plan = lab::read_sessions(catalogue());
  ASSERT_TRUE(plan);
  EXPECT_NE(page().find(without_blanks(plan->front().parts[1].what[0])), std::string::npos);
  press({Key::Down});
  press({Key::Enter});
  EXPECT_TRUE(says("\"lesson\":\"" + catalogue().lessons.front().slug + "\""));
  EXPECT_TRUE(says("\"popup\":0,"));
  stage_.draw();
  EXPECT_TRUE(stage_.shell().places().contains("note " + plan->front().parts[1].step.name));
}

TEST_F(Teaching, the_list_of_lessons_leads_there_by_mouse) {
  stage_.open_recording(kContextStack);
  stage_.begin({});
  press({Key::O, true});
  ASSERT_TRUE(stage_.click("for the teacher"));
  EXPECT_TRUE(in_sight("Ask before “Three pops”"));
  ASSERT_TRUE(stage_.click("teaching page1"));  // it is above the other, and takes the mouse
  EXPECT_NE(page().find("Allsessions"), std::string::npos);
}

TEST_F(Teaching, without_a_lesson_the_plan_is_there) {
  stage_.begin({});
  press({Key::T, true, true});
  EXPECT_TRUE(in_sight("Session 1:"));
  press({Key::Tab});
  EXPECT_TRUE(in_sight("No lesson is open."));
}

// A course of one's own in a folder of its own.
class OwnCourse : private OwnHome, public testing::Test {
 protected:
  OwnCourse() {
    fs::create_directories(root_);
    fs::copy(GUI_LESSONS, root_ / "lessons", fs::copy_options::recursive);
    fs::create_directory_symlink(fs::path(GUI_LESSONS) / "../assets", root_ / "assets");
    ::setenv("DRIVERLAB_ROOT", root_.c_str(), 1);
  }
  ~OwnCourse() override {
    ::unsetenv("DRIVERLAB_ROOT");
    std::error_code error;
    fs::remove_all(root_, error);
  }
  OwnCourse(const OwnCourse&) = delete;
  OwnCourse& operator=(const OwnCourse&) = delete;

  void put(const char* file, std::string_view text) { std::ofstream(root_ / "lessons" / file) << text; }
  // Of the page, which is opened anew, in all looks; complaints about its texts fail.
  std::string page(lab::Language language, bool sessions = false) {
    std::string all;
    Stage stage;
    stage.bench().open_lesson("05");
    for (const int scale : {100, 200}) {
      stage.begin(Look{1366, 768, scale, ThemeName::Dark, language});
      stage.press({Key::T, true, true});
      if (sessions) stage.press({Key::Tab});
      for (const Complaint& each : stage.complaints()) ADD_FAILURE() << each.what << ": " << each.text;
      all.clear();
      for (const DrawnText& text : stage.draw().texts())
        if (text.window.find("teaching") != std::string::npos) all += text.text;
    }
    return without_blanks(all);
  }
  fs::path root_ = fs::path(testing::TempDir()) / ("driverlab_course_" + std::to_string(::getpid()));
};

TEST_F(OwnCourse, a_lesson_without_the_file_and_a_course_without_a_plan_say_so_and_name_the_files) {
  fs::remove(root_ / "lessons/05_context_stack/teaching.toml");
  for (const auto language : {lab::Language::English, lab::Language::Chinese}) {
    const bool english = language == lab::Language::English;
    const std::string said = page(language);
    EXPECT_NE(said.find(english ? "nonotesfortheteacher" : "没有给教师的说明"), std::string::npos) << said;
    EXPECT_NE(said.find("lessons/05_context_stack/teaching.toml"), std::string::npos) << said;
  }
  fs::remove(root_ / "lessons/sessions.toml");
  for (const auto language : {lab::Language::English, lab::Language::Chinese})
    EXPECT_NE(page(language, true).find("sessions.toml"), std::string::npos);
}

TEST_F(OwnCourse, a_mistake_in_a_file_is_told_with_its_line) {
  put("05_context_stack/teaching.toml", "print = []\n[[show]]\nstep = \"nowhere\"\n");
  put("sessions.toml", "\n[[session]]\nlessons = [\"77\"]\n");
  for (const auto language : {lab::Language::English, lab::Language::Chinese}) {
    EXPECT_NE(page(language).find("05_context_stack/teaching.toml:3"), std::string::npos) << page(language);
    EXPECT_NE(page(language, true).find("sessions.toml:"), std::string::npos) << page(language, true);
  }
}

}  // namespace
}  // namespace gui
