// SPDX-License-Identifier: MIT
// What a student needs in a small window and at a large scale: the code with the text of its step, the list
// of calls, the lesson's title, the current call, the chosen exercise, and the verdict while another page is
// in front.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "markdown/document.hpp"
#include "stage.hpp"

namespace gui {
namespace {

// A laptop, and a projector that has to be read from the last row.
constexpr Look kLaptop{1366, 768, 100}, kProjector{1920, 1080, 200};

std::string without_spaces(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

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
  // All whose letters are seen in a window of that name, without spaces: lines may end anywhere.
  std::string read(std::string_view window) {
    std::string all;
    for (const DrawnText& text : stage_.draw().texts()) {
      const float leading = text.box.h * 0.2f;
      if (text.window.find(window) != std::string::npos && text.box.y + leading >= text.seen.y &&
          text.box.bottom() - leading <= text.seen.bottom())
        all += text.text;
    }
    return without_spaces(all);
  }
  // Rows of the list of calls that are whole.
  std::size_t rows() {
    std::set<int> tops;
    for (const DrawnText& text : stage_.draw().texts())
      if (text.window.find("/rows_") != std::string::npos && text.text.starts_with("cu") &&
          text.box.y >= text.seen.y - 1 && text.box.bottom() <= text.seen.bottom() + 1)
        tops.insert(static_cast<int>(text.box.y));
    return tops.size();
  }
  // Its number, at the left edge of the editor.
  bool line_in_sight(int line) {
    const auto& texts = stage_.draw().texts();
    return std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) {
      return text.text == std::to_string(line) && text.window.find("/code_") != std::string::npos &&
             text.box.x < text.seen.x + 50 * stage_.shell().scale() && whole(text);
    });
  }
  int number_in_state(const std::string& name) {
    const std::string line = stage_.shell().state_line(), key = "\"" + name + "\":";
    const std::size_t at = line.find(key);
    return at == std::string::npos ? -1 : std::stoi(line.substr(at + key.size()));
  }
  // The title and the first sentence of a step.
  std::string beginning_of(const std::string& step, lab::Language language) {
    const markdown::Document notes = markdown::parse(bench().notes(language));
    const auto number = std::find(notes.steps.begin(), notes.steps.end(), step) - notes.steps.begin();
    std::string words;
    for (const markdown::Block& block : notes.blocks) {
      if (block.step != number || block.text.empty()) continue;
      const std::string text = markdown::plain(block.text);
      if (block.kind == markdown::BlockKind::Heading) {
        words = text;
        continue;
      }
      if (block.kind != markdown::BlockKind::Paragraph) break;
      const std::string_view stop = language == lab::Language::English ? ". " : "。";
      words += text.substr(0, text.find(stop));
      break;
    }
    return without_spaces(words);
  }
  void show_code() {
    stage_.draw();
    ASSERT_TRUE(stage_.click("tab1"));
    stage_.draw();
    ASSERT_TRUE(there("panel code"));
  }
  Stage stage_;
};

TEST_F(SmallWindow, the_marked_line_and_the_text_of_its_step_are_read_together) {
  std::size_t steps = 0;
  for (const auto& file : recordings()) {
    if (file.filename().string().starts_with("h200x1")) continue;
    stage_.open_recording(file);
    if (bench().lesson() == nullptr) continue;
    for (const lab::Language language : {lab::Language::English, lab::Language::Chinese})
      for (Look look : {kLaptop, kProjector}) {
        look.language = language;
        stage_.begin(look);
        bench().set_predicting(false);
        ASSERT_NO_FATAL_FAILURE(show_code());
        for (const auto& start : bench().step_starts()) {
          SCOPED_TRACE(file.stem().string() + " " + start.step + ", " + look.words());
          bench().jump_to_call(start.call);
          stage_.draw();
          ++steps;
          EXPECT_TRUE(line_in_sight(number_in_state("current")));
          const std::string step = read("/step text_");
          EXPECT_NE(step.find(beginning_of(start.step, language)), std::string::npos)
              << beginning_of(start.step, language) << "\n"
              << step;
        }
      }
  }
  EXPECT_GT(steps, 1000u);
}

TEST_F(SmallWindow, six_calls_are_listed_while_code_step_and_picture_are_seen) {
  for (const char* recording : {"h200_05_context_stack", "h200_19_streams_events", "h100_24_graphs"}) {
    stage_.open_recording(std::string(GUI_RECORDINGS "/") + recording + ".dlrec");
    for (const ThemeName theme : {ThemeName::Dark, ThemeName::Light, ThemeName::Projector})
      for (Look look : {kLaptop, kProjector}) {
        look.theme = theme;
        stage_.begin(look);
        ASSERT_NO_FATAL_FAILURE(show_code());
        std::size_t looked_at = 0;
        for (std::size_t call = 0; call < bench().store().calls(); call += 7) {
          if (bench().store().result_at(bench().store().event_of_call(call)) != 0) continue;  // it says why
          bench().jump_to_call(call);
          ++looked_at;
          EXPECT_GE(rows(), 6u) << recording << ", call " << call + 1 << ", " << look.words();
          for (const char* panel : {"panel step", "panel code", "panel picture", "panel time"})
            EXPECT_TRUE(there(panel)) << panel << ", call " << call + 1 << ", " << look.words();
        }
        EXPECT_GT(looked_at, 3u);
      }
  }
}

