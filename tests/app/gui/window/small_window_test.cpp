// SPDX-License-Identifier: MIT
// What a student needs in a small window and at a large scale: the lesson's title, the current call, the
// chosen exercise, and the verdict while another page is in front.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "stage.hpp"

namespace gui {
namespace {

// What is done is kept. OwnHome comes first, so that it is there before the stage and goes after it.
class SmallWindow : private OwnHome, public testing::Test {
 protected:
  lab::Workbench& bench() { return stage_.bench(); }
  bool there(const std::string& place) { return stage_.shell().places().count(place) > 0; }
  static bool whole(const DrawnText& text) {
    const Rect &box = text.box, &seen = text.seen;
    return !text.shortened && box.y >= seen.y - 1 && box.bottom() <= seen.bottom() + 1;
  }
  bool in_sight(std::string_view words, std::string_view window) {
    const TextLog& log = stage_.draw();
    return std::any_of(log.texts().begin(), log.texts().end(), [&](const DrawnText& text) {
      return text.text.find(words) != std::string::npos && text.window.find(window) != std::string::npos &&
             whole(text);
    });
  }
  // The check of the open exercise, up to its verdict. Without one the test ends: it would be looked at next.
  void check() {
    stage_.press({Key::Enter, true, true});
    ASSERT_TRUE(bench().checking());
    ASSERT_TRUE(stage_.wait_while([this] { return bench().verdict() == nullptr && bench().checking(); }));
    ASSERT_NE(bench().verdict(), nullptr) << "the check ended without a verdict";
    stage_.draw();
  }
  void open_exercise(const char* lesson, const Look& look) {
    bench().open_lesson(lesson);
    stage_.begin(look);
    ASSERT_TRUE(stage_.shell().open("exercise"));
    stage_.draw();
  }
  Stage stage_;
};

TEST_F(SmallWindow, the_title_of_every_lesson_is_whole) {
  for (const lab::Lesson& lesson : bench().catalogue().lessons) {
    bench().open_lesson(lesson.slug);
    for (const auto language : {lab::Language::English, lab::Language::Chinese})
      for (const Look& size : {Look{1366, 768, 100}, Look{1366, 768, 150}, Look{1366, 768, 200}}) {
        Look look = size;
        look.language = language;
        stage_.begin(look);
        std::string shown;
        const float bar = 0.52f * static_cast<float>(look.scale);
        for (const DrawnText& text : stage_.draw().texts()) {
          if (text.window != "lab" || text.box.x > 500 || text.box.y > bar) continue;
          EXPECT_FALSE(text.shortened) << text.text << ", " << look.words();
          (shown += shown.empty() ? "" : " ") += text.text;
        }
        std::erase(shown, ' ');
        std::string title = lesson.title[static_cast<int>(language)];
        std::erase(title, ' ');
        EXPECT_NE(shown.find(title), std::string::npos) << shown << ", " << look.words();
      }
  }
}

TEST_F(SmallWindow, the_row_of_the_current_call_is_whole) {
  stage_.open_recording(GUI_RECORDINGS "/h200_05_context_stack.dlrec");
  for (const int scale : {150, 175, 200, 225, 250}) {
    stage_.begin(Look{1366, 768, scale});
    for (const std::size_t call : {1, 6, 20}) {
      bench().jump_to_call(call - 1);
      stage_.draw(40);
      EXPECT_TRUE(in_sight(std::to_string(call), "rows")) << call << ", " << scale << " %";
    }
  }
}

TEST_F(SmallWindow, the_result_of_an_expected_failure_is_whole) {
  stage_.open_recording(GUI_RECORDINGS "/h200_05_context_stack.dlrec");
  stage_.begin(Look{1366, 768, 200});
  const trace::Store& store = bench().store();
  for (std::size_t call = 0; call < store.calls(); ++call) {
    if (store.result_at(store.event_of_call(call)) == 0) continue;
    bench().jump_to_call(call);
    stage_.draw(40);
    EXPECT_TRUE(in_sight("201 INVALID_CONTEXT", "rows"));
    return;
  }
  FAIL() << "no call of the recording failed";
}

TEST_F(SmallWindow, the_explanation_of_an_answer_comes_into_sight) {
  stage_.open_recording(GUI_RECORDINGS "/h200_05_context_stack.dlrec");
  stage_.begin(Look{1366, 768, 200});
  bench().jump_to_call(0);
  stage_.draw();
  for (std::size_t question = 0; question < bench().quiz().size(); ++question) {
    stage_.shell().go_to_question(question);
    stage_.draw();
    const auto& answers = bench().quiz()[question].answers;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (answers[i].right) continue;
      stage_.press({static_cast<Key>(static_cast<std::size_t>(Key::Digit1) + i)});
      stage_.draw();
      EXPECT_TRUE(bench().quiz_tried(question, i));
      EXPECT_TRUE(in_sight("Wrong.", "notes")) << question << ", " << i;
    }
  }
}

TEST_F(SmallWindow, a_problem_goes_with_escape_but_not_out_of_the_editor) {
  ASSERT_NO_FATAL_FAILURE(open_exercise("01", Look{1366, 768, 200}));
  stage_.shell().add_problem({lab::Text::LessonUnknown, {"a name that no lesson has"}});
  EXPECT_TRUE(in_sight("a name that no lesson has", "problems"));
  stage_.press({Key::F6});
  stage_.draw();
  ASSERT_TRUE(stage_.shell().editor_focused());
  stage_.press({Key::Escape});
  EXPECT_TRUE(in_sight("a name that no lesson has", "problems"));
  stage_.press({Key::F6});
  stage_.draw();
  stage_.press({Key::Escape});
  EXPECT_FALSE(in_sight("a name that no lesson has", "problems"));
}

TEST_F(SmallWindow, a_lesson_that_is_opened_by_keys_is_read_by_keys) {
  stage_.begin(Look{1366, 768, 200});
  stage_.press({Key::O, true});
  stage_.draw();
  stage_.press({Key::Home});
  stage_.press({Key::Enter});
  stage_.draw();
  EXPECT_NE(stage_.shell().state_line().find("\"focus\":\"notes\""), std::string::npos);
}

TEST_F(SmallWindow, the_chosen_exercise_is_in_sight) {
  for (const auto language : {lab::Language::English, lab::Language::Chinese}) {
    ASSERT_NO_FATAL_FAILURE(open_exercise("03", Look{1366, 768, 200, ThemeName::Dark, language}));
    ASSERT_EQ(bench().exercises().size(), 3u);
    for (const std::size_t i : {2, 0, 1}) {
      const lab::Exercise& exercise = bench().exercises()[i];
      ASSERT_TRUE(stage_.shell().open("exercise:" + exercise.name));
      stage_.draw();
      const std::string& title = exercise.title[static_cast<int>(language)];
      EXPECT_TRUE(in_sight(title.substr(0, 12), "exercise")) << title;
      EXPECT_TRUE(in_sight(lab::text(lab::Text::ExerciseTask, language), "exercise")) << title;
    }
  }
}

TEST_F(SmallWindow, a_hint_is_brought_into_sight) {
  ASSERT_NO_FATAL_FAILURE(open_exercise("03", Look{1366, 768, 200}));
  EXPECT_FALSE(in_sight("Hint 1", "exercise"));
  bench().show_hint();
  stage_.draw();
  EXPECT_TRUE(in_sight("Hint 1", "exercise"));
}

TEST_F(SmallWindow, one_key_goes_through_the_pages_and_the_exercise_is_one) {
  for (const int scale : {100, 200}) {
    bench().open_lesson("01");
    stage_.begin(Look{1366, 768, scale});
    stage_.draw();
    std::vector<std::string> pages = {"panel notes", "panel exercise", "panel code"};
    if (scale == 200) pages.emplace_back("panel picture");
    for (int round = 0; round < 2; ++round)
      for (const std::string& page : pages) {
        EXPECT_TRUE(there(page)) << page << ", " << scale << " %";
        stage_.press({Key::Tab, true});
        stage_.draw();
      }
  }
}

TEST_F(SmallWindow, the_verdict_is_told_while_another_page_is_in_front) {
  ASSERT_NO_FATAL_FAILURE(open_exercise("01", Look{1366, 768, 100}));
  stage_.press({Key::Tab, true});
  stage_.draw();
  ASSERT_TRUE(there("panel code"));
  ASSERT_NO_FATAL_FAILURE(check());
  EXPECT_FALSE(bench().verdict()->passed());
  EXPECT_TRUE(there("panel code")) << "nobody is taken away from the editor";
  EXPECT_TRUE(in_sight("Exercise not passed yet: " + bench().exercise()->title[0], "notices"));
  const auto& findings = bench().verdict()->findings;
  const auto first =
      std::find_if(findings.begin(), findings.end(), [](const auto& each) { return !each.held; });
  ASSERT_NE(first, findings.end());
  EXPECT_TRUE(in_sight(first->sentence.in(lab::Language::English).substr(0, 16), "notices"));
  EXPECT_TRUE(in_sight("Ctrl+Shift+E", "notices"));
  stage_.press({Key::L, true});
  EXPECT_TRUE(in_sight("练习还没有通过", "notices"));
  stage_.press({Key::L, true});
  stage_.press({Key::E, true, true});
  stage_.draw();
  EXPECT_TRUE(there("panel exercise"));
  EXPECT_FALSE(there("show exercise")) << "the page says it now";
  EXPECT_TRUE(in_sight("Not yet.", "exercise"));
}

TEST_F(SmallWindow, a_pass_is_told_too_and_the_notice_goes_by_itself) {
  ASSERT_NO_FATAL_FAILURE(open_exercise("01", Look{1366, 768, 100}));
  const std::string solution = bench().solution();
  bench().enter_exercise(true);
  bench().set_file_text(bench().exercise()->start, solution);
  stage_.press({Key::Tab, true});
  ASSERT_NO_FATAL_FAILURE(check());
  ASSERT_TRUE(bench().verdict()->passed());
  EXPECT_TRUE(in_sight("Exercise passed: " + bench().exercise()->title[0], "notices"));
  stage_.draw(800);
  EXPECT_FALSE(there("show exercise"));
}

TEST_F(SmallWindow, the_verdict_is_in_sight_on_its_page_and_told_nowhere_else) {
  ASSERT_NO_FATAL_FAILURE(open_exercise("01", Look{1366, 768, 200}));
  ASSERT_NO_FATAL_FAILURE(check());
  EXPECT_TRUE(in_sight("Not yet.", "exercise"));
  EXPECT_FALSE(there("show exercise"));
}

TEST_F(SmallWindow, the_panel_that_has_the_keyboard_fills_the_window_without_the_mouse) {
  ASSERT_NO_FATAL_FAILURE(open_exercise("03", Look{1366, 768, 200}));
  stage_.press({Key::M, true});
  stage_.draw();
  EXPECT_TRUE(there("panel exercise"));
  EXPECT_TRUE(there("panel time")) << "nothing has the keyboard yet";
  stage_.press({Key::E, true, true});
  stage_.draw();
  stage_.press({Key::M, true});
  stage_.draw();
  EXPECT_TRUE(there("panel exercise"));
  EXPECT_FALSE(there("panel time"));
  stage_.press({Key::Escape});
  stage_.draw();
  EXPECT_TRUE(there("panel time"));
}

// The list of lessons

TEST_F(SmallWindow, the_open_lesson_has_another_mark_than_one_that_is_done) {
  bench().open_lesson("01");
  stage_.begin({});
  stage_.press({Key::O, true});
  stage_.draw();
  EXPECT_TRUE(there("open lesson hello_driver"));
  EXPECT_FALSE(there("done lesson hello_driver"));
}

// The track of time

TEST_F(SmallWindow, under_the_mouse_an_expected_failure_is_said_to_be_one) {
  stage_.open_recording(GUI_RECORDINGS "/h200_05_context_stack.dlrec");
  bench().jump(bench().store().size());
  stage_.begin({});
  stage_.draw();
  const std::size_t calls = bench().store().calls();
  for (std::size_t call = 1; call <= calls; ++call) {
    const std::size_t event = bench().store().event_of_call(call - 1);
    if (bench().store().result_at(event) == 0) continue;
    ASSERT_TRUE(bench().expected_failure(event));
    const ImVec2 left = stage_.shell().places().at("track left"),
                 right = stage_.shell().places().at("track right");
    stage_.point_at(
        {left.x + (right.x - left.x) * static_cast<float>(call) / static_cast<float>(calls), left.y});
    EXPECT_TRUE(in_sight("as expected", "Tooltip"));
    EXPECT_TRUE(in_sight("diamond", "Tooltip"));
    return;
  }
  FAIL() << "no call of the recording failed";
}

}  // namespace
}  // namespace gui
