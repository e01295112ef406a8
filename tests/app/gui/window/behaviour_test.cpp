// SPDX-License-Identifier: MIT
// What the window does with keys, the mouse at rest and the time that passes: the whole of it, without a
// display, over recordings from real GPUs.
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "lab/text.hpp"
#include "stage.hpp"
#include "text_field.hpp"
#include "trace/recording.hpp"

namespace gui {
namespace {

class Behaviour : public testing::Test {
 protected:
  void open(const char* recording, Look look = {}) {
    stage_.open_recording(std::string(GUI_RECORDINGS "/") + recording);
    stage_.begin(look);
    stage_.draw();
  }
  void after(std::size_t calls) {
    if (calls == 0)
      stage_.bench().jump(0);
    else
      stage_.bench().jump_to_call(calls - 1);
    stage_.draw(40);
  }
  bool says(std::string_view words) { return stage_.shell().state_line().find(words) != std::string::npos; }
  bool there(const std::string& place) { return stage_.shell().places().count(place) > 0; }
  bool in_sight(std::string_view words, std::string_view window = {}) {
    const TextLog& log = stage_.draw();
    return std::any_of(log.texts().begin(), log.texts().end(), [&](const DrawnText& text) {
      return text.text.find(words) != std::string::npos && text.window.find(window) != std::string::npos &&
             text.seen.holds({text.box.x + 1, text.box.y + text.box.h / 2});
    });
  }
  // Words that may be broken into lines, in each system's fonts elsewhere.
  bool reads(std::string_view words, std::string_view window) {
    std::string all;
    for (const DrawnText& text : stage_.draw().texts())
      if (text.window.find(window) != std::string::npos &&
          text.seen.holds({text.box.x + 1, text.box.y + text.box.h / 2}))
        (all += text.text) += ' ';
    return all.find(words) != std::string::npos;
  }
  // What scrolls in the panel of the picture.
  static ImGuiWindow* scene() {
    for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->Active && std::string_view(window->Name).find("/picture_") != std::string_view::npos &&
          std::string_view(window->ParentWindow->Name).find("/picture_") != std::string_view::npos)
        return window;
    return nullptr;
  }
  // Where panels share a place, the picture is brought to the front of them.
  void show_picture() {
    if (!there("panel picture")) {
      ASSERT_TRUE(stage_.click("tab2"));
      stage_.draw();
    }
    ASSERT_TRUE(there("panel picture"));
  }
  // As places of the picture: the first context that the last step made, ended, activated or deactivated; if
  // there is none, everything else that it made.
  std::vector<std::string> made_by_the_step() {
    using Kind = lab::Change::Kind;
    std::vector<std::string> others;
    for (const lab::Change& change : stage_.bench().state().changes) {
      switch (change.kind) {
        case Kind::ContextCreated:
        case Kind::ContextDestroyed:
        case Kind::PrimaryActivated:
        case Kind::PrimaryDeactivated:
          return {"picture context " + std::to_string(change.context)};
        case Kind::Allocated:
          others.push_back("picture allocation " + std::to_string(change.allocation));
          break;
        case Kind::ObjectCreated:
          others.push_back("picture " + lab::object_name(change.object));
          break;
        default:
          break;
      }
    }
    return others;
  }
  bool hinting() { return !says("\"hint\":\"\""); }
  // Of the context that the picture calls so.
  std::string context(std::string_view name) {
    const auto& contexts = stage_.bench().state().contexts;
    for (std::size_t i = 0; i < contexts.size(); ++i)
      if (contexts[i].name == name) return "picture context " + std::to_string(i);
    return "picture context of nobody";
  }
  Stage stage_;
};

// What a step changes is brought into view

TEST_F(Behaviour, a_context_made_on_a_device_below_the_edge_is_brought_into_view) {
  for (const Look& look : {Look{1366, 768, 200}, Look{1920, 1080, 200}, Look{1366, 768, 100}}) {
    open("h200_09_managed.dlrec", look);
    show_picture();
    after(12);
    EXPECT_TRUE(there(context("B"))) << look.words();
  }
}

// Of what a step made: the first context, or else one of the other things.
TEST_F(Behaviour, what_each_step_of_each_recording_makes_or_ends_is_brought_into_view) {
  for (const Look& look : {Look{1366, 768, 200}, Look{1920, 1080, 200}, Look{1366, 768, 100}}) {
    std::size_t steps = 0, scrolled = 0;
    for (const std::filesystem::path& recording : recordings()) {
      open(recording.filename().c_str(), look);
      show_picture();
      for (std::size_t call = 1; call <= stage_.bench().store().calls(); ++call) {
        ImGuiWindow* const picture = scene();
        ASSERT_NE(picture, nullptr);
        const float before = picture->Scroll.y;
        stage_.bench().jump_to_call(call - 1);
        stage_.draw();
        const std::vector<std::string> made = made_by_the_step();
        if (made.empty()) continue;
        ++steps;
        scrolled += scene() != nullptr && scene()->Scroll.y != before ? 1 : 0;
        EXPECT_TRUE(there("panel picture"));
        EXPECT_TRUE(std::any_of(made.begin(), made.end(), [this](const auto& place) { return there(place); }))
            << recording.filename() << ", call " << call << ", " << look.words() << ": " << made.front();
      }
    }
    EXPECT_GT(steps, 250u) << look.words();
    EXPECT_GT(scrolled, 30u) << look.words() << ": the picture is large enough for everything";
  }
}

TEST_F(Behaviour, what_is_in_sight_leaves_the_picture_where_the_reader_put_it) {
  open("h200_05_context_stack.dlrec");
  after(6);
  const auto before = stage_.shell().places().find(context("A"));
  ASSERT_NE(before, stage_.shell().places().end());
  const float y = before->second.y;
  after(7);
  ASSERT_TRUE(there(context("A")));
  EXPECT_EQ(stage_.shell().places().at(context("A")).y, y);
}

// The language

TEST_F(Behaviour, the_calls_change_their_language_with_the_window) {
  open("h200_05_context_stack.dlrec");
  stage_.bench().jump(stage_.bench().store().size());
  stage_.draw(2);
  EXPECT_TRUE(in_sight("as expected", "calls"));
  stage_.press({Key::L, true});
  EXPECT_TRUE(in_sight("符合预期", "calls"));
  EXPECT_FALSE(in_sight("as expected", "calls"));
}

// All of the picture at once

TEST_F(Behaviour, the_picture_is_there_in_the_very_frame_in_which_fit_is_pressed) {
  open("h200_09_managed.dlrec", Look{1600, 1200, 150});
  after(40);
  for (const char* what : {"fitted", "at its size again"}) {
    ImGuiWindow* const picture = scene();
    ASSERT_NE(picture, nullptr);
    picture->Scroll.y = picture->ScrollMax.y;
    stage_.draw();
    stage_.point_at(stage_.shell().places().at("picture fit"));
    for (const bool down : {false, true, false}) stage_.hold(down), stage_.draw(1);
    EXPECT_TRUE(there("picture context 0")) << what << ", the first frame";
    stage_.draw(1);
    EXPECT_TRUE(there("picture context 0")) << what << ", the second frame";
    stage_.point_at({0, 0});
    stage_.draw();
  }
}

TEST_F(Behaviour, what_fit_shows_ends_before_the_scrollbar) {
  std::size_t with_scrollbar = 0, ends = 0;
  for (const Look& look :
       {Look{1366, 768, 200}, Look{1024, 640, 125}, Look{800, 400, 150}, Look{640, 320, 150}}) {
    for (const char* recording :
         {"h200_09_managed.dlrec", "h200_21_per_thread_stream.dlrec", "h200_06_threads.dlrec"}) {
      open(recording, look);
      stage_.shell().open("picture");
      stage_.bench().jump(stage_.bench().model().moments());
      stage_.draw();
      stage_.draw(10);
      ASSERT_TRUE(stage_.click("picture fit")) << look.words();
      stage_.draw();
      ImGuiWindow* const picture = scene();
      ASSERT_NE(picture, nullptr);
      with_scrollbar += picture->ScrollbarY ? 1 : 0;
      for (const auto& [name, end] : stage_.shell().places()) {
        if (!name.starts_with("picture end of ")) continue;
        ++ends;
        EXPECT_LE(end.x, picture->InnerRect.Max.x) << recording << ", " << look.words() << ": " << name;
      }
    }
  }
  EXPECT_GT(ends, 0u);
  EXPECT_GT(with_scrollbar, 0u);
}

// Hints

TEST_F(Behaviour, the_hint_of_a_button_is_drawn_although_the_mouse_stays_where_it_is) {
  open("h200_05_context_stack.dlrec");
  const auto button = stage_.shell().places().find("look");
  ASSERT_NE(button, stage_.shell().places().end());
  stage_.point_at(button->second);
  for (int frames = 0; frames < 120 && !hinting(); ++frames) stage_.draw(1);
  ASSERT_TRUE(hinting());
  EXPECT_LT(stage_.shell().redraw_in(), 0.1);  // its first frame is ImGui's for measuring
}

TEST_F(Behaviour, a_card_under_the_mouse_goes_with_the_first_key_and_comes_back_with_the_mouse) {
  open("h200_05_context_stack.dlrec");
  after(6);
  ASSERT_TRUE(there(context("A")));
  ImVec2 at = stage_.shell().places().at(context("A"));
  stage_.point_at(at);
  stage_.draw();
  ASSERT_TRUE(hinting());
  stage_.press({Key::F10});
  stage_.draw();
  EXPECT_FALSE(hinting());
  at.x += 1;
  stage_.point_at(at);
  stage_.draw(2);
  EXPECT_TRUE(hinting());
}

// Lists

TEST_F(Behaviour, the_list_of_lessons_has_one_cursor_that_all_keys_move) {
  open("h200_05_context_stack.dlrec");
  stage_.press({Key::O, true});
  stage_.draw();
  stage_.press({Key::Home});
  stage_.press({Key::Enter});
  stage_.draw();
  EXPECT_TRUE(says("\"lesson\":\"" + stage_.bench().catalogue().lessons.front().slug + "\""));
  stage_.press({Key::O, true});
  stage_.press({Key::End});
  stage_.press({Key::PageUp});
  stage_.press({Key::PageDown});
  stage_.press({Key::Enter});
  stage_.draw();
  EXPECT_TRUE(says("\"lesson\":\"" + stage_.bench().catalogue().lessons.back().slug + "\""));
}

// The mouse may lie where a list opens.
TEST_F(Behaviour, while_keys_are_used_the_mouse_at_rest_marks_no_row_of_a_list) {
  open("h200_05_context_stack.dlrec");
  stage_.press({Key::O, true});
  stage_.draw();
  const ImVec2 row = stage_.shell().places().at("lesson vector_add");
  const auto marked = [&] {
    stage_.draw();
    const ImU32 hover = stage_.shell().theme()[Role::Hover];
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (!window->Active || std::string_view(window->Name).find("/list_") == std::string_view::npos)
        continue;
      for (const ImDrawVert& corner : window->DrawList->VtxBuffer)
        if (corner.col == hover && std::abs(corner.pos.y - row.y) < 30) return true;
    }
    return false;
  };
  stage_.point_at(row);
  EXPECT_TRUE(marked());
  stage_.press({Key::Home});
  EXPECT_FALSE(marked());
}

