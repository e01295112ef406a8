// SPDX-License-Identifier: MIT
// The options of nvrtcCompileProgram: which there are, what is wrong with one, and the option for ptxcc.
//
// Spellings, results and messages are those that were measured with NVRTC 13.0, with all peculiarities;
// tests/driver/nvrtc compares the two if both are installed. Does not depend on programs.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "nvrtc.h"

namespace nvrtc {

struct Options {
  nvrtcResult result = NVRTC_SUCCESS;
  std::string log;  // what was wrong, or worth a warning

  std::vector<std::string> arguments;      // ptxcc's
  std::vector<std::string> include_paths;  // of the user, in order
  std::string architecture = "75";
  bool for_device = false;  // sm_80 rather than compute_80: a cubin is asked for
  bool default_device = false;
  bool look_beside_source = true;
  bool brief = false;
  bool numbers = true;
  bool warnings = true;
  bool cached = true;
  bool syntax_only = false;
  std::string time_file;
  std::set<int> suppressed, errors;
};

// Stops at the first that is wrong.
Options read_options(const std::vector<const char*>& given, std::string_view program);

// The architectures that are taken, in ascending order.
const std::vector<int>& supported_architectures();

// How a program ends that could not be begun.
std::string catastrophe(std::string_view words, std::string_view program);

}  // namespace nvrtc
