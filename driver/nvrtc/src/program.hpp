// SPDX-License-Identifier: MIT
// A program of NVRTC: what it is made from and its results; and the register of all programs.
//
// Each handle is looked up in the register before it is used. Each program has its own lock, so that several
// threads can compile at the same time, and several can use one handle. Does not depend on how programs are
// compiled.
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
