// SPDX-License-Identifier: MIT
// Core dumps of a GPU: the settings of the process and of each context, and the file that a fault leaves.
//
// The file is text in a format of its own ("driverlab core dump 1"; driver/README.md describes it), because
// the real one is an ELF file of machine states that do not exist here. Does not depend on entry points;
// needs no lock of Driver's.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "core/api.hpp"

namespace driver {

class Context;

// What is known of a kernel that has failed.
struct KernelFault {
  CUresult error = CUDA_SUCCESS;
  std::optional<std::uint64_t> address;  // which may be 0
  std::string kernel;                    // empty: the process was killed from outside
  unsigned grid[3] = {0, 0, 0};
  unsigned block[3] = {0, 0, 0};
  unsigned dynamic_shared = 0;
  std::string parameters;  // its bytes
  std::string ptx;         // of its module
};

class CoreDumps {
 public:
  static CoreDumps& get();

  // One setting: a boolean or flags as a number, a name as a text.
  struct Value {
    unsigned number;
    std::string text;
  };
  // Of the process if `context` is null; else what holds for the context.
  Value value(const Context* context, CUcoredumpSettings setting);
  void set(const Context* context, CUcoredumpSettings setting, Value value);
  // A context that begins has the settings that the process has then, and what its flags switch on.
  void begin(const Context& context, unsigned flags);
  // Whether the environment has set it: then a program cannot.
  bool settled(CUcoredumpSettings setting) const;

  // If a dump is enabled for the context: writes it, and ends the process unless that is switched off.
  void write(const Context& context, const KernelFault& fault);

  static bool is_known(CUcoredumpSettings setting) {
    return setting >= CU_COREDUMP_ENABLE_ON_EXCEPTION && setting < CU_COREDUMP_MAX;
  }
  static bool is_text(CUcoredumpSettings setting) {
    return setting == CU_COREDUMP_FILE || setting == CU_COREDUMP_PIPE;
  }

 private:
  CoreDumps();
  using Settings = std::array<std::optional<Value>, CU_COREDUMP_MAX>;
  const Value& find(const Context* context, CUcoredumpSettings setting);

  std::mutex lock_;
  Settings of_process_;
  std::array<bool, CU_COREDUMP_MAX> settled_{};
  std::map<const Context*, Settings> of_contexts_;
};

}  // namespace driver
