// SPDX-License-Identifier: MIT
// The card about a word of the driver API: where it appears, what stands in it, and that no text of it is
// cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "formatting.hpp"
#include "lab/api_help.hpp"
#include "lab/explain.hpp"
#include "lab/text.hpp"
#include "stage.hpp"

namespace gui {
namespace {

class HelpCard : public testing::Test {
 protected:
  void open(const Look& look = {}) {
    stage_.open_recording(GUI_RECORDINGS "/h200_05_context_stack.dlrec");
    stage_.begin(look);
    stage_.bench().jump_to_call(1);
    stage_.draw();
  }
  // The first place in this part of the window where exactly this is drawn, in sight; the mouse rests there.
  bool point_at(std::string_view words, std::string_view window) {
    for (const DrawnText& text : stage_.draw().texts()) {
      const ImVec2 at{text.box.x + 6, text.box.y + text.box.h / 2};
      if (text.text != words || text.window.find(window) == std::string::npos || !text.seen.holds(at))
        continue;
      stage_.point_at(at);
      stage_.draw(120);
      return true;
    }
    return false;
  }
  // A text of this part of the window that holds the word; the mouse rests on the word.
  bool point_at_word(std::string_view word, std::string_view window) {
    for (const DrawnText& text : stage_.draw().texts()) {
      const std::size_t begin = text.text.find(word);
      if (begin == std::string::npos || text.shortened || text.window.find(window) == std::string::npos)
        continue;
      // Letters differ in width, and the word is long.
      const float part = (static_cast<float>(begin) + static_cast<float>(word.size()) / 2) /
                         static_cast<float>(text.text.size());
      const ImVec2 at{text.box.x + text.box.w * part, text.box.y + text.box.h / 2};
      if (!text.seen.holds(at)) continue;
      stage_.point_at(at);
      stage_.draw(120);
      return true;
    }
    return false;
  }
  bool card_says(std::string_view words) {
    std::string all;
    for (const DrawnText& text : stage_.draw().texts())
      if (text.window.starts_with("##Tooltip")) (all += text.text) += ' ';
    return all.find(words) != std::string::npos;
  }
  Stage stage_;
};

TEST_F(HelpCard, a_call_in_the_list_explains_itself) {
  open();
  ASSERT_TRUE(point_at("cuDeviceGetCount", "rows") || point_at("cuDeviceGet", "rows") ||
              point_at("cuInit", "rows"));
  EXPECT_TRUE(card_says("CUresult cu"));
  EXPECT_TRUE(card_says("May return"));
  stage_.point_at({1, 1});
  stage_.draw(4);
  EXPECT_FALSE(card_says("CUresult"));
}

TEST_F(HelpCard, it_speaks_the_language_of_the_reader) {
  Look look;
  look.language = lab::Language::Chinese;
  open(look);
  ASSERT_TRUE(point_at("cuInit", "rows"));
  EXPECT_TRUE(card_says("初始化驱动"));
  EXPECT_TRUE(card_says("可能返回"));
}

TEST_F(HelpCard, a_call_in_the_code_and_in_the_notes_explains_itself) {
  open();
  const auto places = stage_.shell().places();  // a copy: each frame makes them anew
  const auto word =
      std::ranges::find_if(places, [](const auto& place) { return place.first.starts_with("code cuCtx"); });
  ASSERT_NE(word, places.end());
  stage_.point_at(word->second);
  stage_.draw(120);
  EXPECT_TRUE(card_says("CUresult " + word->first.substr(5)));
  for (const char* name : {"cuCtxPushCurrent", "cuCtxCreate", "cuCtxGetCurrent", "cuCtxPopCurrent"})
    if (point_at(name, "notes")) {
      EXPECT_TRUE(card_says(std::string("CUresult ") + name));
      return;
    }
  FAIL() << "the notes name none of these calls in sight";
}

TEST_F(HelpCard, the_call_of_this_step_explains_itself_at_any_zoom) {
  open();
  stage_.bench().jump_to_call(5);
  const std::string call(stage_.bench().store().at(stage_.bench().store().event_of_call(5)).name);
  for (const float notches : {0.0f, -2.0f, 1.0f}) {
    ASSERT_TRUE(point_at_word("· " + call, "picture")) << notches;
    if (notches != 0) {
      stage_.hold_ctrl(true);
      stage_.turn(notches);
      stage_.draw(1);
      stage_.hold_ctrl(false);
      ASSERT_TRUE(point_at_word("· " + call, "picture")) << notches;
    }
    EXPECT_TRUE(card_says("CUresult " + call)) << notches;
  }
}

TEST_F(HelpCard, beside_the_words_the_step_says_what_it_is) {
  open();
  stage_.bench().jump_to_call(5);
  ASSERT_TRUE(point_at("This step", "picture") || point_at_word("This step", "picture"));
  EXPECT_FALSE(card_says("CUresult "));
  EXPECT_TRUE(card_says("What the call at the cursor did"));
}

TEST_F(HelpCard, only_with_ctrl_a_click_goes_to_the_lesson_that_teaches_the_word) {
  open();
  ASSERT_EQ(stage_.bench().lesson()->slug, "context_stack");
  ASSERT_TRUE(point_at("cuInit", "rows"));
  EXPECT_TRUE(card_says("Ctrl+click: lesson 1"));
  const auto click_here = [this] {
    stage_.hold(true);
    stage_.draw(1);
    stage_.hold(false);
    stage_.draw();
  };
  click_here();
  EXPECT_EQ(stage_.bench().lesson()->slug, "context_stack");
  ASSERT_TRUE(point_at("cuInit", "rows"));
  stage_.hold_ctrl(true);
  click_here();
  stage_.hold_ctrl(false);
  EXPECT_EQ(stage_.bench().lesson()->slug, "hello_driver");
}

TEST_F(HelpCard, the_reason_of_a_failure_explains_its_words) {
  stage_.open_recording(GUI_RECORDINGS "/h200_05_context_stack.dlrec");
  stage_.begin({});
  const trace::Store& store = stage_.bench().store();
  int explained = 0;
  for (std::size_t call = 0; call < store.calls(); ++call) {
    const std::size_t event = store.event_of_call(call);
    const auto why = lab::explain(stage_.bench().model_of(event), store, event);
    if (!why) continue;
    const std::string words = without_ticks(why->sentence.in(lab::Language::English));
    const std::size_t begin = words.find("cu");
    const std::string word(lab::word_at(words, std::min(begin, words.size())));
    if (!lab::api_help(word, lab::Language::English)) continue;
    stage_.bench().jump_to_call(call);
    if (!point_at_word(word, "calls")) continue;
    EXPECT_TRUE(card_says("CUresult " + word)) << words;
    ++explained;
  }
  EXPECT_GT(explained, 0);
}

TEST_F(HelpCard, no_text_of_it_is_cut_in_any_look) {
  int looks = 0;
  for (const lab::Language language : {lab::Language::English, lab::Language::Chinese})
    for (const Look& look : every_look(language)) {
      open(look);
      if (!point_at("cuInit", "rows")) continue;
      ASSERT_TRUE(card_says("CUresult cuInit")) << look.words();
      ++looks;
      for (const Complaint& complaint : stage_.complaints())
        ADD_FAILURE() << look.words() << ": " << complaint.text;
    }
  EXPECT_GT(looks, 10);
}

}  // namespace
}  // namespace gui
