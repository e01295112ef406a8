// SPDX-License-Identifier: MIT
// Several PTX texts as one program, as a device linker joins them.
//
// A linked program travels as one text: its units with a mark between them, which parse() knows. It knows no
// format of files and no device.
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
  std::vector<Duplicate> duplicates;  // defined twice, and neither is weak
};

// The units in the order in which they were added. What nobody defines stays declared: see unresolved().
LinkResult link(std::vector<Module> units);

// A comment to anything that reads PTX.
constexpr std::string_view kUnitMark = "\n//# the next unit of a linked program\n";
std::string join_units(const std::vector<std::string>& texts);
std::vector<std::string_view> split_units(std::string_view text);

}  // namespace ptx