TEST_F(Behaviour, the_keyboard_goes_along_to_the_next_page) {
  stage_.bench().open_lesson("05");
  stage_.begin(Look{1366, 768, 200});
  stage_.draw();
  for (int i = 0; i < 6 && !says("\"focus\":\"notes\""); ++i) stage_.press({Key::F6}), stage_.draw();
  for (const char* page : {"notes", "code", "picture", "notes"}) {
    stage_.press({Key::Tab, true});
    stage_.draw();
    EXPECT_TRUE(says("\"focus\":\"" + std::string(page) + "\"")) << page;
    EXPECT_TRUE(there("panel " + std::string(page)) || there("panel exercise")) << page;
  }
}

TEST_F(Behaviour, the_list_of_lessons_shows_every_lesson_to_the_keys_in_small_windows_too) {
  const lab::Catalogue& catalogue = stage_.bench().catalogue();
  for (const auto language : {lab::Language::English, lab::Language::Chinese}) {
    stage_.begin(Look{1366, 768, 200, ThemeName::Dark, language});
    stage_.press({Key::O, true});
    stage_.draw(3);
    for (int i = 0; i < 30; ++i) stage_.press({Key::Up});
    for (const lab::LessonsOfPart& part : lab::by_part(catalogue)) {
      for (const lab::Lesson* lesson : part.lessons) {
        stage_.draw(2);
        const std::string& why = lesson->why[static_cast<int>(language)];
        EXPECT_TRUE(in_sight(lesson->title[static_cast<int>(language)], "lessons")) << lesson->slug;
        EXPECT_TRUE(in_sight(why.substr(0, 12), "lessons")) << lesson->slug;
        const bool first = lesson == part.lessons.front();
        EXPECT_TRUE(!first || in_sight(part.part->title[static_cast<int>(language)], "lessons"))
            << lesson->slug;
        stage_.press({Key::Down});
      }
    }
    stage_.press({Key::Escape});
  }
}

