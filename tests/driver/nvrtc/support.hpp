// SPDX-License-Identifier: MIT
// An NVRTC library by its path, so that one test runs on ours and on NVIDIA's; a program compiled with it,
// and all its results.
//
// Does not depend on which results are right.
#pragma once

#include <dlfcn.h>

#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "nvrtc.h"

struct Nvrtc {
  explicit Nvrtc(const char* path) : handle(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (handle == nullptr) return;
    load(create, "nvrtcCreateProgram");
    load(destroy, "nvrtcDestroyProgram");
    load(compile, "nvrtcCompileProgram");
    load(ptx_size, "nvrtcGetPTXSize");
    load(ptx, "nvrtcGetPTX");
    load(cubin_size, "nvrtcGetCUBINSize");
    load(log_size, "nvrtcGetProgramLogSize");
    load(log, "nvrtcGetProgramLog");
    load(add_name, "nvrtcAddNameExpression");
    load(lowered, "nvrtcGetLoweredName");
    load(version, "nvrtcVersion");
    load(count_architectures, "nvrtcGetNumSupportedArchs");
    load(architectures, "nvrtcGetSupportedArchs");
    load(error_string, "nvrtcGetErrorString");
    load(set_callback, "nvrtcSetFlowCallback");
  }
  template <typename Function>
  void load(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
  }
  void* handle;
  decltype(&nvrtcCreateProgram) create = nullptr;
  decltype(&nvrtcDestroyProgram) destroy = nullptr;
  decltype(&nvrtcCompileProgram) compile = nullptr;
  decltype(&nvrtcGetPTXSize) ptx_size = nullptr;
  decltype(&nvrtcGetPTX) ptx = nullptr;
  decltype(&nvrtcGetCUBINSize) cubin_size = nullptr;
  decltype(&nvrtcGetProgramLogSize) log_size = nullptr;
  decltype(&nvrtcGetProgramLog) log = nullptr;
  decltype(&nvrtcAddNameExpression) add_name = nullptr;
  decltype(&nvrtcGetLoweredName) lowered = nullptr;
  decltype(&nvrtcVersion) version = nullptr;
  decltype(&nvrtcGetNumSupportedArchs) count_architectures = nullptr;
  decltype(&nvrtcGetSupportedArchs) architectures = nullptr;
  decltype(&nvrtcGetErrorString) error_string = nullptr;
  decltype(&nvrtcSetFlowCallback) set_callback = nullptr;
};

// Ours, once a process.
inline const Nvrtc& ours() {
  static const Nvrtc nvrtc(NVRTC_UNDER_TEST);
  return nvrtc;
}

struct Question {
  std::string source = "__global__ void k(int* p) { *p = 1; }";
  std::vector<const char*> options = {};
  std::vector<const char*> expressions = {};
  std::vector<std::pair<const char*, const char*>> headers = {};  // name and text
};

struct Answer {
  nvrtcResult result = NVRTC_SUCCESS;
  std::string log;
  std::string ptx;
  bool cubin = false;
  std::vector<std::pair<nvrtcResult, std::string>> names;
};

inline Answer ask(const Nvrtc& nvrtc, const Question& question) {
  std::vector<const char*> names, texts;
  for (const auto& [name, text] : question.headers) {
    names.push_back(name);
    texts.push_back(text);
  }
  Answer answer;
  nvrtcProgram program = nullptr;
  answer.result = nvrtc.create(&program, question.source.c_str(), "prog.cu", static_cast<int>(names.size()),
                               texts.data(), names.data());
  if (answer.result != NVRTC_SUCCESS) return answer;
  for (const char* const expression : question.expressions) nvrtc.add_name(program, expression);
  answer.result = nvrtc.compile(program, static_cast<int>(question.options.size()), question.options.data());
  for (const char* const expression : question.expressions) {
    const char* name = nullptr;
    const nvrtcResult result = nvrtc.lowered(program, expression, &name);
    answer.names.emplace_back(result, name == nullptr ? "" : name);
  }
  std::size_t size = 0;
  nvrtc.log_size(program, &size);
  answer.log.resize(size);
  nvrtc.log(program, answer.log.data());
  answer.log.resize(size - 1);
  nvrtc.ptx_size(program, &size);
  answer.ptx.resize(size);
  nvrtc.ptx(program, answer.ptx.data());
  answer.ptx.resize(size - 1);
  nvrtc.cubin_size(program, &size);
  answer.cubin = size != 0;
  nvrtc.destroy(&program);
  return answer;
}

// A log without its sentences: places, kinds, numbers of warnings, counts.
inline std::string form_of(const std::string& log) {
  std::string form;
  for (std::size_t begin = 0; begin < log.size();) {
    const std::size_t end = std::min(log.find('\n', begin), log.size());
    const std::string line = log.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t place = line.find("): ");
    if (place != std::string::npos && !line.starts_with(' '))
      form += line.substr(0, line.find(": ", place + 3)) + "\n";
    else if (!line.empty() && (std::isdigit(static_cast<unsigned char>(line.front())) != 0 ||
                               line.starts_with("Remark") || line.starts_with("Compilation")))
      form += line + "\n";
  }
  return form;
}
