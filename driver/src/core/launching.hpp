// SPDX-License-Identifier: MIT
// Turns a launch into an operation in a stream: checks it and collects its parameters.
//
// Used by all forms of launching. Uses the tables of code and streams; does not depend on entry points.
#pragma once

#include <memory>
#include <optional>

#include "core/cluster.hpp"
#include "core/code.hpp"
#include "core/kernel_operation.hpp"
#include "core/runner.hpp"
#include "core/stream.hpp"

namespace driver {

// CooperativeOnSeveral: part of a launch on several devices, which is refused as too large before anything
// else of its shape is looked at (truth multi_device_launch, steps 36 to 39).
enum class Blocks { Independent, Cooperative, CooperativeOnSeveral };

struct Shape {
  unsigned grid[3], block[3];
  unsigned shared;                             // dynamic, in bytes
  ClusterSize cluster = {0, 0, 0};             // as the launch wishes
  std::optional<int> priority = std::nullopt;  // nothing: its stream's
};

// How the values of the parameters are passed: a pointer to each, or one packed buffer in `extra`.
struct Arguments {
  void** parameters = nullptr;
  void** extra = nullptr;
};

// A launch that may be enqueued, or posted by a graph. Takes Driver's lock.
struct PreparedLaunch {
  KernelLaunch launch;
  std::shared_ptr<Runner> runner;
  std::shared_ptr<Queue> queue;
};
CUresult prepare_launch(CUfunction handle, const Shape& shape, CUstream stream, const Arguments& arguments,
                        Blocks blocks, PreparedLaunch& prepared);

// Enqueues it. `end` as of Queue::enqueue.
CUresult post_launch(PreparedLaunch& prepared, CompletionPointer* end);

CUresult launch(CUfunction handle, const Shape& shape, CUstream stream, const Arguments& arguments,
                Blocks blocks = Blocks::Independent);

// How many blocks of a kernel can be on the multiprocessors of a context at the same time.
std::uint64_t most_resident_blocks(const Function& function, const Shape& shape, const Context& context);

}  // namespace driver
