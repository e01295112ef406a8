// SPDX-License-Identifier: MIT
// Looking for words in the notes and in the output: every place is counted, the one that is looked at is on
// the screen, and what is typed reaches one field only.
//
// Drives the whole window without a display, over a recording from a real GPU.
#include "find_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "lab/text.hpp"
#include "stage.hpp"

namespace gui {
namespace {

namespace fs = std::filesystem;

TEST(places_of, words_are_found_in_any_case_and_do_not_overlap) {
  EXPECT_EQ(places_of("ctx", "cuCtxCreate ctx CTX"), (std::vector<std::size_t>{2, 12, 16}));
  EXPECT_EQ(places_of("aa", "aaaa"), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(places_of("上下文", "当前上下文"), (std::vector<std::size_t>{6}));
  EXPECT_TRUE(places_of("", "anything").empty());
}

class FindLines : public testing::Test {
 protected:
  void SetUp() override {
    stage_.open_recording(fs::path(GUI_RECORDINGS) / "h200_05_context_stack.dlrec");
    stage_.begin(Look{});
    stage_.draw();
  }
  void find_in(const std::string& panel, const std::string& words) {
    stage_.point_at(stage_.shell().places().at("panel " + panel));
    stage_.draw();
    stage_.press({Key::F, true});
    stage_.draw();
    ASSERT_EQ(stage_.shell().places().count(panel + " find"), 1u);
    stage_.type(words);
    stage_.draw();
  }
  bool says(int place, int count) {
    const std::string words = lab::text(lab::Text::PictureFindOf, lab::Language::English,
                                        {std::to_string(place), std::to_string(count)});
    const auto& texts = stage_.draw().texts();
    return std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) { return text.text == words; });
  }
  // Whether a text that holds the words is to be seen in the panel.
  bool seen(const std::string& words, const std::string& window) {
    const auto& texts = stage_.draw().texts();
    return std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) {
      return text.window.find(window) != std::string::npos && !places_of(words, text.text).empty() &&
             text.box.y >= text.seen.y && text.box.bottom() <= text.seen.bottom();
    });
  }
  int lines_with(const std::string& words) {
    const trace::Store& store = stage_.bench().store();
    int count = 0;
    for (std::size_t i = 0; i < store.size(); ++i)
      if (store.kind_at(i) == trace::EventKind::Output)
        count += static_cast<int>(places_of(words, store.at(i).text).size());
    return count;
  }
  Stage stage_;
};

TEST_F(FindLines, the_notes_scroll_to_each_place_and_round_again) {
  const std::string last = "terms:";  // the last line of every lesson's notes
  ASSERT_FALSE(seen(last, "/notes"));
  find_in("notes", last);
  EXPECT_TRUE(says(1, 1));
  EXPECT_TRUE(seen(last, "/notes"));
}

TEST_F(FindLines, enter_and_F3_go_on_and_with_shift_back) {
  const std::string& notes = stage_.bench().notes(lab::Language::English);
  ASSERT_GT(places_of("cuctxpushcurrent", notes).size(), 1u);
  find_in("notes", "cuCtxPushCurrent");
  const int count = [&] {
    for (int all = 1; all < 500; ++all)
      if (says(1, all)) return all;
    return 0;
  }();
  ASSERT_GT(count, 1);
  stage_.press({Key::Enter});
  EXPECT_TRUE(says(2, count));
  stage_.press({Key::F3, false, true});
  EXPECT_TRUE(says(1, count));
  stage_.press({Key::F3, false, true});
  EXPECT_TRUE(says(count, count)) << "from the first to the last";
}

TEST_F(FindLines, a_phrase_is_found_across_code_in_it) {
  // "… `cuCtxCreate` pushes": code and text are drawn one by one.
  const std::string& notes = stage_.bench().notes(lab::Language::English);
  const std::size_t tick = notes.find("` ", notes.find("`cuCtx"));
  ASSERT_NE(tick, std::string::npos);
  std::size_t begin = notes.rfind('`', tick - 1) + 1, end = notes.find_first_of(" \n", tick + 2);
  std::string phrase = notes.substr(begin, tick - begin) + notes.substr(tick + 1, end - tick - 1);
  find_in("notes", phrase);
  EXPECT_FALSE(says(0, 0));
  const auto& texts = stage_.draw().texts();
  const std::string none = lab::text(lab::Text::PictureFindNone, lab::Language::English, {});
  EXPECT_TRUE(std::none_of(texts.begin(), texts.end(), [&](const DrawnText& text) {
    return text.text == none;
  })) << phrase;
}

TEST_F(FindLines, the_output_is_searched_and_scrolls) {
  stage_.bench().jump_to_call(0);
  stage_.draw();
  const int count = lines_with("context");
  ASSERT_GT(count, 1);
  find_in("output", "context");
  EXPECT_TRUE(says(1, count));
  stage_.press({Key::Enter, false, true});
  EXPECT_TRUE(says(count, count));
  EXPECT_TRUE(seen("context", "/output"));
}

TEST_F(FindLines, words_go_to_the_field_that_was_opened_last) {
  find_in("output", "context");
  find_in("notes", "stack");
  EXPECT_TRUE(says(1, lines_with("context"))) << "what was typed second has changed the first field";
  stage_.press({Key::Escape});
  stage_.draw();
  EXPECT_EQ(stage_.shell().places().count("notes find"), 0u);
  EXPECT_EQ(stage_.shell().places().count("output find"), 1u);
  stage_.press({Key::F3});
  EXPECT_FALSE(stage_.shell().places().count("timeline left")) << "F3 belongs to the search that is left";
}

TEST_F(FindLines, no_text_of_it_is_cut_in_any_look) {
  for (const lab::Language language : {lab::Language::English, lab::Language::Chinese})
    for (const Look& look : every_look(language)) {
      stage_.begin(look);
      stage_.draw();
      for (const char* panel : {"notes", "output"}) {
        const auto found = stage_.shell().places().find(std::string("panel ") + panel);
        if (found == stage_.shell().places().end()) continue;
        stage_.point_at(found->second);
        stage_.draw();
        stage_.press({Key::F, true});
        for (const Complaint& complaint : stage_.complaints())
          ADD_FAILURE() << look.words() << " " << panel << ": " << complaint.what << ": " << complaint.text
                        << " " << complaint.where;
      }
    }
}

}  // namespace
}  // namespace gui
