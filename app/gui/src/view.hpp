// SPDX-License-Identifier: MIT
// What a panel is, and what it gets in each frame.
//
// The shell opens one borderless child window per panel, with the panel's background drawn and no padding,
// and calls draw() inside it; ImGui::GetContentRegionAvail() is the panel's size. A view draws its own header
// with panel_header() (widgets.hpp), keeps its own small state between frames, and reaches the lab only
// through Frame::bench. It must not depend on other views: what they share is in Selection.
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
  bool asking = false;  // a question about the next call is on the screen: no panel may show the answer
  bool typing = false;  // a field of the picture takes plain keys; set by it each frame
  // A panel asks another to show a place (a click on a diagnostic, on a line of the call list).
  struct Goto {
    std::string file;
    int line = 0;
    bool of_run = false;  // counted in the text that the shown run was built from
  };
  Goto caret;  // where the editor's is; no file while it is not drawn
  // F6 gives the keyboard to a panel: "notes", "code", "picture", "calls", "bar"; "" once the mouse is used.
  std::string focus, focus_wanted;  // wanted: used by the panel that draws it
  bool focus_scroll = false;        // the next scrolling child is to have it
  // What the editor shows at its caret, for tests that drive the window.
  struct Watched {
    int lines = 0, column = 0, selected = 0, matches = 0, bracket = 0;  // bracket: line of the partner
    std::string line, kinds, badge, message;
    int rings = 0;                  // marks of the keyboard's place that were drawn
    int current = 0, messages = 0;  // lines, 1-based; how many
    std::string notes_step, hint;   // the highlighted step in the notes; the hint that is open
    std::string notes_top;          // the step at the top of the notes; "" while they are not drawn
  } watched;
  std::optional<Goto> go_to;  // taken (reset) by the code view
  std::string go_to_step;     // of the notes; taken by the notes view
  // The questions at the end of a lesson, for the keys that answer them: set by the notes view each frame.
  struct Quiz {
    bool in_sight = false;
    std::optional<std::size_t> asked;  // the one that the numbers belong to
  } quiz;
  std::optional<std::size_t> quiz_answered;  // the last one of them that was answered
  std::optional<std::size_t> quiz_wanted;    // to be scrolled to; taken by the notes view
  struct QuizTold {
    std::size_t question = 0, answer = 0;
  };
  std::optional<QuizTold> quiz_told;  // the answer whose explanation is to come into sight; taken likewise
  std::string step_wanted;            // of the notes and of the run; taken by the shell
  // Two texts to be shown line by line instead of the editor, until closed.
  enum class Against { Original, Solution };
  struct Compare {
    std::string title, before_name, after_name, before, after;
    Against against = Against::Original;
  };
  bool export_progress = false;    // taken by the shell
  bool compare_runs = false;       // asks the shell for the two runs side by side; taken by it
  lab::ObjectId object;            // whose history the picture shows; None for none
  std::optional<std::size_t> pin;  // a moment of the run: the picture shows what is different from it
  double play_rate = 0;            // calls a second, 0: not playing; the time view plays
  bool find_in_picture = false;    // taken by the picture
  std::optional<Compare> compare;  // set by any panel, shown and closed by the code view
};

struct Frame {
  lab::Workbench& bench;
  const Theme& theme;
  const Fonts& fonts;
  const Input& input;
  Selection& selection;
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
  const lab::Glossary* glossary = nullptr;  // null: notes are drawn without terms
  TextLog* texts = nullptr;                 // every text with its box, for tests; mostly null
  // Set by a view that is in motion: the shell draws again within this many seconds (0: at once).
  mutable double redraw_in = 1e9;

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
