// SPDX-License-Identifier: MIT
// The number keys: they answer a question that is on the screen.
#pragma once
#include <vector>

#include "commands.hpp"
#include "view.hpp"

namespace gui {

// In the editor and in a field, where digits are text, with Alt. The question about the next call
// (`about_call`: it is on the screen) comes first, unless the notes have the keyboard. 1 and up are answers;
// after an answer to a question of the notes, 0 shows the step that it is about; in the notes, where no
// question is in sight, 0 goes to the first that is not solved. False: the key is for others.
bool answer_takes(const KeyPress& press, lab::Workbench& bench, Selection& selection, bool about_call,
                  std::vector<Command>& commands);

}  // namespace gui
