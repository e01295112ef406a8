// SPDX-License-Identifier: MIT
// Which keys do what: one table for pressing, for the labels on buttons and for the list of keys.
//
// Pure: a key press in, an action out. Depends on neither ImGui nor the workbench.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "input.hpp"
#include "lab/text.hpp"

namespace gui {

enum class Action {
  Continue,
  Step,
  Back,
  Stop,
  Restart,
  Run,
  Larger,
  Smaller,
  NormalSize,
  SwitchLanguage,
  NextTheme,
  ShowKeys,
  ShowLessons,
  NextPanel,
  Search,
  Maximize,
  FullScreen,
  SavePicture,
  CopyPicture,
  CheckExercise,
  ShowExercise,
  Predict,
  Play,
  NextLine,
  LastLine,
  NextChange,
  LastChange,
  PinMoment,
  CompareRuns,
  ShowGhost,
  FindAnything,
  ShowTimeline,
  Present,
  Share,
  ShowTeaching,
  ShowFiles,
  NextFocus,
  LastFocus,
  Close,
  Quit
};

struct Shortcut {
  Action action;
  KeyPress press;
};
std::optional<Action> action_of(const KeyPress& press);

// One line of the list of keys.
struct KeyHelp {
  std::string_view keys;  // "F10", "Ctrl +"
  lab::Text meaning;
};
std::span<const KeyHelp> key_help();

}  // namespace gui
