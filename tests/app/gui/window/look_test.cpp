// SPDX-License-Identifier: MIT
// A frame that looks as the last one is not drawn again: what counts as looking the same.
//
// Drives the whole window without a display, over a recording from a real GPU.
#include <gtest/gtest.h>

#include "renderer.hpp"
#include "stage.hpp"

namespace gui {
namespace {

class LookOf : public testing::Test {
 protected:
  void SetUp() override {
    stage_.open_recording(recordings().front());
    stage_.begin(Look{});
    stage_.bench().jump_to_call(1);
    if (look() == 0) GTEST_SKIP() << "this ImGui wants its texture taken by OpenGL first";
  }
  std::size_t look(int width = 1600) {
    stage_.draw();
    return look_of(*ImGui::GetDrawData(), width, 1000, IM_COL32_BLACK);
  }
  Stage stage_;
};

TEST_F(LookOf, the_same_moment_looks_the_same) {
  const std::size_t before = look();
  EXPECT_EQ(look(), before);
}

TEST_F(LookOf, a_key_without_a_meaning_changes_nothing) {
  const std::size_t before = look();
  stage_.press({Key::F12, false, true, true});
  EXPECT_EQ(look(), before);
}

TEST_F(LookOf, another_call_looks_different) {
  const std::size_t before = look();
  stage_.bench().jump_to_call(2);
  EXPECT_NE(look(), before);
}

TEST_F(LookOf, what_the_mouse_points_at_looks_different) {
  const std::size_t before = look();
  const auto places = stage_.shell().places();  // each frame notes them anew
  ASSERT_FALSE(places.empty());
  bool changed = false;
  for (const auto& [name, place] : places) {
    stage_.point_at(place);
    changed = changed || look() != before;
  }
  EXPECT_TRUE(changed);
}

TEST_F(LookOf, another_size_and_another_background_look_different) {
  const std::size_t before = look();
  EXPECT_NE(look(1601), before);
  EXPECT_NE(look_of(*ImGui::GetDrawData(), 1600, 1000, IM_COL32_WHITE), before);
}

TEST_F(LookOf, a_frame_with_work_of_its_own_for_OpenGL_is_never_left_out) {
  look();
  ImGui::GetDrawData()->CmdLists[0]->AddCallback([](const ImDrawList*, const ImDrawCmd*) {}, this);
  EXPECT_EQ(look_of(*ImGui::GetDrawData(), 1600, 1000, IM_COL32_BLACK), 0u);
}

}  // namespace
}  // namespace gui
