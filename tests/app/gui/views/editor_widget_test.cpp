// SPDX-License-Identifier: MIT
// The editor as a widget: frames of ImGui without a window or a renderer, keys and the mouse as they arrive.
#include "editor/editor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>

namespace gui::editor {
namespace {

class EditorWidget : public ::testing::Test {
 protected:
  EditorWidget() {
    std::string name = (std::filesystem::temp_directory_path() / "editor-widget-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    bench_ = std::make_unique<lab::Workbench>(lab::Installation{}, lab::DataHome{folder_, true, {}});
    context_ = ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {800, 600};
    io.DeltaTime = 0.016f;
    for (char c = 32; c < 127; ++c) fonts_.add_text(std::string(1, c));
    fonts_.rebuild(1);
  }
  ~EditorWidget() override {
    ImGui::DestroyContext(context_);
    bench_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  EditorWidget(const EditorWidget&) = delete;
  EditorWidget& operator=(const EditorWidget&) = delete;

  // One frame; the time that drawing the editor took, in milliseconds.
  double frame(const Input& input = {}, bool read_only = false) {
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({800, 600});
    ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
    Frame f{*bench_, Theme::get(ThemeName::Dark), fonts_, input, selection_, commands_};
    f.time = time_ += 0.016;
    f.texts = texts_;
    f.places = &places_;
    places_.clear();
    selection_.editor_focus.now = false;
    const auto started = std::chrono::steady_clock::now();
    changed_ = editor_.draw(f, "editor", {780, 580}, marks_, read_only);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - started;
    ImGui::End();
    ImGui::Render();
    return took.count();
  }
  void focus() {
    editor_.focus();
    frame();
    frame();
  }
  static Input keys(std::vector<KeyPress> presses, std::string text = {}) {
    return {std::move(presses), std::move(text)};
  }

  std::filesystem::path folder_;
  std::unique_ptr<lab::Workbench> bench_;
  ImGuiContext* context_ = nullptr;
  Fonts fonts_;
  Selection selection_;
  std::vector<Command> commands_;
  Editor editor_;
  Marks marks_;
  TextLog* texts_ = nullptr;
  std::map<std::string, ImVec2> places_;
  double time_ = 0;
  bool changed_ = false;
};

TEST_F(EditorWidget, takes_keys_only_while_it_has_the_focus) {
  editor_.set_text("abc", Editor::Take::Fresh);
  ImGui::SetWindowFocus(nullptr);
  focus();
  EXPECT_TRUE(selection_.editor_focus.now);
  frame(keys({}, "中x"));
  EXPECT_TRUE(changed_);
  EXPECT_EQ(editor_.text(), "中xabc");
  frame();
  EXPECT_FALSE(changed_);
}

TEST_F(EditorWidget, keys_of_one_frame_act_in_their_order) {
  focus();
  frame(keys({{Key::Enter}, {Key::Enter}, {Key::Up}}, "a"));
  EXPECT_EQ(editor_.text(), "\na\n");
  frame(keys({{Key::Z, true}}));
  frame(keys({{Key::Z, true}}));
  EXPECT_EQ(editor_.text(), "\n");
  frame(keys({{Key::Y, true}, {Key::Y, true}}));
  EXPECT_EQ(editor_.text(), "\na\n");
}

TEST_F(EditorWidget, read_only_text_can_be_walked_through_but_not_changed) {
  editor_.set_text("abc", Editor::Take::Fresh);
  focus();
  frame(keys({{Key::Delete}, {Key::Right}, {Key::Enter}, {Key::X, true}, {Key::Tab}}, "zzz"), true);
  EXPECT_FALSE(changed_);
  EXPECT_EQ(editor_.text(), "abc");
}

TEST_F(EditorWidget, typing_into_the_find_field_leaves_the_text_alone) {
  editor_.set_text("one\ntwo\none", Editor::Take::Fresh);
  focus();
  frame(keys({{Key::F, true}}));
  frame(keys({}, "one"));
  frame(keys({{Key::Enter}}));
  frame(keys({{Key::Escape}}));
  EXPECT_EQ(editor_.text(), "one\ntwo\none");
  frame(keys({}, "X"));  // the last match is selected
  EXPECT_EQ(editor_.text(), "one\ntwo\nX");
}

TEST_F(EditorWidget, replacing_goes_from_match_to_match_and_all_at_once) {
  editor_.set_text("one\ntwo\none\none", Editor::Take::Fresh);
  focus();
  frame(keys({{Key::H, true}}));
  frame(keys({}, "one"));
  frame(keys({{Key::Tab}}));
  frame(keys({}, "1"));
  frame(keys({{Key::Enter}}));
  EXPECT_EQ(editor_.text(), "1\ntwo\none\none");
  frame(keys({{.key = Key::Enter, .alt = true}}));
  EXPECT_EQ(editor_.text(), "1\ntwo\n1\n1");
  frame(keys({{Key::Escape}}));
  frame(keys({{Key::Z, true}}));
  EXPECT_EQ(editor_.text(), "1\ntwo\none\none");
}

// Where the text with these words was drawn in the last frame.
DrawnText drawn(const TextLog& log, std::string_view words) {
  for (const DrawnText& text : log.texts())
    if (text.text.find(words) != std::string::npos) return text;
  return {};
}

TEST_F(EditorWidget, what_a_run_says_of_a_line_stands_behind_its_end_and_never_on_it) {
  TextLog log;
  texts_ = &log;
  for (const int columns : {4, 60, 70, 75, 200}) {
    editor_.set_text(std::string(static_cast<std::size_t>(columns), 'x'), Editor::Take::Fresh);
    marks_.badges = {{0, {{"→ 700 ILLEGAL_ADDRESS", Role::Bad, false}}}};
    log.clear();
    frame();
    const DrawnText code = drawn(log, "xxxx"), badge = drawn(log, "→ 700");
    ASSERT_GT(badge.box.w, 0) << columns;
    EXPECT_GE(badge.box.x, code.box.x + code.box.w) << columns;
  }
}

TEST_F(EditorWidget, a_line_whose_badge_is_beyond_the_edge_has_a_mark_in_the_gutter_and_no_other_line) {
  editor_.set_text(std::string(150, 'x') + "\nshort\n" + std::string(150, 'y') + "\n", Editor::Take::Fresh);
  const Badge badge = {{"→ 700 ILLEGAL_ADDRESS", Role::Bad, false}};
  marks_.badges = {{0, badge}, {1, badge}};
  frame();
  frame();
  ASSERT_EQ(places_.count("unseen 1"), 1u);
  EXPECT_LT(places_.at("unseen 1").x, 100);
  EXPECT_EQ(places_.count("unseen 2"), 0u);  // there is room for all of it
  EXPECT_EQ(places_.count("unseen 3"), 0u);  // no call
}

TEST_F(EditorWidget, a_badge_beyond_the_edge_can_be_scrolled_to) {
  TextLog log;
  texts_ = &log;
  editor_.set_text(std::string(300, 'x'), Editor::Take::Fresh);
  marks_.badges = {{0, {{"→ 700 ILLEGAL_ADDRESS", Role::Bad, false}}}};
  frame(), frame(), frame();
  float most = 0;
  ImGui::NewFrame();
  ImGui::SetNextWindowSize({800, 600});
  ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
  ImGui::BeginChild("editor", {780, 580});
  most = ImGui::GetScrollMaxX();
  ImGui::EndChild();
  ImGui::End();
  ImGui::Render();
  EXPECT_GT(most, 100);
}

TEST_F(EditorWidget, a_read_only_text_offers_no_replacing) {
  editor_.set_text("one", Editor::Take::Fresh);
  focus();
  frame(keys({{Key::H, true}}), true);
  frame(keys({{.key = Key::Enter, .alt = true}}, "x"), true);
  EXPECT_EQ(editor_.text(), "one");
}

TEST_F(EditorWidget, a_breakpoint_is_asked_for_once_by_key) {
  editor_.set_text("a\nb", Editor::Take::Fresh);
  focus();
  frame(keys({{Key::Down}, {Key::B, true}}));
  EXPECT_EQ(editor_.breakpoint_wanted(), 1);
  frame();
  EXPECT_FALSE(editor_.breakpoint_wanted());
  EXPECT_EQ(editor_.text(), "a\nb");
}

TEST_F(EditorWidget, a_restored_text_can_be_undone) {
  editor_.set_text("mine", Editor::Take::Fresh);
  focus();
  editor_.set_text("original", Editor::Take::AsChange);
  frame(keys({{Key::Z, true}}));
  EXPECT_EQ(editor_.text(), "mine");
}

// The cost of a frame does not grow with the file: as long for 20,000 lines as for 200, within noise, and far
// under a millisecond.
TEST_F(EditorWidget, a_frame_of_a_long_file_costs_no_more_than_one_of_a_short_file) {
  const auto text_of = [](int lines) {
    std::string text;
    for (int i = 0; i < lines; ++i)
      text += "  check(cuMemAlloc(&memory_" + std::to_string(i) + ", 64 << 20));  // \"allocation\" number\n";
    return text;
  };
  const auto median = [&](int lines) {
    editor_.set_text(text_of(lines), Editor::Take::Fresh);
    editor_.show_line(lines / 2);
    for (int i = 0; i < 10; ++i) frame();
    std::vector<double> times;
    for (int i = 0; i < 60; ++i) times.push_back(frame());
    std::nth_element(times.begin(), times.begin() + 30, times.end());
    return times[30];
  };
  const double small = median(200), large = median(20000);
  RecordProperty("milliseconds_200_lines", std::to_string(small));
  RecordProperty("milliseconds_20000_lines", std::to_string(large));
  std::printf("editor frame: %.3f ms at 200 lines, %.3f ms at 20000\n", small, large);
  EXPECT_LT(large, 3 * small + 0.2);
}

}  // namespace
}  // namespace gui::editor