TEST_F(Behaviour, the_list_of_lessons_opens_at_the_lesson_that_is_open) {
  for (const lab::Lesson& lesson : stage_.bench().catalogue().lessons) {
    stage_.bench().open_lesson(lesson.slug);
    stage_.begin(Look{1366, 768, 200});
    stage_.press({Key::O, true});
    stage_.draw(6);
    EXPECT_TRUE(in_sight(lesson.title[0], "lessons")) << lesson.slug;
    const std::size_t last = lesson.why[0].rfind(' ') + 1;  // its last word, on its last line
    EXPECT_TRUE(in_sight(lesson.why[0].substr(last), "lessons")) << lesson.slug;
    stage_.press({Key::Escape});
  }
}

TEST_F(Behaviour, the_list_of_lessons_says_how_many_follow_and_goes_there_by_mouse) {
  stage_.begin(Look{1366, 768, 200});
  stage_.press({Key::O, true});
  stage_.draw(3);
  stage_.press({Key::Home});
  stage_.draw(3);
  ASSERT_TRUE(in_sight(" more below"));
  int presses = 0;
  while (!in_sight("Back to the top")) {
    ASSERT_LT(++presses, 30);
    ASSERT_TRUE(stage_.click("more lessons"));
    stage_.draw(2);
  }
  EXPECT_GT(presses, 2);
  EXPECT_TRUE(in_sight(stage_.bench().catalogue().lessons.back().title[0], "lessons"));
  ASSERT_TRUE(stage_.click("more lessons"));
  stage_.draw(3);
  EXPECT_TRUE(in_sight(" more below"));
  EXPECT_TRUE(in_sight(stage_.bench().catalogue().lessons.front().title[0], "lessons"));
}

