// SPDX-License-Identifier: MIT
// See glfw_input.hpp.
#include "glfw_input.hpp"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "imgui_compat.hpp"

namespace gui {
namespace {

// By what is printed on the key, so that Ctrl+Z is where the reader's keyboard has its Z.
int layout_key(int key, int scancode) {
  if (key < GLFW_KEY_A || key > GLFW_KEY_Z) return key;
  const char* name = glfwGetKeyName(key, scancode);
  if (name == nullptr || name[0] == '\0' || name[1] != '\0') return key;
  const char letter = name[0];
  if (letter >= 'a' && letter <= 'z') return GLFW_KEY_A + (letter - 'a');
  return letter >= 'A' && letter <= 'Z' ? GLFW_KEY_A + (letter - 'A') : key;
}

constexpr std::pair<int, Key> kNamedKeys[] = {{GLFW_KEY_LEFT, Key::Left},
                                              {GLFW_KEY_RIGHT, Key::Right},
                                              {GLFW_KEY_UP, Key::Up},
                                              {GLFW_KEY_DOWN, Key::Down},
                                              {GLFW_KEY_PAGE_UP, Key::PageUp},
                                              {GLFW_KEY_PAGE_DOWN, Key::PageDown},
                                              {GLFW_KEY_HOME, Key::Home},
                                              {GLFW_KEY_END, Key::End},
                                              {GLFW_KEY_INSERT, Key::Insert},
                                              {GLFW_KEY_DELETE, Key::Delete},
                                              {GLFW_KEY_BACKSPACE, Key::Backspace},
                                              {GLFW_KEY_ENTER, Key::Enter},
                                              {GLFW_KEY_KP_ENTER, Key::Enter},
                                              {GLFW_KEY_TAB, Key::Tab},
                                              {GLFW_KEY_ESCAPE, Key::Escape},
                                              {GLFW_KEY_SPACE, Key::Space},
                                              {GLFW_KEY_EQUAL, Key::Plus},
                                              {GLFW_KEY_KP_ADD, Key::Plus},
                                              {GLFW_KEY_MINUS, Key::Minus},
                                              {GLFW_KEY_KP_SUBTRACT, Key::Minus},
                                              {GLFW_KEY_SLASH, Key::Slash},
                                              {GLFW_KEY_LEFT_BRACKET, Key::BracketLeft},
                                              {GLFW_KEY_RIGHT_BRACKET, Key::BracketRight}};

Key key_of(int key) {
  if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z)
    return static_cast<Key>(static_cast<int>(Key::A) + key - GLFW_KEY_A);
  if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9)
    return static_cast<Key>(static_cast<int>(Key::Digit0) + key - GLFW_KEY_0);
  if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9)
    return static_cast<Key>(static_cast<int>(Key::Digit0) + key - GLFW_KEY_KP_0);
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12)
    return static_cast<Key>(static_cast<int>(Key::F1) + key - GLFW_KEY_F1);
  const auto found = std::find_if(std::begin(kNamedKeys), std::end(kNamedKeys),
                                  [key](const auto& named) { return named.first == key; });
  return found != std::end(kNamedKeys) ? found->second : Key::None;
}

void append_utf8(std::string& text, unsigned code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
    return;
  }
  const int bytes = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  static constexpr unsigned kLead[] = {0, 0, 0xc0, 0xe0, 0xf0};
  text += static_cast<char>(kLead[bytes] | (code >> (6 * (bytes - 1))));
  for (int i = bytes - 2; i >= 0; --i) text += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3f));
}

}  // namespace

int key_for_imgui(int key, int action, int mods) {
  const bool next_page = key == GLFW_KEY_TAB && action != GLFW_RELEASE && (mods & GLFW_MOD_CONTROL) != 0;
  return next_page ? GLFW_KEY_UNKNOWN : key;
}

GlfwInput& GlfwInput::of(GLFWwindow* window) {
  return *static_cast<GlfwInput*>(glfwGetWindowUserPointer(window));
}

GlfwInput::GlfwInput(GLFWwindow* window) : window_(window) {
  using Kind = Event::Kind;
  glfwSetWindowUserPointer(window, this);
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
    of(w).push({Kind::Key, key, scancode, action, mods});
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int mods) {
    of(w).push({Kind::Button, button, 0, action, mods});
  });
  glfwSetScrollCallback(
      window, [](GLFWwindow* w, double x, double y) { of(w).push({Kind::Scroll, 0, 0, 0, 0, x, y}); });
  glfwSetCharCallback(
      window, [](GLFWwindow* w, unsigned code) { of(w).push({Kind::Character, 0, 0, 0, 0, 0, 0, code}); });
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
    auto& events = of(w).events_;  // only the last of several moves in a row matters
    if (!events.empty() && events.back().kind == Kind::Move) events.pop_back();
    of(w).push({Kind::Move, 0, 0, 0, 0, x, y});
  });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) { of(w).push({Kind::Enter, entered}); });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int focused) { of(w).push({Kind::Focus, focused}); });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    if (count > 0) of(w).dropped_ = paths[0], of(w).refresh_ = true;
  });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { of(w).refresh_ = true; });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { of(w).refresh_ = true; });
}

bool GlfwInput::take_refresh() {
  return std::exchange(refresh_, false);
}

void GlfwInput::feed(const Event& event) {
  switch (event.kind) {
    case Event::Kind::Key:
      if (const int key = key_for_imgui(event.a, event.c, event.d); key != GLFW_KEY_UNKNOWN)
        ImGui_ImplGlfw_KeyCallback(window_, key, event.b, event.c, event.d);
      break;
    case Event::Kind::Button:
      if (event.a >= ImGuiMouseButton_COUNT && event.c == GLFW_PRESS) ++heard_;
      ImGui_ImplGlfw_MouseButtonCallback(window_, event.a, event.c, event.d);
      break;
    case Event::Kind::Scroll:
      ImGui_ImplGlfw_ScrollCallback(window_, event.x, event.y);
      break;
    case Event::Kind::Character:
      ImGui_ImplGlfw_CharCallback(window_, event.character);
      break;
    case Event::Kind::Enter:
      ImGui_ImplGlfw_CursorEnterCallback(window_, event.a);
      break;
    case Event::Kind::Focus:
      ImGui_ImplGlfw_WindowFocusCallback(window_, event.a);
      break;
    case Event::Kind::Move:
      compat::mouse_at(window_, event.x * pixels_per_unit_, event.y * pixels_per_unit_);
      break;
  }
}

Input GlfwInput::take() {
  Input input;
  std::set<std::pair<Event::Kind, int>> changed;
  while (!events_.empty()) {
    const Event event = events_.front();
    const bool switches = event.kind == Event::Kind::Key || event.kind == Event::Kind::Button;
    if (switches && !changed.insert({event.kind, event.a}).second) break;
    // Views read keys first and text then, so a key that follows text belongs to the next frame.
    if (event.kind == Event::Kind::Key && event.c != GLFW_RELEASE && !input.text.empty()) break;
    events_.pop_front();
    feed(event);
    if (event.kind == Event::Kind::Character) append_utf8(input.text, event.character);
    if (event.kind != Event::Kind::Key || event.c == GLFW_RELEASE) continue;
    const Key key = key_of(layout_key(event.a, event.b));
    if (key == Key::None) continue;
    input.keys.push_back({key, (event.d & GLFW_MOD_CONTROL) != 0, (event.d & GLFW_MOD_SHIFT) != 0,
                          (event.d & GLFW_MOD_ALT) != 0, event.c == GLFW_REPEAT});
  }
  return input;
}

}  // namespace gui
