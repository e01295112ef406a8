// SPDX-License-Identifier: MIT
// The keys that people learn, and that a key with other modifiers does something else or nothing.
#include "shortcuts.hpp"

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <set>

#include "glfw_input.hpp"

namespace gui {
namespace {

std::optional<Action> press(Key key, bool ctrl = false, bool shift = false, bool alt = false,
                            bool repeat = false) {
  return action_of({key, ctrl, shift, alt, repeat});
}

TEST(Shortcuts, the_transport_has_the_keys_of_a_debugger) {
  EXPECT_EQ(press(Key::F5), Action::Continue);
  EXPECT_EQ(press(Key::F10), Action::Step);
  EXPECT_EQ(press(Key::F9), Action::Back);
  EXPECT_EQ(press(Key::F10, false, true), Action::Back);
  EXPECT_EQ(press(Key::F5, false, true), Action::Stop);
  EXPECT_EQ(press(Key::F5, true, true), Action::Restart);
  EXPECT_EQ(press(Key::Enter, true), Action::Run);
}

TEST(Shortcuts, size_language_help_and_quit_have_keys) {
  EXPECT_EQ(press(Key::Plus, true), Action::Larger);
  EXPECT_EQ(press(Key::Plus, true, true), Action::Larger);
  EXPECT_EQ(press(Key::Minus, true), Action::Smaller);
  EXPECT_EQ(press(Key::Digit0, true), Action::NormalSize);
  EXPECT_EQ(press(Key::L, true), Action::SwitchLanguage);
  EXPECT_EQ(press(Key::F1), Action::ShowKeys);
  EXPECT_EQ(press(Key::T, true, true), Action::ShowTeaching);
  EXPECT_EQ(press(Key::Q, true), Action::Quit);
}

TEST(Shortcuts, plain_letters_and_editing_keys_belong_to_the_editor) {
  for (const Key key : {Key::A, Key::Q, Key::L, Key::Enter, Key::Tab, Key::Plus, Key::Left, Key::Backspace})
    EXPECT_FALSE(press(key)) << static_cast<int>(key);
  for (const Key key : {Key::C, Key::V, Key::X, Key::Z, Key::Y, Key::A, Key::F, Key::Slash})
    EXPECT_FALSE(press(key, true)) << static_cast<int>(key);
}

TEST(Shortcuts, alt_leaves_them_to_the_desktop) {
  EXPECT_FALSE(press(Key::F5, false, false, true));
  EXPECT_FALSE(press(Key::Q, true, false, true));
}

TEST(Shortcuts, a_held_key_steps_on_but_does_not_restart_again_and_again) {
  EXPECT_EQ(press(Key::F10, false, false, false, true), Action::Step);
  EXPECT_FALSE(press(Key::F5, true, true, false, true));
  EXPECT_FALSE(press(Key::L, true, false, false, true));
}

TEST(Shortcuts, every_line_of_the_list_of_keys_is_different) {
  std::set<std::string_view> keys;
  for (const KeyHelp& line : key_help()) EXPECT_TRUE(keys.insert(line.keys).second) << line.keys;
  EXPECT_GE(keys.size(), 10u);
}

TEST(KeyForImGui, the_next_page_is_no_walk_through_windows) {
  EXPECT_EQ(key_for_imgui(GLFW_KEY_TAB, GLFW_PRESS, GLFW_MOD_CONTROL), GLFW_KEY_UNKNOWN);
  EXPECT_EQ(key_for_imgui(GLFW_KEY_TAB, GLFW_REPEAT, GLFW_MOD_CONTROL), GLFW_KEY_UNKNOWN);
  EXPECT_EQ(key_for_imgui(GLFW_KEY_TAB, GLFW_PRESS, 0), GLFW_KEY_TAB);
  EXPECT_EQ(key_for_imgui(GLFW_KEY_TAB, GLFW_RELEASE, GLFW_MOD_CONTROL), GLFW_KEY_TAB);
  EXPECT_EQ(key_for_imgui(GLFW_KEY_ENTER, GLFW_PRESS, 0), GLFW_KEY_ENTER);
}

}  // namespace
}  // namespace gui
