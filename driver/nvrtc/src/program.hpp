// SPDX-License-Identifier: MIT
// A program of NVRTC's: what it was made of and what came of it; and the register of all there are.
//
// A handle is looked up, never followed on trust. Each program has its own lock, so that several threads
// compile at the same time and one handle can be used by several. Knows nothing of how compiling is done.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "compile.hpp"

namespace nvrtc {

struct Program {
  std::mutex mutex;
  Source source;
  std::set<std::string> expressions;
  bool compiled = false;
  std::string ptx;
  std::string image;  // what nvrtcGetCUBIN gives
  std::string log;
  std::map<std::string, std::string> lowered;
  int (*callback)(void*, void*) = nullptr;
  void* payload = nullptr;
};

nvrtcProgram enter(std::shared_ptr<Program> program);
std::shared_ptr<Program> find(nvrtcProgram handle);
bool leave(nvrtcProgram handle);

}  // namespace nvrtc
