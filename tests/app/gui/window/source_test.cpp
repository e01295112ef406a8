// SPDX-License-Identifier: MIT
// The sources of the window follow two rules that no picture shows: widgets.cpp draws all letters, and all
// differences between versions of Dear ImGui are in imgui_compat.hpp.
//
// Read as text. What draws letters elsewhere would be unknown to the tests of texts.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace gui {
namespace {

namespace fs = std::filesystem;

// Each place, "file:line: text", of `word` in the window's sources other than `allowed`.
std::string places_of(const std::string& word, const std::string& allowed) {
  std::string places;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(GUI_SOURCES)) {
    if (!entry.is_regular_file() || entry.path().filename() == allowed) continue;
    std::ifstream file(entry.path());
    std::string line;
    for (int number = 1; std::getline(file, line); ++number)
      if (line.find(word) != std::string::npos)
        places += entry.path().filename().string() + ":" + std::to_string(number) + ": " + line + "\n";
  }
  return places;
}

TEST(Sources, letters_are_drawn_by_draw_text_alone) {
  for (const char* word : {"->AddText(", ".AddText(", "ImGui::Text", "ImGui::LabelText", "ImGui::BulletText",
                           "ImGui::InputText", "ImGui::Button(", "ImGui::Selectable(", "ImGui::MenuItem("})
    EXPECT_EQ(places_of(word, "widgets.cpp"), "") << word;
  EXPECT_NE(places_of("->AddText(", ""), "");  // what is looked for is spelled as it is drawn
}

TEST(Sources, versions_of_imgui_are_told_apart_in_one_file) {
  EXPECT_EQ(places_of("IMGUI_VERSION_NUM", "imgui_compat.hpp"), "");
  EXPECT_NE(places_of("IMGUI_VERSION_NUM", ""), "");
  for (const char* word : {"ImGui::BeginChild(", "ImGui::EndChild(", "ImGui::End("}) {
    EXPECT_EQ(places_of(word, "imgui_compat.hpp"), "") << word;
    EXPECT_NE(places_of(word, ""), "") << word;
  }
}

}  // namespace
}  // namespace gui
