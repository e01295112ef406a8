// SPDX-License-Identifier: MIT
// clang's messages about a program in NVRTC's form: `prog.cu(3): error: identifier "x" is undefined`, the
// line, a mark, and the count at the end.
//
// The most frequent messages get NVRTC's words, the others keep clang's. Does not depend on processes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "options.hpp"

namespace nvrtc {

struct Report {
  std::string log;
  unsigned errors = 0;
};

// Names that a reader must not see: of the folder of the compilation, and of headers that were given in
// memory.
struct Hidden {
  std::string folder;
  std::string headers;
};

// `expressions` are the name expressions, in the order of their lines in the map of names.
Report make_report(std::string_view clang_output, const Options& options, std::string_view program,
                   const Hidden& hidden, const std::vector<std::string>& expressions);

// Where the lines of name expressions claim to be; the first has this number.
constexpr std::string_view kNameMap = "__nv_name_map";
constexpr unsigned kFirstNameLine = 2;

}  // namespace nvrtc
