// SPDX-License-Identifier: MIT
// The card about a word of the driver API: where it appears, what stands in it, and that no text of it is
// cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

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
