// SPDX-License-Identifier: MIT
// A kernel that can be run, whatever runs it: compiled code, or the interpreter.
//
// Work is counted in units, which workers take piece by piece. Does not depend on queues or processes.
#pragma once

#include <cstdint>

#include "runner/control.hpp"

namespace runner {

// The pieces of a launch that one worker gets, one after another, until nothing is left for it.
class Pieces {
 public:
  virtual ~Pieces() = default;
  // The caller gets the units [first, first + count), and has finished the earlier ones.
  virtual bool take(std::uint64_t& first, std::uint64_t& count) = 0;
};

class KernelCode {
 public:
  virtual ~KernelCode() = default;
  // How many pieces a launch has; each is a cluster, and can run on any worker, in any order.
  virtual std::uint64_t units(const Slot& launch) const = 0;
  // Runs all units of `pieces`. `index` says which multiprocessor they are on (processor_of).
  virtual void run(const Slot& launch, Pieces& pieces, unsigned index) = 0;
};

}  // namespace runner
