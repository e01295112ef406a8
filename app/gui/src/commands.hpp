// SPDX-License-Identifier: MIT
// What a panel, a pop-up or the bar asks of others.
//
// Whoever draws posts a command (Frame::post) and changes nothing that is not its own. The shell carries
// commands out in the order in which they were posted, at the end of the frame in which they were
// (Shell::carry_out). What is for a panel it hands to the panels (View::take), and the one that it is for
// keeps it until it is drawn.
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "lab/object.hpp"
#include "lab/own_program.hpp"
#include "lab/text.hpp"
#include "shortcuts.hpp"

namespace gui {

enum class PopupName {
  None,
  Lessons,
  Driver,
  Look,
  Keys,
  Search,
  Share,
  Unkept,
  Teaching,
  Find,
  Files,
  Trace
};
inline constexpr std::size_t kPopupNames = static_cast<std::size_t>(PopupName::Trace) + 1;

namespace command {

// What a key or a button of the bar means.
struct Do {
  Action action;
};
struct Toggle {
  PopupName popup;
};
struct ClosePopup {};
struct OpenLesson {
  std::string slug;
  bool by_key = false;  // the keyboard goes to its notes
};
// A recording; or a program, which is to be traced.
struct OpenFile {
  std::filesystem::path file;
  bool beside = false;  // the recording, to be compared with the shown run
};
struct TraceProgram {
  lab::OwnProgram program;
};
// A place of the course, which may be in another lesson.
struct GoTo {
  std::string lesson;                          // slug
  std::string step = {};                       // of its notes; may be empty
  std::string exercise = {};                   // its name; empty: the notes
  std::optional<lab::Language> language = {};  // in which the place was found
  enum class Moment {
    Stays,
    BeforeFirstCall,
    FirstCall,
    End
  } moment = Moment::Stays;  // of the step, in the run
};
// A step, in the notes and in the run.
struct ShowStep {
  std::string step;
};
// A line in the editor.
struct ShowSource {
  std::string file;
  int line = 0;         // from 1; 0: wherever the file was left
  bool of_run = false;  // counted in the text that the shown run was built from
};
// A place in the notes.
struct ScrollToStep {
  std::string step;
};
struct ScrollToQuestion {
  std::size_t question = 0;
};
struct ScrollToAnswer {  // and to what is said about it
  std::size_t question = 0, answer = 0;
};
struct FindInPicture {};
struct FindInCode {};
struct FindCalls {};
struct FindInNotes {};
struct FindInOutput {};
// In the picture, with its life.
struct ShowObject {
  lab::ObjectId object;
};
struct ShowExercise {};
struct SetPredicting {
  bool on = false;
};
struct ExportProgress {};
// A notice about success.
struct Say {
  lab::Problem notice;
};
// Calls `then`, which drops the editor's text: what could not be saved has been settled.
struct Leave {
  std::function<void()> then;
};

}  // namespace command

using Command =
    std::variant<command::Do, command::Toggle, command::ClosePopup, command::OpenLesson, command::OpenFile,
                 command::TraceProgram, command::GoTo, command::ShowStep, command::ShowSource,
                 command::ScrollToStep, command::ScrollToQuestion, command::ScrollToAnswer,
                 command::FindInPicture, command::FindInCode, command::FindCalls, command::FindInNotes,
                 command::FindInOutput, command::ShowObject, command::ShowExercise, command::SetPredicting,
                 command::ExportProgress, command::Say, command::Leave>;

}  // namespace gui
