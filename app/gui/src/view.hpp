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
#include "lab/workbench.hpp"
#include "text_log.hpp"
#include "theme.hpp"

namespace gui {

// What one panel points at and others may highlight. The shell clears the hovered values at the start of
// every frame; the values of the frame before are in `previous`.
struct Hovered {
  std::optional<std::size_t> event;  // event under the mouse
  std::string context;               // name of the context under the mouse: "A", "P0"
  std::string step;                  // step of the notes under the mouse
};
struct Selection {
  Hovered hovered, previous;
  bool editor_focused = false;    // set by the code view each frame: plain keys belong to it
  bool editor_had_focus = false;  // in the frame before
  // Keys were used since the mouse moved: no tooltip is shown for what is under the mouse.
  bool hushed = false;
  ImVec2 hushed_at{};   // where the mouse was then
  bool asking = false;  // a question about the next call is on the screen: no panel may show the answer
  bool typing = false;  // a field of the picture takes plain keys; set by it each frame
  // The editor's caret; no file while it is not drawn.
  struct Caret {
    std::string file;
    int line = 0;  // from 1
  } caret;
  std::string notes_top;  // the step at the top of the notes; "" while they are not drawn
  // F6 gives the keyboard to a panel: "notes", "code", "picture", "calls", "bar"; "" once the mouse is used.
  std::string focus, focus_wanted;  // wanted: used by the panel that draws it
  bool focus_scroll = false;        // the next scrolling child is to have it
  // The questions at the end of a lesson, for the keys that answer them: set by the notes view each frame.
  struct Quiz {
    bool in_sight = false;
    std::optional<std::size_t> asked;  // the one that the numbers belong to
  } quiz;
  std::optional<std::size_t> quiz_answered;  // the last one of them that was answered
  // Two texts to be shown line by line instead of the editor, until closed.
  enum class Against { Original, Solution };
  struct Compare {
    std::string title, before_name, after_name, before, after;
    Against against = Against::Original;
  };
  lab::ObjectId object;            // whose history the picture shows; None for none
  std::optional<std::size_t> pin;  // a moment of the run: the picture shows what is different from it
  double play_rate = 0;            // calls a second, 0: not playing; the time view plays
  std::optional<Compare> compare;  // set by any panel, shown and closed by the code view
};

// What is on the screen, for tests that drive the window (DRIVERLAB_UI_STATE).
struct Watched {
  int lines = 0, column = 0, selected = 0, matches = 0,
      bracket = 0;                          // of the editor; bracket: line of the partner
  std::string line, kinds, badge, message;  // at its caret
  int current = 0, messages = 0;            // lines, 1-based; how many
  int rings = 0;                            // marks of the keyboard's place
  int hits = 0;                             // of the search
  std::string notes_step, hint;             // the highlighted step in the notes; the hint that is open
  bool working = false;                     // the strip of long work is shown
};

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
  bool still = false;      // a shot: no caret, no hover, no scroll in motion
  bool in_tab = false;     // a tab above the panel already names it: panel_header() leaves the title out
  std::uint64_t run = 0;   // grows when a new run begins: what a view has kept about calls is then invalid
  // Centres of what can be pressed, by id, for tests that drive the window (DRIVERLAB_UI_STATE); mostly null.
  std::map<std::string, ImVec2>* places = nullptr;
  Watched* watched = nullptr;               // null likewise
  const lab::Glossary* glossary = nullptr;  // null: notes are drawn without terms
  TextLog* texts = nullptr;                 // every text with its box, for tests; mostly null
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
  // One that is for another view is ignored; its own it keeps until it is drawn.
  virtual void take(const Command& command) { (void)command; }
};

// Made by the files of the same names.
std::unique_ptr<View> make_picture_view();   // view_picture.cpp
std::unique_ptr<View> make_code_view();      // view_code.cpp
std::unique_ptr<View> make_notes_view();     // view_notes.cpp
std::unique_ptr<View> make_exercise_view();  // view_exercise.cpp
std::unique_ptr<View> make_output_view();    // view_output.cpp
std::unique_ptr<View> make_calls_view();     // view_calls.cpp
std::unique_ptr<View> make_time_view();      // view_time.cpp
std::unique_ptr<View> make_compare_view();   // view_compare.cpp

}  // namespace gui