TEST_F(SmallWindow, there_is_one_row_of_tabs_with_the_files_in_it) {
  for (const Look& look : {kLaptop, kProjector, Look{1366, 768, 200}}) {
    bench().open_lesson("05");
    stage_.begin(look);
    ASSERT_NO_FATAL_FAILURE(show_code());
    const auto& places = stage_.shell().places();
    const float row = places.at("tab0").y;
    for (const char* tab : {"side1", "tab1", "file main.cpp", "code menu"})
      EXPECT_NEAR(places.at(tab).y, row, 2) << tab << ", " << look.words();
    EXPECT_LT(places.at("tab1").x, places.at("file main.cpp").x);
  }
}

TEST_F(SmallWindow, a_file_whose_name_has_no_room_in_the_row_is_chosen_in_the_menu) {
  bench().open_lesson("13");
  ASSERT_GT(bench().files().size(), 3u);
  const std::string last = bench().files().back();
  stage_.begin(kProjector);
  ASSERT_NO_FATAL_FAILURE(show_code());
  ASSERT_FALSE(there("file " + last));
  ASSERT_TRUE(stage_.click("code menu"));
  stage_.draw();
  ASSERT_TRUE(stage_.click("choose " + last));
  stage_.draw();
  EXPECT_NE(stage_.shell().state_line().find("\"file\":\"" + last + "\""), std::string::npos);
  EXPECT_TRUE(there("file " + last));
  EXPECT_FALSE(there("choose " + last)) << "the menu is closed";
}

TEST_F(SmallWindow, an_edited_file_is_restored_from_the_menu) {
  bench().open_lesson("05");
  stage_.begin(kLaptop);
  ASSERT_NO_FATAL_FAILURE(show_code());
  bench().set_file_text("main.cpp", "int main() {}\n");
  stage_.draw();
  ASSERT_TRUE(stage_.click("code menu"));
  stage_.draw();
  ASSERT_TRUE(stage_.click("restore"));
  stage_.draw();
  EXPECT_FALSE(bench().edited("main.cpp"));
}

TEST_F(SmallWindow, in_an_exercise_its_task_stands_above_the_code) {
  ASSERT_NO_FATAL_FAILURE(open_exercise("03", kLaptop));
  bench().enter_exercise(true);
  ASSERT_NO_FATAL_FAILURE(show_code());
  const std::string task = without_spaces(bench().exercise()->task[0]);
  EXPECT_NE(read("/step text_").find(task.substr(0, 30)), std::string::npos) << task;
}

TEST_F(SmallWindow, a_new_lesson_begins_at_its_beginning) {
  for (const Look& look : {kLaptop, kProjector}) {
    stage_.open_recording(GUI_RECORDINGS "/h200_05_context_stack.dlrec");
    stage_.begin(look);
    ASSERT_NO_FATAL_FAILURE(show_code());
    bench().jump(bench().store().size());
    stage_.draw(40);
    ASSERT_FALSE(line_in_sight(1)) << "the code is scrolled down";
    ASSERT_TRUE(stage_.click("tab0"));
    stage_.draw(40);
    bench().open_lesson("06");
    stage_.draw();
    const std::string notes = bench().notes(look.language);
    EXPECT_TRUE(in_sight(notes.substr(2, notes.find('\n') - 2), "/notes_")) << look.words();
    ASSERT_NO_FATAL_FAILURE(show_code());
    for (const int line : {1, 2, 3}) EXPECT_TRUE(line_in_sight(line)) << look.words();
    EXPECT_TRUE(in_sight("Step 1", "/step text_")) << look.words();
    EXPECT_EQ(bench().call_at_cursor(), 0u);
    // The list of calls too, although it has as many rows as before.
    stage_.open_recording(GUI_RECORDINGS "/h200_05_context_stack.dlrec");
    bench().jump(0);
    stage_.draw();
    EXPECT_TRUE(in_sight("1", "/rows_")) << look.words();
  }
}

TEST_F(SmallWindow, a_question_stands_below_the_code_where_the_picture_is_low_and_hides_no_call) {
  for (const lab::Language language : {lab::Language::English, lab::Language::Chinese})
    for (const char* page : {"tab0", "tab1"}) {
      Look look = kProjector;
      look.language = language;
      stage_.open_recording(GUI_RECORDINGS "/h200_05_context_stack.dlrec");
      stage_.begin(look);
      stage_.draw();
      ASSERT_TRUE(stage_.click(page));
      stage_.shell().settings().predict = true;
      bench().set_predicting(true);
      std::size_t asked = 0;
      for (std::size_t call = 0; call < bench().store().calls(); ++call) {
        bench().jump(bench().store().event_of_call(call));
        stage_.draw(2);
        if (bench().question() == nullptr) continue;
        ++asked;
        ASSERT_TRUE(there("answer 1")) << "call " << call + 1 << ", " << look.words();
        EXPECT_LT(stage_.shell().places().at("answer 1").x,
                  stage_.shell().places().at("panel picture").x / 1.3f);
        EXPECT_TRUE(there("panel calls"));
        if (std::string_view(page) == "tab1") {
          EXPECT_TRUE(line_in_sight(number_in_state("current")) || bench().call_at_cursor() == 0);
          EXPECT_TRUE(in_sight(lab::text(lab::Text::NotesStep, language, {""}).substr(0, 3), "/step text_"));
        }
        EXPECT_TRUE(there(std::string_view(page) == "tab0" ? "panel notes" : "panel code"));
      }
      EXPECT_GT(asked, 5u);
    }
}

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