TEST_F(Behaviour, the_list_of_lessons_says_what_is_done_and_what_comes_next) {
  const lab::Catalogue& catalogue = stage_.bench().catalogue();
  stage_.begin(Look{1600, 1400, 100});
  stage_.press({Key::O, true});
  stage_.draw(3);
  EXPECT_TRUE(in_sight(fmt::format("0 of {} done", catalogue.lessons.size())));
  EXPECT_TRUE(in_sight("next", "lessons"));
  EXPECT_TRUE(in_sight("basic · 30 min · "));
}

// Scrolling

TEST_F(Behaviour, what_is_read_downwards_is_never_shifted_sideways) {
  stage_.bench().open_lesson("05");
  stage_.begin(Look{1366, 768, 100});
  stage_.draw();
  std::size_t shifted = 0;
  for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (std::string_view(window->Name).find("notes") == std::string_view::npos || window->ScrollMax.x < 1)
      continue;
    window->Scroll.x = 1;  // as ImGui's arrow keys do
    ++shifted;
    stage_.draw();
    EXPECT_EQ(window->Scroll.x, 0) << window->Name;
  }
  EXPECT_GT(shifted, 0u);
}

// Search

TEST_F(Behaviour, what_the_search_found_is_marked_in_the_words_around_it) {
  open("h200_05_context_stack.dlrec");
  stage_.press({.key = Key::F, .ctrl = true, .shift = true});
  stage_.type("primary");
  const TextLog& log = stage_.draw();
  ASSERT_TRUE(there("hit 0"));
  std::size_t marked = 0;
  for (int hit = 0; hit < 4; ++hit) {
    const auto mark = stage_.shell().places().find("mark of hit " + std::to_string(hit));
    if (mark == stage_.shell().places().end()) continue;  // the word is behind the edge
    ++marked;
    const bool in_words = std::any_of(log.texts().begin(), log.texts().end(), [&](const DrawnText& text) {
      const std::size_t at = std::min(text.text.find("primary"), text.text.find("Primary"));
      if (at == std::string::npos) return false;
      const float middle = (static_cast<float>(at) + 3.5f) / static_cast<float>(text.text.size());
      return std::abs(mark->second.x - text.box.x - middle * text.box.w) < 40 &&
             std::abs(mark->second.y - text.box.y - text.box.h / 2) < text.box.h / 2;
    });
    EXPECT_TRUE(in_words) << hit;
  }
  EXPECT_GT(marked, 1u);
}

