// SPDX-License-Identifier: MIT
// A queue between GLFW's callbacks and ImGui.
//
// ImGui 1.86 loses a key that goes down and up within one frame; later versions lose some Ctrl combinations.
// So every event waits here, and a frame gets events only up to the second change of one key or button. The
// order of typed keys is kept. Does not depend on panels.
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "input.hpp"

struct GLFWwindow;

namespace gui {

// The key that ImGui is told of. Ctrl+Tab shows the next page here: ImGui would walk through windows with it,
// and take the keyboard there.
int key_for_imgui(int key, int action, int mods);

class GlfwInput {
 public:
  explicit GlfwInput(
      GLFWwindow* window);  // installs the callbacks; the window's user pointer becomes its own
  GlfwInput(const GlfwInput&) = delete;
  GlfwInput& operator=(const GlfwInput&) = delete;

  // What this frame may see; the rest stays for the next. Also feeds ImGui.
  Input take();
  bool pending() const { return !events_.empty(); }
  // Pixels for one unit of the window system's coordinates; not 1 on some Wayland desktops.
  void set_pixels_per_unit(double ratio) { pixels_per_unit_ = ratio; }
  std::string take_dropped() { return std::exchange(dropped_, {}); }  // a file dropped on the window
  bool take_refresh();  // true once after the window was exposed or resized
  // How often a mouse button without a meaning was pressed. Who pressed it knows by this that all that it
  // sent before was taken.
  int heard() const { return heard_; }

 private:
  struct Event {
    enum class Kind { Key, Button, Scroll, Character, Move, Enter, Focus } kind = Kind::Key;
    int a = 0, b = 0, c = 0, d = 0;
    double x = 0, y = 0;
    unsigned character = 0;
  };
  static GlfwInput& of(GLFWwindow* window);
  void push(const Event& event) { events_.push_back(event); }
  void feed(const Event& event);

  GLFWwindow* window_;
  std::deque<Event> events_;
  bool refresh_ = true;
  int heard_ = 0;
  std::string dropped_;
  double pixels_per_unit_ = 1;
};

}  // namespace gui
