// SPDX-License-Identifier: MIT
// A lesson on two pages of A4, to print and hand out: what the notes say before and after the steps, the
// names of the steps, the figures, the questions and the task of the exercise. One HTML page that needs no
// other file and runs no script.
#pragma once
#include <string>

#include "lab/catalogue.hpp"
#include "lab/result.hpp"

namespace lab {

// Two pages; with answers a third one, which says for each question which answer is right, and why.
Result<std::string> handout(const Lesson& lesson, Language language, bool with_answers);

}  // namespace lab