TEST_F(Behaviour, a_hit_in_an_exercise_opens_it) {
  open("h200_05_context_stack.dlrec");
  stage_.press({.key = Key::F, .ctrl = true, .shift = true});
  stage_.type("numbers_from()");
  stage_.draw();
  EXPECT_TRUE(reads("exercise: Fill to the end", "search"));
  stage_.press({.key = Key::Enter});
  stage_.draw();
  ASSERT_NE(stage_.bench().lesson(), nullptr);
  EXPECT_EQ(stage_.bench().lesson()->number, 8);
  ASSERT_NE(stage_.bench().exercise(), nullptr);
  EXPECT_EQ(stage_.bench().exercise()->name, "write");
  EXPECT_TRUE(there("panel exercise"));
}

TEST_F(Behaviour, what_is_typed_after_a_key_takes_effect_after_it_also_within_one_frame) {
  open("h200_05_context_stack.dlrec");
  stage_.press({.key = Key::F, .ctrl = true, .shift = true});
  stage_.type("primary");
  stage_.press_and_type({.key = Key::A, .ctrl = true}, "stack");
  const TextLog& log = stage_.draw();
  const auto drawn = [&](const std::string& text) {
    return std::any_of(log.texts().begin(), log.texts().end(),
                       [&](const DrawnText& one) { return one.text == text; });
  };
  EXPECT_TRUE(drawn("stack"));
  EXPECT_FALSE(drawn("primarystack"));
  EXPECT_TRUE(there("hit 0"));
}

TEST_F(Behaviour, a_field_that_is_set_to_nothing_is_empty) {
  TextField field;
  field.set("ssh gpubox");
  EXPECT_EQ(field.text(), "ssh gpubox");
  field.set("");
  EXPECT_EQ(field.text(), "");
}

// The tour

TEST_F(Behaviour, each_card_of_the_tour_stands_before_the_panel_that_it_speaks_of) {
  stage_.bench().open_lesson("05");
  stage_.begin(Look{1366, 768, 100});
  stage_.shell().start_tour();
  stage_.draw();
  EXPECT_TRUE(there("panel notes"));
  stage_.press({Key::Enter});
  stage_.draw();
  EXPECT_TRUE(there("panel code"));
  EXPECT_FALSE(there("panel notes"));
}

TEST_F(Behaviour, after_the_tour_the_notes_are_in_front) {
  stage_.bench().open_lesson("05");
  for (const Look& look : {Look{1366, 768, 100}, Look{1366, 768, 200}}) {
    for (const int read : {3, 5}) {
      stage_.begin(look);
      stage_.shell().start_tour();
      stage_.draw();
      for (int card = 0; card < read; ++card) stage_.press({Key::Enter}), stage_.draw();
      stage_.press({Key::Escape});
      stage_.draw();
      EXPECT_TRUE(there("panel notes")) << look.words() << ", " << read << " cards";
    }
  }
}

// Opened again

TEST_F(Behaviour, a_lesson_opens_with_the_tab_and_the_place_in_the_notes_where_it_was_left) {
  stage_.bench().open_lesson("05");
  for (const char* tab : {"picture", "notes", "code"}) {
    stage_.begin(Look{900, 700, 150});
    lab::Settings::Place& left = stage_.shell().settings().places["context_stack"];
    left.tab = tab, left.step = "primary_current";
    stage_.draw(10);
    for (const char* panel : {"picture", "notes", "code"})
      EXPECT_EQ(there(std::string("panel ") + panel), std::string_view(panel) == tab) << tab << ", " << panel;
    EXPECT_EQ(stage_.shell().settings().places["context_stack"].step, "primary_current") << tab;
    EXPECT_EQ(in_sight("Making it current", "notes"), std::string_view(tab) == "notes") << tab;
  }
}

// Panels by name

TEST_F(Behaviour, the_exercise_opens_by_its_name_in_a_lesson_that_was_just_opened) {
  stage_.bench().open_lesson("05");
  stage_.begin({});
  ASSERT_TRUE(stage_.shell().open("exercise"));
  stage_.draw();
  EXPECT_TRUE(there("panel exercise"));
}

// Several exercises

