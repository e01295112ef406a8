// SPDX-License-Identifier: MIT
// The names in the tables [[exercise]] of a lesson.toml, for the catalogue, which reads the lessons' own
// keys. Mistakes in these tables are read_exercises()'s (lab/exercise.hpp) to report.
#pragma once
#include <string>
#include <vector>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace lab {

std::vector<std::string> names_of_exercises(const toml::table& lesson_toml);

}  // namespace lab
