// SPDX-License-Identifier: MIT
// See capture.hpp: how an operation becomes a node, and what makes a capture invalid.
#include "core/capture.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "core/array.hpp"
#include "core/graph_memory_operation.hpp"
#include "core/graph_node.hpp"
#include "core/host_function.hpp"
#include "core/kernel_operation.hpp"
#include "core/log.hpp"
#include "core/transfer.hpp"
#include "core/word_operation.hpp"

namespace driver {

// What the legacy stream does while blocking streams of its context are captured: it spoils their captures.
class ImplicitCapture : public Capture {
 public:
  CUresult add(Queue&, std::shared_ptr<Operation>) override { return refuse(); }
  CUresult record(Queue&, Event&) override { return refuse(); }
  CUresult wait(Queue&, Event&) override { return refuse(); }
  CUresult forbid() override { return refuse(); }
  CUresult forbid_isolation() override { return refuse(); }
  CUresult record_external(Queue&, Event&) override { return refuse(); }
  CUresult wait_external(Queue&, Event&) override { return refuse(); }
  void leave(Queue&) override {}
  bool over() const override { return false; }
  bool broken() const override { return false; }

  std::vector<GraphCapture*> of;

 private:
  CUresult refuse() {
    const std::lock_guard lock(Graphs::get().lock);
    for (GraphCapture* const capture : of) capture->spoil(CUDA_SUCCESS);
    return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  }
};

namespace {

thread_local CUstreamCaptureMode mode_of_thread = CU_STREAM_CAPTURE_MODE_GLOBAL;

// Those that have begun and not ended.
std::vector<std::shared_ptr<GraphCapture>>& active() {
  static auto* const all = new std::vector<std::shared_ptr<GraphCapture>>;
  return *all;
}

// So that a call takes no lock while there is no capture.
std::atomic<int> active_count{0};

ImplicitCapture& implicit_of(Queue& legacy) {
  static auto* const all = new std::map<const Queue*, std::unique_ptr<ImplicitCapture>>;
  auto& found = (*all)[&legacy];
  if (found == nullptr) found = std::make_unique<ImplicitCapture>();
  return *found;
}

unsigned long long next_id() {
  static std::atomic<unsigned long long> next{1};
  return next++;
}

// Where a place lies in its array: captured copies name the array, as those that a program adds do.
using Origin = std::tuple<std::size_t, std::size_t, std::size_t>;  // x in bytes, y, z
Origin origin_of(const Place& place) {
  const Array* const array = Array::find(place.array);
  if (array == nullptr) return {0, 0, 0};
  const std::uint64_t offset = place.address - array->address();
  return {offset % place.pitch, offset % place.slice / place.pitch, offset / place.slice};
}

CUDA_MEMCPY3D shape_of(const CopyOperation& copy) {
  const Extent& extent = copy.extent();
  CUDA_MEMCPY3D shape{};
  const auto height = [&](const Place& place) {
    return place.pitch != 0 && place.slice != 0 ? place.slice / place.pitch : extent.height;
  };
  const auto kind = [](const Place& place) {
    return place.side == Side::Device  ? CU_MEMORYTYPE_DEVICE
           : place.side == Side::Host  ? CU_MEMORYTYPE_HOST
           : place.side == Side::Array ? CU_MEMORYTYPE_ARRAY
                                       : CU_MEMORYTYPE_UNIFIED;
  };
  const Place& from = copy.from();
  shape.srcMemoryType = kind(from);
  if (from.side == Side::Array) {
    shape.srcArray = from.array;
    std::tie(shape.srcXInBytes, shape.srcY, shape.srcZ) = origin_of(from);
  } else {
    shape.srcDevice = from.address;
    shape.srcHost = reinterpret_cast<const void*>(from.address);
    shape.srcPitch = from.pitch;
    shape.srcHeight = height(from);
  }
  const Place& to = copy.to();
  shape.dstMemoryType = kind(to);
  if (to.side == Side::Array) {
    shape.dstArray = to.array;
    std::tie(shape.dstXInBytes, shape.dstY, shape.dstZ) = origin_of(to);
  } else {
    shape.dstDevice = to.address;
    shape.dstHost = reinterpret_cast<void*>(to.address);
    shape.dstPitch = to.pitch;
    shape.dstHeight = height(to);
  }
  shape.WidthInBytes = extent.width;
  shape.Height = extent.height;
  shape.Depth = extent.depth;
  return shape;
}

// False for what there is no node for.
bool work_of_operation(const Operation& operation, Context& context, Work& work) {
  if (const auto* kernel = dynamic_cast<const KernelOperation*>(&operation)) {
    KernelWork kept;
    kept.function = find_function(kernel->launch());
    kept.context = &context;
    kept.launch = kernel->launch();
    kept.attributes.priority = kernel->launch().priority;
    if (kept.launch.explicit_cluster)
      std::copy(kept.launch.cluster.begin(), kept.launch.cluster.end(), kept.attributes.cluster);
    work = std::move(kept);
  } else if (const auto* copy = dynamic_cast<const CopyOperation*>(&operation)) {
    work = CopyWork{shape_of(*copy), &context};
  } else if (const auto* fill = dynamic_cast<const FillOperation*>(&operation)) {
    const Extent& extent = fill->extent();
    work = FillWork{{fill->to().address, fill->to().pitch, fill->value(), fill->value_size(),
                     extent.width / fill->value_size(), extent.height, context.handle()},
                    &context};
  } else if (const auto* host = dynamic_cast<const HostFunction*>(&operation)) {
    work = HostWork{{host->function(), host->data()}};
  } else if (const auto* allocate = dynamic_cast<const AllocateOperation*>(&operation)) {
    work = AllocateWork{allocate->memory};
  } else if (const auto* free = dynamic_cast<const FreeOperation*>(&operation)) {
    work = FreeWork{free->address, {}};
  } else if (const auto* words = dynamic_cast<const WordOperation*>(&operation)) {
    work = WordWork{words->said(), 0, &context};
  } else {
    return false;
  }
  return true;
}

}  // namespace

GraphCapture::GraphCapture(Queue& queue, CUstreamCaptureMode mode)
    : id_(next_id()), origin_(queue), mode_(mode), thread_(std::this_thread::get_id()) {}

CUresult GraphCapture::begin(Queue& queue, CUstreamCaptureMode mode, Graph* into,
                             const std::vector<Node*>& behind) {
  Graphs& graphs = Graphs::get();
  const std::lock_guard lock(graphs.lock);
  // Measured: beside a capture of a blocking stream it is like any other work on the legacy one.
  if (queue.kind == QueueKind::Legacy)
    return queue.capture != nullptr ? queue.capture->forbid() : CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (queue.capture != nullptr) return CUDA_ERROR_ILLEGAL_STATE;
  const std::shared_ptr<GraphCapture> capture(new GraphCapture(queue, mode));
  capture->graph_ = into != nullptr ? into->shared_from_this() : std::make_shared<Graph>();
  capture->own_graph_ = into == nullptr;
  capture->places_[&queue] = behind;
  capture->queues_.push_back(queue.shared_from_this());
  // All other memory is allocated before anything is changed.
  active().reserve(active().size() + 1);
  ImplicitCapture* implicit = nullptr;
  if (queue.kind != QueueKind::NonBlocking) {
    implicit = &implicit_of(queue.set.legacy());
    implicit->of.reserve(implicit->of.size() + 1);
  }
  if (into == nullptr) graphs.made.emplace(capture->graph_.get(), capture->graph_);
  queue.capture = capture.get();
  active().push_back(capture);
  ++active_count;
  if (implicit != nullptr) {
    implicit->of.push_back(capture.get());
    queue.set.legacy().capture = implicit;
  }
  return CUDA_SUCCESS;
}

CUresult GraphCapture::end(Queue& queue, CUgraph& graph) {
  Graphs& graphs = Graphs::get();
  const std::lock_guard lock(graphs.lock);
  // Truth capture, steps 38 and 39.
  if (&queue != &origin_) return spoil(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  // Measured: the call of the wrong thread returns an error, and the capture ends all the same.
  const bool wrong_thread = mode_ != CU_STREAM_CAPTURE_MODE_RELAXED && thread_ != std::this_thread::get_id();
  const CUresult error = wrong_thread    ? CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD
                         : !valid_       ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                         : !all_joined() ? CUDA_ERROR_STREAM_CAPTURE_UNJOINED
                                         : CUDA_SUCCESS;
  graph = error == CUDA_SUCCESS ? graph_->handle() : nullptr;
  if (error != CUDA_SUCCESS && own_graph_) drop_graph();
  let_go();
  return error == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
             ? refuse(error, "Capture was invalidated by a prior API call")
             : error;
}

// Measured: a stream that is destroyed while it captures ends the capture, and its graph is gone, also one
// that the program made and captured into. A stream that had joined only leaves what it did behind: without a
// way back to the first stream that is a branch that never returned, 904 at the end.
void GraphCapture::leave(Queue& queue) {
  const std::lock_guard lock(Graphs::get().lock);
  if (&queue == &origin_) {
    drop_graph();
    let_go();
    return;
  }
  queue.capture = nullptr;
  std::erase_if(queues_, [&queue](const auto& other) { return other.get() == &queue; });
  if (const auto place = places_.find(&queue); place != places_.end()) {
    left_behind_.push_back(std::move(place->second));
    places_.erase(place);
  }
}

void GraphCapture::drop_graph() {
  Graphs::get().made.erase(graph_.get());
}

void GraphCapture::let_go() {
  const std::shared_ptr<GraphCapture> self = shared_from_this();
  for (const auto& queue : queues_) queue->capture = nullptr;
  if (origin_.kind != QueueKind::NonBlocking) {
    Queue& legacy = origin_.set.legacy();
    ImplicitCapture& implicit = implicit_of(legacy);
    std::erase(implicit.of, this);
    if (implicit.of.empty()) legacy.capture = nullptr;
  }
  std::erase(active(), self);
  --active_count;
  over_ = true;
  graph_ = nullptr;
  queues_.clear();
  places_.clear();
  left_behind_.clear();
  events_.clear();
}

// Whether every stream's last node comes before the first stream's position.
bool GraphCapture::all_joined() const {
  std::set<const Node*> reached;
  std::vector<const Node*> open;
  for (const Node* const node : places_.at(&origin_)) open.push_back(node);
  while (!open.empty()) {
    const Node* const node = open.back();
    open.pop_back();
    if (!reached.insert(node).second) continue;
    open.insert(open.end(), node->dependencies.begin(), node->dependencies.end());
  }
  const auto joined = [&](const std::vector<Node*>& place) {
    return std::all_of(place.begin(), place.end(), [&](const Node* node) { return reached.contains(node); });
  };
  return std::all_of(left_behind_.begin(), left_behind_.end(), joined) &&
         std::all_of(places_.begin(), places_.end(), [&](const auto& place) { return joined(place.second); });
}

CUresult GraphCapture::spoil(CUresult error) {
  valid_ = false;
  return error;
}

CUresult GraphCapture::add(Queue& queue, std::shared_ptr<Operation> operation) {
  const std::lock_guard lock(Graphs::get().lock);
  if (!valid_ || over_) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  Work work;
  if (!work_of_operation(*operation, queue.home, work)) return forbid();
  // A kernel of a green context's stream says so (truth green_capture, step 17).
  if (auto* const kernel = std::get_if<KernelWork>(&work)) kernel->context = &queue.set.owner();
  if (auto* const freed = std::get_if<FreeWork>(&work); freed != nullptr && !graph_->prepare_free(*freed)) {
    return CUDA_ERROR_INVALID_VALUE;  // the capture goes on: measured
  }
  return add_node(queue, std::move(work));
}

CUresult GraphCapture::add_node(Queue& queue, Work work) {
  std::vector<Node*>& place = places_[&queue];
  place.reserve(1);
  Node& node = graph_->add(std::move(work), place);
  place.clear();
  place.push_back(&node);
  return CUDA_SUCCESS;
}

CUresult GraphCapture::record_external(Queue& queue, Event& event) {
  const std::lock_guard lock(Graphs::get().lock);
  if (!valid_ || over_) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  return add_node(queue, RecordWork{event.handle()});
}

CUresult GraphCapture::wait_external(Queue& queue, Event& event) {
  const std::lock_guard lock(Graphs::get().lock);
  if (!valid_ || over_) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  return add_node(queue, WaitWork{event.handle()});
}

CUresult GraphCapture::record(Queue& queue, Event& event) {
  const std::lock_guard lock(Graphs::get().lock);
  if (!valid_ || over_) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  events_[&event] = places_[&queue];
  event.record_in(shared_from_this());
  return CUDA_SUCCESS;
}

CUresult GraphCapture::wait(Queue& queue, Event& event) {
  const std::lock_guard lock(Graphs::get().lock);
  // Measured: a capture that waits for an event of one that is over is broken by it.
  if (over_) {
    if (queue.capture != nullptr) queue.capture->forbid();
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (!valid_) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (queue.kind == QueueKind::Legacy) return spoil(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  if (queue.capture != nullptr && queue.capture != this) {
    queue.capture->forbid();
    return spoil(CUDA_ERROR_STREAM_CAPTURE_MERGE);
  }
  if (queue.capture == nullptr) {
    queues_.push_back(queue.shared_from_this());
    queue.capture = this;
  }
  std::vector<Node*>& place = places_[&queue];
  for (Node* const node : events_[&event]) {
    if (std::find(place.begin(), place.end(), node) == place.end()) place.push_back(node);
  }
  return CUDA_SUCCESS;
}

const std::vector<CUgraphNode>& GraphCapture::handles_of(const Queue& queue) {
  handles_.clear();
  for (Node* const node : places_[&queue]) handles_.push_back(node->handle());
  edges_.assign(handles_.size(), CUgraphEdgeData{});
  return handles_;
}

bool is_captured_into(const Graph& graph) {
  return std::any_of(active().begin(), active().end(),
                     [&graph](const auto& capture) { return capture->graph_.get() == &graph; });
}

bool captures_are_active() {
  return active_count.load(std::memory_order_relaxed) != 0;
}

CUstreamCaptureMode exchange_capture_mode(CUstreamCaptureMode mode) {
  return std::exchange(mode_of_thread, mode);
}

CUresult unsafe_call() {
  if (!captures_are_active()) return CUDA_SUCCESS;
  if (mode_of_thread == CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_SUCCESS;
  const std::lock_guard lock(Graphs::get().lock);
  CUresult result = CUDA_SUCCESS;
  for (const std::shared_ptr<GraphCapture>& capture : active()) {
    const bool own = capture->thread_ == std::this_thread::get_id();
    const bool forbids =
        (own && capture->mode_ != CU_STREAM_CAPTURE_MODE_RELAXED) ||
        (mode_of_thread == CU_STREAM_CAPTURE_MODE_GLOBAL && capture->mode_ == CU_STREAM_CAPTURE_MODE_GLOBAL);
    if (forbids) result = capture->spoil(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  }
  return result;
}

CUresult wait_spoils_captures(const Context& context) {
  if (!captures_are_active()) return CUDA_SUCCESS;
  const std::lock_guard lock(Graphs::get().lock);
  CUresult result = CUDA_SUCCESS;
  for (const std::shared_ptr<GraphCapture>& capture : active()) {
    const bool here = std::any_of(capture->queues_.begin(), capture->queues_.end(),
                                  [&](const auto& queue) { return &queue->set == &context.streams(); });
    if (here) result = capture->spoil(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  }
  return result;
}

}  // namespace driver
