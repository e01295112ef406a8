// SPDX-License-Identifier: MIT
// What a program's text says about its calls: which failures it expects with expect(), claim() or a loop, and
// what it passes.
// Pure, and works on text only: of C++, it understands comments, quotes and brackets.
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/event.hpp"

namespace lab {

// expect(ERROR, call), claim(sentence, … == ERROR), claim(sentence, … != CUDA_SUCCESS), or a loop that goes
// on while a call returns CUDA_SUCCESS or ERROR: the error, and its lines, 1-based.
struct Expectation {
  std::string error;  // empty: any
  int first_line = 0, last_line = 0;
  std::string function = {};  // the one that expect() calls; it may be the program's or a library's
};
std::vector<Expectation> expectations_in(std::string_view source);

// The lines of what is between the braces of this function, or of a lambda that a variable of this name has.
struct Lines {
  int first = 0, last = 0;
  bool has(int line) const { return first <= line && line <= last; }
};
std::vector<Lines> bodies_of(std::string_view source, std::string_view function);

// The file that an event names: by the whole name, or else by its last part; end() if there is none.
template <class Files, class NameOf>
auto find_recorded(const Files& files, std::string_view recorded, NameOf name_of) {
  const auto last_part = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
  const auto whole =
      std::find_if(files.begin(), files.end(), [&](const auto& file) { return name_of(file) == recorded; });
  if (whole != files.end()) return whole;
  return std::find_if(files.begin(), files.end(),
                      [&](const auto& file) { return last_part(name_of(file)) == last_part(recorded); });
}

using Sources = std::map<std::string, std::string>;  // file name as in Event::file -> text
// Its text; nullptr if there is none.
const std::string* source_of(const Sources& sources, std::string_view recorded);

// The source text of an argument of this call, without its & or .data(); see Workbench::variable().
std::string variable_in(const Sources& sources, const trace::Event& call, std::size_t argument);

// The failures that a run's own texts expect. Reads each text once; for one run, until clear().
class ExpectedFailures {
 public:
  // The call is where a text expects this failure, or in a function of which a text expects it.
  bool asks_for(const trace::Event& call, const Sources& sources);
  void clear() { known_.clear(); }

 private:
  struct Known {
    std::vector<Expectation> here;
    std::vector<std::pair<std::string, Lines>>
        of_functions;  // the error, and the body of what is to return it
  };
  void read(const Sources& sources);

  std::map<std::string, Known> known_;  // by the name in `sources`
};

// The arguments of the call of `name` that is on this line or begins shortly before it; empty if there is
// none, or more than one.
std::vector<std::string> arguments_at(std::string_view source, int line, std::string_view name);

}  // namespace lab
