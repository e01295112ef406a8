// SPDX-License-Identifier: MIT
// Conditional nodes of graphs: the value that a handle stands for, and the graphs that a node chooses from.
//
// The value lies in device memory, and the handle is its address, so that a kernel sets it by a store
// (cudaGraphSetConditional of driver/ptxcc). Guarded by the graphs' lock; making a value needs Driver's lock,
// exclusive. Does not depend on entry points.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/context.hpp"

namespace driver {

class Graph;

class ConditionalValue {
 public:
  static CUresult create(Context& owner, unsigned initial, unsigned flags,
                         std::shared_ptr<ConditionalValue>& value);
  // Of a handle; null for a number that is none.
  static std::shared_ptr<ConditionalValue> find(CUgraphConditionalHandle handle);
  ~ConditionalValue();
  ConditionalValue(const ConditionalValue&) = delete;
  ConditionalValue& operator=(const ConditionalValue&) = delete;

  CUgraphConditionalHandle handle() const { return address_; }
  // Null when its context is gone.
  std::uint32_t* word() const;
  const unsigned initial;
  const bool assigned_at_launch;
  Context& context;
  bool used = false;  // by a node; a handle has one

 private:
  ConditionalValue(Context& owner, unsigned first, unsigned flags)
      : initial(first), assigned_at_launch((flags & CU_GRAPH_COND_ASSIGN_DEFAULT) != 0), context(owner) {}

  CUdeviceptr address_ = 0;
  std::uint64_t buffer_id_ = 0;
};

// What a conditional node holds. The array of handles is what the program was given.
struct Conditional {
  std::shared_ptr<ConditionalValue> value;
  CUgraphConditionalNodeType type = CU_GRAPH_COND_TYPE_IF;
  std::vector<std::shared_ptr<Graph>> bodies;
  std::vector<CUgraph> handles;

  Conditional(std::shared_ptr<ConditionalValue> chosen_by, CUgraphConditionalNodeType kind,
              std::vector<std::shared_ptr<Graph>> graphs);
  // A copy for a copy of the node, with graphs of its own and the same value.
  std::shared_ptr<Conditional> clone() const;
  // The index of the graph that runs for a value; that of none is their number.
  std::size_t chosen(std::uint32_t value) const;
};

}  // namespace driver
