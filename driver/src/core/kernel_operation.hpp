// A launch as an operation of a stream or a node of a graph: posted to the runner of its context.
#pragma once

#include <memory>
#include <utility>

#include "core/operation.hpp"
#include "core/runner.hpp"

namespace driver {

class KernelOperation : public Operation {
 public:
  KernelOperation(std::shared_ptr<Runner> runner, KernelLaunch launch)
      : launch_(std::move(launch)), runner_(std::move(runner)) {}

  Started start() override { return post(0); }
  bool can_follow(const Runner& other) const override { return &other == runner_.get(); }
  Started follow(std::uint64_t ticket) override { return post(ticket); }
  const KernelLaunch& launch() const { return launch_; }

 private:
  Started post(std::uint64_t after) {
    launch_.after = after;
    Started started;
    started.error = runner_->post(launch_, started.ticket);
    if (started.error == CUDA_SUCCESS) started.runner = runner_;
    return started;
  }

  KernelLaunch launch_;
  std::shared_ptr<Runner> runner_;
};

}  // namespace driver
