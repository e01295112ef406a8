// SPDX-License-Identifier: MIT
// One launch of an executable graph, as an operation of a stream.
//
// Kernels are posted as soon as what they depend on is on its way, so that branches overlap; everything else
// is done in the thread that serves the stream. A graph that is a chain of kernels needs no thread at all:
// the runner keeps their order. Does not depend on entry points.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/graph.hpp"
#include "core/operation.hpp"
#include "core/stream.hpp"

namespace driver {

class GraphRun : public Operation {
 public:
  GraphRun() = default;
  ~GraphRun() override;

  // Looks everything up in its present state, and allocates and frees memory. Driver's lock has to be held,
  // exclusively if the graph has memory, and that of the graphs. Errors: CONTEXT_IS_DESTROYED; INVALID_VALUE
  // for memory that no longer exists, was not freed, or is to be freed and does not exist; INVALID_HANDLE for
  // a destroyed event.
  static CUresult create(const Executable& executable, std::shared_ptr<GraphRun>& run);

  // From here on, the events that the graph records belong to this launch. Called before it is enqueued.
  void announce_events();

  Started start() override;
  bool can_follow(const Runner& other) const override { return chain_ != nullptr && chain_ == &other; }
  Started follow(std::uint64_t ticket) override { return post_chain(ticket); }
  void skip(CUresult error) override;
  Weight weight() const override { return chain_ != nullptr ? Weight::Instant : Weight::HostCode; }

 private:
  using Kernels = std::vector<std::pair<std::shared_ptr<Runner>, std::uint64_t>>;
  struct Step {
    std::vector<std::size_t> after;
    std::shared_ptr<Runner> runner;  // of a kernel
    KernelLaunch launch;
    std::shared_ptr<Operation> work;  // a copy, a fill, a host function
    CompletionPointer recorded;
    Event* event = nullptr;  // valid until announce_events()
    CompletionPointer awaited;
    Kernels running;  // kernels that have not ended when this step has been taken
  };

  CUresult look_up(const Node& node, Step& step);
  CUresult look_up_bodies(const std::shared_ptr<Conditional>& conditional, Step& step);
  Kernels kernels_before(const Step& step) const;
  CUresult look_up_all(const std::vector<PlannedStep>& plan);
  Started post_chain(std::uint64_t after);
  CUresult take(Step& step);
  void find_chain();

  std::vector<Step> steps_;
  const Runner* chain_ = nullptr;
  // Of conditional nodes, at any depth: set when the launch begins.
  struct Assigned {
    std::uint32_t* word;
    std::uint32_t initial;
  };
  std::vector<Assigned> assigned_;
  std::shared_ptr<Graph> graph_;  // its memory stays while this runs
};

}  // namespace driver
