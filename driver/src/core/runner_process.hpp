// SPDX-License-Identifier: MIT
// Starts the process that runs kernels, and the memory that is shared with it.
//
// The process is not a child that the program could wait for or get a signal from. It gets the memory files,
// and nothing else that this process has open. Does not depend on launches or streams.
#pragma once

#include <memory>

#include "core/context.hpp"
#include "runner/control.hpp"

namespace driver {

class RunnerProcess {
 public:
  // Null when the system refuses memory or a process, or the program has closed the driver's descriptors.
  static std::unique_ptr<RunnerProcess> start(Context& context);
  ~RunnerProcess();
  RunnerProcess(const RunnerProcess&) = delete;
  RunnerProcess& operator=(const RunnerProcess&) = delete;

  runner::Control& control() { return *control_; }
  std::byte* output_ring() { return reinterpret_cast<std::byte*>(control_) + runner::kOutputOffset; }
  std::uint64_t output_size() const { return output_size_; }
  // Whether it lives; asks the kernel, so not for every call.
  bool alive();

 private:
  RunnerProcess() = default;
  bool share_memory(Context& context);
  bool spawn();
  bool wait_until_running();

  runner::Control* control_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::uint64_t output_size_ = 0;
  int descriptor_ = -1;
  int process_ = 0;
};

}  // namespace driver