TEST_F(Behaviour, an_exercise_is_chosen_by_its_row_and_by_its_name) {
  stage_.bench().open_lesson("05");
  stage_.begin({});
  ASSERT_TRUE(stage_.shell().open("exercise"));
  stage_.draw();
  EXPECT_EQ(stage_.bench().exercise()->name, "repair");
  ASSERT_TRUE(stage_.click("exercise:predict"));
  stage_.draw();
  EXPECT_EQ(stage_.bench().exercise()->name, "predict");
  EXPECT_TRUE(reads("Twelve calls change the stack", "exercise"));
  ASSERT_TRUE(stage_.shell().open("exercise:repair"));
  EXPECT_EQ(stage_.bench().exercise()->name, "repair");
  EXPECT_FALSE(stage_.shell().open("exercise:nobody"));
}

TEST_F(Behaviour, a_lesson_opens_with_the_exercise_that_was_open) {
  stage_.bench().open_lesson("05");
  stage_.begin({});
  stage_.shell().settings().places["context_stack"].exercise = "predict";
  stage_.draw(10);
  EXPECT_TRUE(stage_.bench().in_exercise());
  EXPECT_EQ(stage_.bench().exercise()->name, "predict");
  EXPECT_EQ(stage_.shell().settings().places["context_stack"].exercise, "predict");
  stage_.bench().enter_exercise(false);
  stage_.draw();
  EXPECT_EQ(stage_.shell().settings().places["context_stack"].exercise, "");
}

// Good news

TEST_F(Behaviour, good_news_moves_no_panel_and_goes_by_itself_and_a_problem_stays) {
  open("h200_05_context_stack.dlrec");
  const ImVec2 before = stage_.shell().places().at("panel picture");
  stage_.shell().say({lab::Text::ExerciseExported, {"/home/somebody/progress.csv"}});
  EXPECT_TRUE(in_sight("progress.csv"));
  stage_.shell().say({lab::Text::ExerciseExported, {"/home/somebody/progress.csv"}});
  stage_.draw();
  EXPECT_TRUE(says("\"notices\":1,")) << "said again, it replaces what was said";
  EXPECT_EQ(stage_.shell().places().at("panel picture").y, before.y);
  stage_.draw(400);
  EXPECT_FALSE(in_sight("progress.csv"));
  stage_.shell().add_problem({lab::Text::LessonUnknown, {"a name that no lesson has"}});
  stage_.draw(400);
  EXPECT_TRUE(in_sight("a name that no lesson has"));
}

// Questions

// How many lines fit depends on the font, so the windows are of several heights.
TEST_F(Behaviour, in_a_low_window_the_list_of_calls_gives_way_to_a_question_and_to_what_comes_of_it) {
  for (const lab::Language language : {lab::Language::English, lab::Language::Chinese})
    for (const int height : {768, 776, 800, 840}) {
      const Look look{1366, height, 200, ThemeName::Dark, language};
      SCOPED_TRACE(look.words());
      open("h200_05_context_stack.dlrec", look);
      show_picture();
      stage_.shell().settings().predict = true;
      stage_.bench().set_predicting(true);
      std::size_t asked = 0;
      const std::size_t calls = stage_.bench().store().calls();
      for (std::size_t call = 0; call < calls; ++call) {
        stage_.bench().jump(stage_.bench().store().event_of_call(call));
        stage_.draw(2);
        EXPECT_EQ(stage_.bench().question() != nullptr, says("\"asking\":true")) << "call " << call + 1;
        const bool waits = says("\"asking\":true") || stage_.bench().prediction() != nullptr;
        EXPECT_EQ(there("panel calls"), !waits) << "call " << call + 1;
        if (!says("\"asking\":true") || asked == 3) continue;
        ++asked;
        ASSERT_TRUE(there("answer 1"));
        stage_.press({Key::Digit1});
        stage_.draw(2);
        EXPECT_FALSE(says("\"prediction\":\"\"")) << "call " << call + 1;
        EXPECT_FALSE(there("panel calls")) << "call " << call + 1;
      }
      EXPECT_EQ(asked, 3u);
      ASSERT_TRUE(stage_.click("tab0"));
      stage_.draw(2);
      EXPECT_TRUE(there("panel calls"));
    }
}

