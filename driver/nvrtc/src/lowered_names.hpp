// SPDX-License-Identifier: MIT
// Name expressions: the lines that make a compiler say what they are called in PTX, and the reading of its
// answer.
//
// An expression becomes the initial value of a variable with a name of ours; its value in the PTX is the name
// wanted, and the variable is taken out again. Knows nothing of how the compiling is done.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace nvrtc {

// What stands behind the source.
std::string name_lines(const std::vector<std::string>& expressions);

struct LoweredNames {
  std::map<std::string, std::string> names;  // by expression
  std::string log;                           // what is wrong with those that are not kernels or variables
};

// Takes the lines' variables out of the PTX.
LoweredNames take_lowered_names(std::string& ptx, const std::vector<std::string>& expressions);

}  // namespace nvrtc
