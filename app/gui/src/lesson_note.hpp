// SPDX-License-Identifier: MIT
// What the list of lessons says about the student's work on a lesson: passed exercises, answered questions,
// or that the lesson comes next. Pure.
#pragma once
#include <string>

#include "lab/progress.hpp"
#include "theme.hpp"

namespace gui {

struct LessonNote {
  std::string words;        // "" where nothing was done
  Role role = Role::Muted;  // Good only where nothing of what the words say is missing or wrong
};
LessonNote note_on(const lab::Progress& progress, const lab::Lesson& lesson, bool next,
                   lab::Language language);

}  // namespace gui