TEST_F(Behaviour,
       in_a_narrow_window_the_list_of_calls_gives_way_only_to_a_question_that_has_no_room_beside_it) {
  std::size_t beside = 0, instead = 0;
  for (const lab::Language language : {lab::Language::English, lab::Language::Chinese}) {
    open("h200_05_context_stack.dlrec", Look{740, 640, 100, ThemeName::Dark, language});
    show_picture();
    stage_.shell().settings().predict = true;
    stage_.bench().set_predicting(true);
    const std::size_t calls = stage_.bench().store().calls();
    for (std::size_t call = 0; call < calls; ++call) {
      stage_.bench().jump(stage_.bench().store().event_of_call(call));
      stage_.draw(2);
      EXPECT_EQ(stage_.bench().question() != nullptr, says("\"asking\":true")) << "call " << call + 1;
      if (!says("\"asking\":true")) continue;
      ++(there("panel calls") ? beside : instead);
      stage_.press({Key::Digit1});
      stage_.draw(2);
      EXPECT_FALSE(says("\"prediction\":\"\"")) << "call " << call + 1;
    }
  }
  EXPECT_GT(beside, 0u);
  EXPECT_GT(instead, 0u);
}

TEST_F(Behaviour, while_a_question_is_asked_the_calls_to_come_do_not_tell_what_comes_out) {
  open("h200_05_context_stack.dlrec");
  stage_.shell().settings().predict = true;
  stage_.bench().set_predicting(true);
  std::size_t asked = 0;
  const std::size_t calls = stage_.bench().store().calls();
  for (std::size_t call = 0; call < calls && asked < 3; ++call) {
    stage_.bench().jump(stage_.bench().store().event_of_call(call));
    stage_.draw(2);
    if (!says("\"asking\":true")) continue;
    ++asked;
    const TextLog& log = stage_.draw(1);
    const std::string number = std::to_string(call + 1);
    float row = -1;
    for (const DrawnText& text : log.texts())
      if (text.window.find("rows") != std::string::npos && text.text == number && row < 0) row = text.box.y;
    if (row < 0) continue;
    for (const DrawnText& text : log.texts())
      if (text.window.find("rows") != std::string::npos && std::abs(text.box.y - row) < 6) {
        EXPECT_EQ(text.text.find("SUCCESS"), std::string::npos) << text.text;
      }
  }
  EXPECT_GT(asked, 0u);
  stage_.shell().settings().predict = false;
  stage_.bench().set_predicting(false);
  stage_.bench().jump(stage_.bench().store().event_of_call(2));
  EXPECT_TRUE(in_sight("SUCCESS", "rows"));  // nobody is asked: the future may be read
}

TEST_F(Behaviour, digits_in_the_field_that_finds_things_answer_no_question) {
  open("h200_05_context_stack.dlrec");
  stage_.shell().settings().predict = true;
  stage_.bench().set_predicting(true);
  for (std::size_t call = 0; call < stage_.bench().store().calls() && !says("\"asking\":true"); ++call) {
    stage_.bench().jump(stage_.bench().store().event_of_call(call));
    stage_.draw(2);
  }
  ASSERT_TRUE(says("\"asking\":true"));
  stage_.press({Key::F7});
  stage_.draw();
  stage_.press_and_type({Key::Digit1}, "1");
  stage_.draw();
  EXPECT_TRUE(says("\"asked\":0"));
  stage_.press({Key::Escape});
  stage_.draw();
  stage_.press({Key::Digit1});
  stage_.draw();
  EXPECT_TRUE(says("\"asked\":1"));
}

// In front of a class

TEST_F(Behaviour, on_the_projector_a_clicker_steps_although_the_editor_has_the_keys) {
  open("h200_05_context_stack.dlrec", Look{1600, 1000, 100, ThemeName::Projector});
  after(5);
  ASSERT_TRUE(stage_.click("code"));
  stage_.draw();
  ASSERT_TRUE(says("\"editor\":true"));
  const std::size_t before = stage_.bench().call_at_cursor();
  stage_.press({Key::PageDown});
  EXPECT_EQ(stage_.bench().call_at_cursor(), before + 1);
  stage_.press({Key::PageUp});
  EXPECT_EQ(stage_.bench().call_at_cursor(), before);
}

TEST_F(Behaviour, at_a_desk_the_page_keys_stay_the_editors) {
  open("h200_05_context_stack.dlrec");
  after(5);
  ASSERT_TRUE(stage_.click("code"));
  stage_.draw();
  const std::size_t before = stage_.bench().call_at_cursor();
  stage_.press({Key::PageDown});
  EXPECT_EQ(stage_.bench().call_at_cursor(), before);
}

