// SPDX-License-Identifier: MIT
// Several PTX texts as one program, as a device linker joins them.
//
// A linked program is passed on as one text: its units with a mark between them, which parse() recognises.
// Does not depend on file formats or devices.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.hpp"

namespace ptx {

struct Duplicate {
  std::string name;
  std::size_t first = 0, second = 0;  // units, counted from 1
};

struct LinkResult {
  Module module;
  std::vector<Duplicate> duplicates;  // symbols with two definitions, neither of which is weak
};

// Takes the units in the order in which they were added. A symbol without a definition stays declared: see
// unresolved().
LinkResult link(std::vector<Module> units);

// For any other reader of PTX, the mark is a comment.
constexpr std::string_view kUnitMark = "\n//# the next unit of a linked program\n";
std::string join_units(const std::vector<std::string>& texts);
std::vector<std::string_view> split_units(std::string_view text);

}  // namespace ptx
