// SPDX-License-Identifier: MIT
// The window without a display and without drawing: its frames, and the place of every text in them.
//
// A look is what a reader chooses: size of the window, scale, theme, language. Each is drawn with a shell of
// its own, so that nothing scrolled or opened in one is there in the next. Needs ImGui and the fonts; no
// OpenGL.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "shell.hpp"
#include "text_rules.hpp"

namespace gui {

struct Look {
  int width = 1600, height = 1000, scale = 100;
  ThemeName theme = ThemeName::Dark;
  lab::Language language = lab::Language::English;
  std::string words() const;  // "1600x1000 150 % light zh"
};
// 100, 150 and 200 % in each theme, and other sizes of screen in one theme each; one language.
std::vector<Look> every_look(lab::Language language);

struct Letters;  // of one scale and language

class Stage {
 public:
  Stage();
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  lab::Workbench& bench() { return *bench_; }
  Shell& shell() { return *shell_; }
  void open_recording(const std::filesystem::path& file);
  // Waits until the workbench is done with `working()`; false after two minutes.
  bool wait_while(const std::function<bool()>& working);

  void begin(const Look& look);
  void press(KeyPress key);
  void type(const std::string& text);
  void press_and_type(KeyPress key,
                      const std::string& text);  // both within one frame, as a slow window sees them
  void point_at(ImVec2 at) { mouse_ = at; }
  void click(ImVec2 at);
  void turn(float notches);               // the wheel, where the mouse is; down is negative
  void hold(bool down) { down_ = down; }  // the left button, from the next frame on
  void hold_ctrl(bool down) { ctrl_ = down; }
  bool click(const std::string& place);  // of Shell::places(); false: there is no such thing
  // Frames until everything has settled.
  const TextLog& draw(int frames = 4);
  // What is wrong now. Draws first.
  std::vector<Complaint> complaints();

 private:
  void frame();

  std::unique_ptr<lab::Workbench> bench_;
  std::filesystem::path assets_;
  Letters* letters_ = nullptr;
  ImGuiContext* context_ = nullptr;
  std::unique_ptr<Shell> shell_;
  TextLog log_;
  Input input_;
  ImVec2 mouse_{-1e6f, -1e6f};
  bool down_ = false, ctrl_ = false;
  float wheel_ = 0;
  double time_ = 10;
  Look look_;
};

// While one exists, what students own is in a folder of its own, and not in the home of whoever runs the
// tests.
class OwnHome {
 public:
  OwnHome();
  ~OwnHome();
  OwnHome(const OwnHome&) = delete;
  OwnHome& operator=(const OwnHome&) = delete;

 private:
  std::filesystem::path folder_;
};

// The recordings from a real GPU, by name.
std::vector<std::filesystem::path> recordings();

}  // namespace gui
