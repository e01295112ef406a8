// SPDX-License-Identifier: MIT
// From a source in memory to PTX: a folder for the compiler, ptxcc as a process, its messages, the lowered
// names, and the cache on disk.
//
// Does not depend on handles or threads; calls are independent of each other.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "options.hpp"

namespace nvrtc {

struct Header {
  std::string name;
  std::string text;
};

struct Source {
  std::string text;
  std::string name;
  std::vector<Header> headers;
  std::vector<std::string> expressions;  // sorted, each once
};

struct Compiled {
  nvrtcResult result = NVRTC_SUCCESS;
  std::string log;
  std::string ptx;
  std::map<std::string, std::string> lowered;
};

Compiled compile(const Source& source, const Options& options, const std::function<bool()>& cancelled);

}  // namespace nvrtc
