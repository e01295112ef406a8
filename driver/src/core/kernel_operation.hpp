// SPDX-License-Identifier: MIT
// A launch as an operation of a stream or a node of a graph: posted to the runner of its context.
//
// While the program has registered memory of its own, a kernel is waited for instead, because that memory is
// copied to the runner before the kernel and back after it.
#pragma once

#include <memory>
#include <utility>

#include "core/operation.hpp"
#include "core/registered_memory.hpp"
#include "core/runner.hpp"

namespace driver {

class KernelOperation : public Operation {
 public:
  KernelOperation(std::shared_ptr<Runner> runner, KernelLaunch launch)
      : launch_(std::move(launch)), runner_(std::move(runner)), accompanied_(RegisteredMemory::any()) {}

  Started start() override { return accompanied_ ? run() : post(0); }
  bool can_follow(const Runner& other) const override { return !accompanied_ && &other == runner_.get(); }
  Started follow(std::uint64_t ticket) override { return post(ticket); }
  Weight weight() const override { return accompanied_ ? Weight::Heavy : Weight::Instant; }
  const KernelLaunch& launch() const { return launch_; }

 private:
  Started post(std::uint64_t after) {
    launch_.after = after;
    Started started;
    started.error = runner_->post(launch_, started.ticket);
    if (started.error == CUDA_SUCCESS) started.runner = runner_;
    return started;
  }
  Started run();

  KernelLaunch launch_;
  std::shared_ptr<Runner> runner_;
  const bool accompanied_;
};

}  // namespace driver
