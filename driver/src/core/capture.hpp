// SPDX-License-Identifier: MIT
// A capture: what is enqueued in a stream, and in those that join it by events, becomes nodes of a graph.
//
// Where a stream stands in the graph is a set of nodes, behind which its next node comes. A capture is never
// deleted, because events point to it. While a blocking stream is captured, the legacy stream of its context
// refuses work: it would have to wait for what is not being done (truth capture, steps 8 and 27). Guarded by
// the graphs' lock. Knows no entry points.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "core/graph.hpp"
#include "core/stream.hpp"

namespace driver {

class GraphCapture : public Capture {
 public:
  // The whole of cuStreamBeginCapture. `into` is null for a new graph. Driver's lock has to be held,
  // exclusively.
  static CUresult begin(Lane& lane, CUstreamCaptureMode mode, Graph* into, const std::vector<Node*>& behind);
  // The whole of cuStreamEndCapture; the same lock.
  CUresult end(Lane& lane, CUgraph& graph);

  CUresult add(Lane& lane, std::shared_ptr<Operation> operation) override;
  CUresult record(Lane& lane, Event& event) override;
  CUresult wait(Lane& lane, Event& event) override;
  CUresult forbid() override { return spoil(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED); }

  // It is invalid from now on; passes the error on.
  CUresult spoil(CUresult error);
  bool valid() const { return valid_; }
  unsigned long long id() const { return id_; }
  CUgraph graph() const { return graph_->handle(); }
  std::vector<Node*>& place_of(const Lane& lane) { return places_[&lane]; }
  // What cuStreamGetCaptureInfo points to; good until the next call.
  const std::vector<CUgraphNode>& handles_of(const Lane& lane);

 private:
  GraphCapture(Lane& lane, CUstreamCaptureMode mode);
  bool all_joined() const;
  void let_go();

  const unsigned long long id_;
  Lane& origin_;
  const CUstreamCaptureMode mode_;
  const std::thread::id thread_;
  Graph* graph_ = nullptr;
  bool own_graph_ = true;  // made for this capture
  bool over_ = false;
  std::atomic<bool> valid_{true};
  std::map<const Lane*, std::vector<Node*>> places_;
  std::vector<std::shared_ptr<Lane>> lanes_;
  std::map<const Event*, std::vector<Node*>> events_;
  std::vector<CUgraphNode> handles_;

  friend CUresult unsafe_call();
  friend CUresult wait_spoils_captures(const Context& context);
  friend class ImplicitCapture;
};

// What waiting for a whole context begins with, whichever way its streams are captured: those captures become
// invalid, and the call is refused (truth legacy_while_captured, steps 25 and 26).
CUresult wait_spoils_captures(const Context& context);

// The mode of the calling thread, cuThreadExchangeStreamCaptureMode.
CUstreamCaptureMode exchange_capture_mode(CUstreamCaptureMode mode);

// What a call that is unsafe while something is captured begins with (allocating, freeing, waiting for a
// whole context): the captures that forbid it to this thread become invalid, and the call is refused.
CUresult unsafe_call();

}  // namespace driver
