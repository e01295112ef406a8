// SPDX-License-Identifier: MIT
// A capture: the work that is enqueued in a stream, and in those that join it by events, becomes nodes of a
// graph.
//
// The position of a stream in the graph is a set of nodes, on which its next node depends. A capture ends
// with the stream that began it, destroyed or not; after that, only the events that were recorded in it keep
// it. While a blocking stream is captured, the legacy stream of its context refuses work: it would have to
// wait for work that is not done (truth capture, steps 8 and 27). Guarded by the graphs' lock. Does not
// depend on entry points.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "core/graph.hpp"
#include "core/stream.hpp"

namespace driver {

class GraphCapture : public Capture, public std::enable_shared_from_this<GraphCapture> {
 public:
  // The whole of cuStreamBeginCapture. `into` is null for a new graph. Driver's lock has to be held,
  // exclusively.
  static CUresult begin(Queue& queue, CUstreamCaptureMode mode, Graph* into,
                        const std::vector<Node*>& behind);
  // The whole of cuStreamEndCapture; the same lock.
  CUresult end(Queue& queue, CUgraph& graph);

  CUresult add(Queue& queue, std::shared_ptr<Operation> operation) override;
  CUresult record(Queue& queue, Event& event) override;
  CUresult wait(Queue& queue, Event& event) override;
  CUresult forbid() override { return spoil(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED); }
  CUresult forbid_isolation() override { return spoil(CUDA_ERROR_STREAM_CAPTURE_ISOLATION); }
  CUresult record_external(Queue& queue, Event& event) override;
  CUresult wait_external(Queue& queue, Event& event) override;
  void leave(Queue& queue) override;
  bool over() const override { return over_; }
  bool broken() const override { return !valid_; }

  // Makes it invalid; returns the given error.
  CUresult spoil(CUresult error);
  bool valid() const { return valid_; }
  unsigned long long id() const { return id_; }
  CUgraph graph() const { return graph_->handle(); }
  std::vector<Node*>& place_of(const Queue& queue) { return places_[&queue]; }
  // What cuStreamGetCaptureInfo points to; valid until the next call.
  const std::vector<CUgraphNode>& handles_of(const Queue& queue);
  // The same for the edges from those nodes to the next one, which have no special data.
  const std::vector<CUgraphEdgeData>& edges_of_handles() const { return edges_; }

 private:
  GraphCapture(Queue& queue, CUstreamCaptureMode mode);
  bool all_joined() const;
  CUresult add_node(Queue& queue, Work work);
  void let_go();
  void drop_graph();

  const unsigned long long id_;
  Queue& origin_;
  const CUstreamCaptureMode mode_;
  const std::thread::id thread_;
  std::shared_ptr<Graph> graph_;  // null when it is over
  bool own_graph_ = true;         // made for this capture
  std::atomic<bool> over_{false};
  std::atomic<bool> valid_{true};
  std::map<const Queue*, std::vector<Node*>> places_;
  std::vector<std::shared_ptr<Queue>> queues_;
  std::map<const Event*, std::vector<Node*>> events_;
  AssuredList<std::vector<Node*>> left_behind_;  // positions of streams that no longer exist
  std::vector<CUgraphNode> handles_;
  std::vector<CUgraphEdgeData> edges_;

  friend CUresult unsafe_call();
  friend CUresult wait_spoils_captures(const Context& context);
  friend bool is_captured_into(const Graph& graph);
  friend class ImplicitCapture;
};

// A call that waits for a whole context begins with this. If a stream of it is captured in any mode, that
// capture becomes invalid, and the call is refused (truth legacy_while_captured, steps 25 and 26). Streams of
// green contexts do not count as the primary context's here (truth green_event_capture, step 17).
CUresult wait_spoils_captures(const Context& context);

// Whether a stream is being captured into this graph. The graphs' lock has to be held.
bool is_captured_into(const Graph& graph);

// Whether any stream of the process is being captured.
bool captures_are_active();

// The mode of the calling thread, cuThreadExchangeStreamCaptureMode.
CUstreamCaptureMode exchange_capture_mode(CUstreamCaptureMode mode);

// A call that is unsafe during a capture (allocating, freeing, waiting for a whole context) begins with this:
// captures that forbid it to this thread become invalid, and the call is refused.
CUresult unsafe_call();

}  // namespace driver
