// SPDX-License-Identifier: MIT
// Allocating and freeing in the order of a stream that is captured: nothing is done, the graph only keeps it.
// In a stream that is not captured, pools allocate and free (core/pool.hpp).
#pragma once

#include <memory>
#include <utility>

#include "core/graph.hpp"
#include "core/operation.hpp"

namespace driver {

class AllocateOperation : public Operation {
 public:
  explicit AllocateOperation(std::shared_ptr<GraphMemory> kept) : memory(std::move(kept)) {}
  Started start() override { return {}; }

  const std::shared_ptr<GraphMemory> memory;
};

class FreeOperation : public Operation {
 public:
  explicit FreeOperation(CUdeviceptr freed) : address(freed) {}
  Started start() override { return {}; }

  const CUdeviceptr address;
};

}  // namespace driver
