// SPDX-License-Identifier: MIT
// What a program's text says about the calls in it: which failures it asks for with expect(), and what it
// passes. Purely textual and pure; knows of C++ no more than comments, quotes and brackets.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lab {

// expect(ERROR, call): the error, and the lines that it stands on, 1-based.
struct Expectation {
  std::string error;
  int first_line = 0, last_line = 0;
};
std::vector<Expectation> expectations_in(std::string_view source);

// The arguments of the call of `name` that stands on this line or begins shortly before it; empty where there
// is none, or more than one.
std::vector<std::string> arguments_at(std::string_view source, int line, std::string_view name);

}  // namespace lab
