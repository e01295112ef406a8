// SPDX-License-Identifier: MIT
// What a panel is, and what it gets in each frame.
//
// The shell opens one borderless child window per panel, with the panel's background drawn and no padding,
// and calls draw() inside it; ImGui::GetContentRegionAvail() is the panel's size. A view draws its own header
// with panel_header() (widgets.hpp), keeps its own small state between frames, and reaches the lab only
// through Frame::bench. It must not depend on other views: what
// they share is in Selection, and what one wants of another it posts (commands.hpp).
#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"
#include "fonts.hpp"
#include "input.hpp"
#include "lab/glossary.hpp"
#include "lab/lessons_by_word.hpp"
#include "lab/settings.hpp"
#include "lab/workbench.hpp"
#include "probe.hpp"
#include "selection.hpp"
#include "text_log.hpp"
#include "theme.hpp"

namespace gui {

struct Frame {
  lab::Workbench& bench;
  const Theme& theme;
  const Fonts& fonts;
  const Input& input;
  Selection& selection;
  std::vector<Command>& commands;  // posted in this frame
  lab::Language language = lab::Language::English;
  float scale = 1;         // 1 = 100 %
  double time = 0;         // seconds; does not change in shots
  bool animations = true;  // false: draw the end state of every motion
  float motion_speed = 1;  // 2: every motion takes half as long
  bool ghost = true;       // the run before is shown where this run is different
  bool still = false;      // a shot: no caret, no hover, no scroll in motion
  bool in_tab = false;     // a tab above the panel already names it: panel_header() leaves the title out
  float header = kHeader;  // of a panel, at 100 %
  std::uint64_t run = 0;   // grows when a new run begins: what a view has kept about calls is then invalid
  // Centres of what can be pressed, by id, for tests that drive the window (DRIVERLAB_UI_STATE); mostly null.
  std::map<std::string, ImVec2>* places = nullptr;
  Watched* watched = nullptr;                        // null likewise
  const lab::Glossary* glossary = nullptr;           // null: notes are drawn without terms
  const lab::LessonsByWord* lesson_words = nullptr;  // null: no word leads to its lesson
  TextLog* texts = nullptr;                          // every text with its box, for tests; mostly null
  // Set by a view that is in motion: the shell draws again within this many seconds (0: at once).
  mutable double redraw_in = 1e9;

  // Asks others for something; it is done at the end of this frame, and shown in the next one.
  void post(Command command) const {
    commands.push_back(std::move(command));
    animate();
  }
  float px(float at_100_percent) const { return std::round(at_100_percent * scale); }
  std::string_view text(lab::Text key) const { return lab::text(key, language); }
  std::string text(lab::Text key, const std::vector<std::string>& values) const {
    return lab::text(key, language, values);
  }
  ImFont* font(Face face = Face::Ui, Size size = Size::Body) const { return fonts.get(face, size); }
  void animate(double within_seconds = 0) const {
    if (within_seconds < redraw_in) redraw_in = within_seconds;
  }
};

class View {
 public:
  virtual ~View() = default;
  virtual lab::Text title() const = 0;
  virtual void draw(Frame& frame) = 0;
  // How high its place has to be for all that it shows in this width; 0: it has no such height.
  virtual float height_in(Frame& frame, float width) { return (void)frame, (void)width, 0.0f; }
  // Where a row of tabs names the panel: what it has of its own in the rest of that row, drawn after it.
  virtual void draw_in_row(Frame& frame) { (void)frame; }
  // One that is for another view is ignored; its own it keeps until it is drawn.
  virtual void take(const Command& command) { (void)command; }
};

// Made by the files of the same names.
std::unique_ptr<View> make_picture_view();                       // view_picture.cpp
std::unique_ptr<View> make_step_view();                          // view_step.cpp
std::unique_ptr<View> make_code_view();                          // view_code.cpp
std::unique_ptr<View> make_notes_view();                         // view_notes.cpp
std::unique_ptr<View> make_exercise_view();                      // view_exercise.cpp
std::unique_ptr<View> make_output_view();                        // view_output.cpp
std::unique_ptr<View> make_calls_view(lab::Settings& settings);  // view_calls.cpp; keeps its columns there
std::unique_ptr<View> make_time_view();                          // view_time.cpp
std::unique_ptr<View> make_timeline_view();                      // view_timeline.cpp
std::unique_ptr<View> make_compare_view();                       // view_compare.cpp
class PresenterWalk;
// view_presenter.cpp; the walk must outlive it.
std::unique_ptr<View> make_presenter_view(const PresenterWalk& walk);

}  // namespace gui