// Chinese lines

TEST_F(Behaviour, no_chinese_line_begins_with_a_mark_that_ends_one) {
  const auto begins_with_mark = [](const std::string& text) {
    for (const char* mark : {"。", "，", "、", "；", "：", "！", "？", "）", "”"})
      if (text.starts_with(mark)) return true;
    return false;
  };
  for (const int width : {1000, 1180, 1280, 1366, 1480, 1600}) {
    open("h200_23_when_it_breaks.dlrec", Look{width, 768, 100, ThemeName::Dark, lab::Language::Chinese});
    const trace::Store& store = stage_.bench().store();
    for (std::size_t call = 0; call < store.calls(); ++call) {
      if (store.result_at(store.event_of_call(call)) == 0) continue;
      stage_.bench().jump_to_call(call);
      const TextLog& log = stage_.draw(2);
      for (const DrawnText& text : log.texts()) {
        if (!begins_with_mark(text.text)) continue;
        // A piece of a line may: what it follows is drawn to its left.
        const bool follows = std::any_of(log.texts().begin(), log.texts().end(), [&](const DrawnText& other) {
          return other.window == text.window && std::abs(other.box.y - text.box.y) < 6 &&
                 other.box.x < text.box.x && other.box.x + other.box.w > text.box.x - 12;
        });
        EXPECT_TRUE(follows) << width << ", call " << call + 1 << ": " << text.text;
      }
    }
  }
}

// Failures that the program asks for

TEST_F(Behaviour, an_expected_failure_is_told_from_a_real_one) {
  open("h200_23_when_it_breaks.dlrec");
  const trace::Store& store = stage_.bench().store();
  std::size_t expected = 0, failed = 0;
  for (std::size_t call = 0; call < store.calls(); ++call) {
    const std::size_t event = store.event_of_call(call);
    failed += store.result_at(event) != 0 ? 1 : 0;
    if (!stage_.bench().expected_failure(event)) continue;
    if (++expected == 1) after(call + 1);
  }
  EXPECT_GT(failed, 8u);
  EXPECT_EQ(expected, failed);  // all of this lesson goes to plan
  EXPECT_TRUE(in_sight("as expected", "rows"));
}

// Calls that did not come back

TEST_F(Behaviour, a_call_that_the_lab_ended_was_stopped_and_one_that_crashed_never_returned) {
  for (const bool stopped : {true, false}) {
    trace::Store store;
    trace::Event call;
    call.kind = trace::EventKind::Call;
    call.name = "cuCtxSynchronize";
    call.returned = false;
    call.t_ns = 10;
    store.append(call);
    trace::Event end;
    end.kind = trace::EventKind::ProcessEnd;
    end.end = stopped ? trace::EndKind::Killed : trace::EndKind::Signal;
    end.number = stopped ? 0 : 11;
    end.t_ns = 20;
    store.append(end);
    const std::string file = testing::TempDir() + "ended_in_a_call.dlrec";
    const auto writer = trace::RecordingWriter::create(file, {}, nullptr);
    ASSERT_TRUE(writer && writer->write(store, 0, store.size()) && writer->finish());
    stage_.open_recording(file);
    stage_.begin({});
    stage_.draw();
    EXPECT_EQ(in_sight("stopped here", "rows"), stopped);
    EXPECT_EQ(in_sight("never returned", "rows"), !stopped);
  }
}

TEST_F(Behaviour, what_a_question_brought_back_is_said_by_the_programs_own_names) {
  open("h200_01_hello_driver.dlrec");
  const trace::Store& store = stage_.bench().store();
  bool counted = false, named = false;
  for (std::size_t call = 0; call < store.calls(); ++call) {
    const std::string name(store.at(store.event_of_call(call)).name);
    if (name != "cuDeviceGetCount" && name != "cuDeviceGetName") continue;
    after(call + 1);
    if (name == "cuDeviceGetCount" && !counted) counted = reads("now known and drawn", "picture");
    if (name == "cuDeviceGetName") named = named || reads("“NVIDIA", "picture");
  }
  EXPECT_TRUE(counted);
  EXPECT_TRUE(named);
}

}  // namespace
}  // namespace gui
