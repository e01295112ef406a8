// SPDX-License-Identifier: MIT
// What the panels share from frame to frame: what is pointed at, chosen and asked about, and who has the
// keyboard.
//
// It holds state only; what one panel wants of another is a command (commands.hpp).
#pragma once
#include <imgui.h>

#include <optional>
#include <string>

#include "key_stops.hpp"
#include "lab/call_search.hpp"
#include "lab/workbench.hpp"

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
  struct EditorFocus {
    bool now = false;     // set by the code view each frame: plain keys belong to it
    bool before = false;  // in the frame before
  } editor_focus;
  // Keys were used since the mouse moved: no tooltip is shown for what is under the mouse.
  struct Hush {
    bool on = false;
    ImVec2 at{};  // where the mouse was then
  } hush;
  bool asking = false;  // a question about the next call is on the screen: no panel may show the answer
  bool typing = false;  // a field of a panel takes plain keys; set by it each frame
  const void* field = nullptr;  // the field to look for something that was opened or clicked last: its keys
  struct Finding {
    bool on = false;  // something is being looked for: F3 goes to the next place; set each frame
    // The calls that the list looks for; null: nothing. Belongs to the list.
    const lab::CallSearch* calls = nullptr;
  } finding;
  // The editor's caret; no file while it is not drawn.
  struct Caret {
    std::string file;
    int line = 0;  // from 1
  } caret;
  std::string notes_top;  // the step at the top of the notes; "" while they are not drawn
  // F6 gives the keyboard to a panel: "notes", "code", "output", "picture", "time", "timeline", "calls",
  // "bar"; in place of all panels "compare". "" once the mouse is used.
  std::string focus, focus_wanted;  // wanted: used by the panel that draws it
  KeyStops stops;                   // what can be pressed there, and on which of it the keyboard stands
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
  bool timeline = false;           // it is shown; set by the shell each frame
  double play_rate = 0;            // calls a second, 0: not playing; the time view plays
  std::optional<Compare> compare;  // set by any panel, shown and closed by the code view
};

}  // namespace gui
