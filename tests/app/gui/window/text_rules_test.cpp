// SPDX-License-Identifier: MIT
// The rules of text_rules.hpp find what is wrong, and only that: frames drawn wrongly on purpose, beside the
// same frames drawn right.
#include "text_rules.hpp"

#include <gtest/gtest.h>

#include "stage.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using Draw = std::function<void(Frame&)>;

// One frame of a window of 400 by 300 pixels at 50,50 with what `draw` puts there.
class TextRules : public testing::Test {
 protected:
  TextRules() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    fonts_.add_text("abcdefghijklmnopqrstuvwxyz ABC…");
    fonts_.rebuild(1);
    installation_ = lab::find_installation().value();
    bench_ = std::make_unique<lab::Workbench>(installation_, lab::data_home());
  }
  ~TextRules() override { ImGui::DestroyContext(); }

  std::vector<Complaint> found_in(const Draw& draw, ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration) {
    TextLog log;
    for (int i = 0; i < 3; ++i) {  // ImGui knows what can be scrolled one frame later
      log.clear();
      ImGui::GetIO().DisplaySize = {800, 600};
      ImGui::GetIO().DeltaTime = 1.0f / 60;
      ImGui::NewFrame();
      ImGui::SetNextWindowPos({50, 50});
      ImGui::SetNextWindowSize({400, 300});
      ImGui::Begin("window", nullptr, flags);
      Frame frame{*bench_, Theme::get(ThemeName::Dark), fonts_, input_, selection_, commands_};
      frame.texts = &log;
      draw(frame);
      ImGui::End();
      ImGui::Render();
    }
    return complaints(log, 1);
  }
  static void write(Frame& frame, float x, float y, const char* text, float clip = 0, Cut cut = Cut::Defect) {
    draw_text(frame, {x, y}, 0xffffffff, text, Face::Ui, Size::Body, clip, cut);
  }

  lab::Installation installation_;
  std::unique_ptr<lab::Workbench> bench_;
  Fonts fonts_;
  Input input_;
  Selection selection_;
  std::vector<Command> commands_;
};

void expect_one(const std::vector<Complaint>& found, const std::string& what) {
  ASSERT_EQ(found.size(), 1u) << (found.empty() ? "nothing" : found[0].what + " " + found[0].where);
  EXPECT_EQ(found[0].what, what) << found[0].where;
}

TEST_F(TextRules, a_text_with_room_is_fine) {
  EXPECT_TRUE(found_in([](Frame& frame) { write(frame, 70, 70, "whole", 200); }).empty());
}

TEST_F(TextRules, no_text_at_all_is_fine) {
  EXPECT_TRUE(found_in([](Frame& frame) {
                EXPECT_EQ(text_size(frame, std::string_view()).x, 0);
                EXPECT_EQ(draw_text(frame, {70, 70}, 0xffffffff, std::string_view(), Face::Ui, Size::Body, 1),
                          0);
              }).empty());
}

TEST_F(TextRules, a_text_cut_by_mistake_is_found) {
  expect_one(found_in([](Frame& frame) { write(frame, 70, 70, "much too long for that", 60); }), "cut");
}

TEST_F(TextRules, a_text_cut_on_purpose_is_fine) {
  EXPECT_TRUE(
      found_in([](Frame& frame) { write(frame, 70, 70, "much too long for that", 60, Cut::Meant); }).empty());
}

TEST_F(TextRules, a_text_without_room_for_a_letter_is_found_even_then) {
  expect_one(found_in([](Frame& frame) { write(frame, 70, 70, "nothing is left of it", 3, Cut::Meant); }),
             "no room");
}

TEST_F(TextRules, a_text_over_the_edge_of_its_window_is_found) {
  expect_one(found_in([](Frame& frame) { write(frame, 420, 70, "over the edge"); }), "out of reach");
  expect_one(found_in([](Frame& frame) { write(frame, 70, 342, "below the edge"); }), "out of reach");
}

TEST_F(TextRules, a_text_that_can_be_scrolled_to_is_fine) {
  EXPECT_TRUE(found_in([](Frame& frame) {
                begin_scroll(frame, "scrolled", {300, 200});
                const ImVec2 at = ImGui::GetCursorScreenPos();
                write(frame, at.x, at.y + 500, "far below");
                ImGui::Dummy({1, 600});
                end_scroll();
              }).empty());
}

TEST_F(TextRules, a_text_beyond_what_can_be_scrolled_is_found) {
  expect_one(found_in([](Frame& frame) {
               begin_scroll(frame, "scrolled", {300, 200});
               const ImVec2 at = ImGui::GetCursorScreenPos();
               write(frame, at.x, at.y + 700, "farther below");
               ImGui::Dummy({1, 600});
               end_scroll();
             }),
             "out of reach");
}

TEST_F(TextRules, a_text_wider_than_its_card_is_found) {
  expect_one(found_in([](Frame& frame) {
               draw_card(frame, {70, 70}, {110, 100}, 0xff333333, 0);
               write(frame, 76, 76, "wider than its card");
             }),
             "sticks out of its card");
}

TEST_F(TextRules, a_text_beside_a_card_is_fine) {
  EXPECT_TRUE(found_in([](Frame& frame) {
                draw_card(frame, {70, 70}, {110, 100}, 0xff333333, 0);
                write(frame, 116, 76, "beside it");
              }).empty());
}

TEST_F(TextRules, two_texts_on_one_another_are_found) {
  expect_one(found_in([](Frame& frame) {
               write(frame, 70, 70, "first");
               write(frame, 80, 74, "second");
             }),
             "on one another");
}

TEST_F(TextRules, lines_that_follow_each_other_are_fine) {
  EXPECT_TRUE(found_in([](Frame& frame) {
                const float tall = frame.fonts.height(Face::Ui, Size::Body);
                write(frame, 70, 70, "first");
                write(frame, 70, 70 + tall, "second");
                write(frame, 70 + text_size(frame, "first").x, 70, "beside");
              }).empty());
}

TEST_F(TextRules, a_text_under_a_card_drawn_later_is_found) {
  expect_one(found_in([](Frame& frame) {
               write(frame, 70, 70, "hidden");
               draw_card(frame, {60, 60}, {200, 100}, 0xff333333, 0);
             }),
             "covered");
}

TEST_F(TextRules, a_text_under_a_translucent_card_is_fine) {
  EXPECT_TRUE(found_in([](Frame& frame) {
                write(frame, 70, 70, "shines through");
                draw_card(frame, {60, 60}, {300, 100}, 0x40333333, 0);
              }).empty());
}

TEST_F(TextRules, what_is_hidden_on_purpose_is_fine) {
  EXPECT_TRUE(found_in([](Frame& frame) {
                write(frame, 70, 70, "the end of it is under a badge");
                frame.texts->hide({150, 60, 300, 40});
                write(frame, 160, 70, "badge");
              }).empty());
}

TEST_F(TextRules, a_window_above_another_may_cover_it) {
  EXPECT_TRUE(found_in([](Frame& frame) {
                write(frame, 70, 70, "below");
                ImGui::SetNextWindowPos({60, 60});
                ImGui::Begin("above", nullptr, ImGuiWindowFlags_NoDecoration);
                write(frame, 72, 72, "above");
                ImGui::Dummy({200, 60});
                ImGui::End();
              }).empty());
}

}  // namespace
}  // namespace gui
