// A kernel that can be run, whatever runs it: compiled code, or the interpreter.
//
// Work is counted in units, which workers claim in order. Knows no queues and no processes.
#pragma once

#include <cstdint>

#include "runner/control.hpp"

namespace runner {

class KernelCode {
 public:
  virtual ~KernelCode() = default;
  // How many pieces a launch has; each can run on any worker, in any order.
  virtual std::uint64_t units(const Slot& launch) const = 0;
  // Runs the pieces [first, first + count). `worker` numbers the thread that it is called on.
  virtual void run(const Slot& launch, std::uint64_t first, std::uint64_t count, unsigned worker) = 0;
};

}  // namespace runner
