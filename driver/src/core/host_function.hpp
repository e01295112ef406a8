// SPDX-License-Identifier: MIT
// A function of the program's own (cuLaunchHostFunc) as an operation of a stream or a node of a graph.
// Nothing of the driver may be called from it.
#pragma once

#include "core/driver.hpp"
#include "core/operation.hpp"

namespace driver {

// While it exists, calls of the driver by this thread fail (truth host_functions, steps 7 and 11).
class InHostFunction {
 public:
  InHostFunction() { Driver::in_host_function = true; }
  ~InHostFunction() { Driver::in_host_function = false; }
  InHostFunction(const InHostFunction&) = delete;
  InHostFunction& operator=(const InHostFunction&) = delete;
};

// Not called after a kernel has failed (truth host_functions, step 20).
class HostFunction : public Operation {
 public:
  HostFunction(CUhostFn code, void* data_for_it) : function_(code), data_(data_for_it) {}
  Started start() override {
    const InHostFunction marked;
    function_(data_);
    return {};
  }
  Weight weight() const override { return Weight::HostCode; }
  CUhostFn function() const { return function_; }
  void* data() const { return data_; }

 private:
  CUhostFn function_;
  void* data_;
};

}  // namespace driver
