// SPDX-License-Identifier: MIT
// Name expressions: the lines that make a compiler output their names in PTX, and the functions that read
// these names.
//
// An expression becomes the initial value of a variable with a name of ours; its value in the PTX is the
// wanted name, and the variable is then removed. Does not depend on how programs are compiled.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace nvrtc {

// The lines that follow the source.
std::string name_lines(const std::vector<std::string>& expressions);

struct LoweredNames {
  std::map<std::string, std::string> names;  // by expression
  std::string log;                           // what is wrong with those that are not kernels or variables
};

// Takes the lines' variables out of the PTX.
LoweredNames take_lowered_names(std::string& ptx, const std::vector<std::string>& expressions);

}  // namespace nvrtc
