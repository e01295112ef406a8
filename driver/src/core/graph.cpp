// SPDX-License-Identifier: MIT
// See graph.hpp: the structure of graphs, clones and executables, and the order in which nodes may run.
#include "core/graph.hpp"

#include <algorithm>
#include <atomic>

#include "core/driver.hpp"
#include "core/pool.hpp"
#include "core/stream.hpp"
#include "core/user_object.hpp"

namespace driver {
namespace {

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> next{1};
  return next++;
}

constexpr CUgraphNodeType kTypes[] = {CU_GRAPH_NODE_TYPE_EMPTY,
                                      CU_GRAPH_NODE_TYPE_KERNEL,
                                      CU_GRAPH_NODE_TYPE_MEMCPY,
                                      CU_GRAPH_NODE_TYPE_MEMSET,
                                      CU_GRAPH_NODE_TYPE_HOST,
                                      CU_GRAPH_NODE_TYPE_GRAPH,
                                      CU_GRAPH_NODE_TYPE_EVENT_RECORD,
                                      CU_GRAPH_NODE_TYPE_WAIT_EVENT,
                                      CU_GRAPH_NODE_TYPE_MEM_ALLOC,
                                      CU_GRAPH_NODE_TYPE_MEM_FREE,
                                      CU_GRAPH_NODE_TYPE_BATCH_MEM_OP,
                                      CU_GRAPH_NODE_TYPE_CONDITIONAL,
                                      CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL,
                                      CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT};
static_assert(std::size(kTypes) == std::variant_size_v<Work>);

Work copy_of(const Work& work) {
  if (const auto* child = std::get_if<ChildWork>(&work)) return ChildWork{child->graph->clone()};
  if (const auto* choice = std::get_if<ConditionalWork>(&work))
    return ConditionalWork{choice->conditional->clone()};
  return work;
}

}  // namespace

GraphMemory::GraphMemory(const CUDA_MEM_ALLOC_NODE_PARAMS& parameters) : parameters_(parameters) {
  if (parameters.accessDescs != nullptr)
    access_.assign(parameters.accessDescs, parameters.accessDescs + parameters.accessDescCount);
  parameters_.accessDescs = access_.empty() ? nullptr : access_.data();
  parameters_.accessDescCount = access_.size();
}

// What is done until now may still use it.
GraphMemory::~GraphMemory() {
  if (!exists()) return;
  Graphs::get().memories.erase(parameters_.dptr);
  if (awake()) return;
  Memory& memory = Driver::get().memory();
  Context& owner = *memory.find_even_dormant(parameters_.dptr)->owner;
  try {
    CompletionPointer moment = all_of(owner.streams().unfinished());
    Pool& pool = Pools::get().default_of(owner.device());
    pool.take_back(memory.detach(parameters_.dptr), std::move(moment));
  } catch (const std::bad_alloc&) {
    return;  // when it may be given back cannot be noted; it goes with its context
  }
}

std::shared_ptr<GraphMemory> GraphMemory::find(CUdeviceptr address) {
  const auto& memories = Graphs::get().memories;
  const auto found = memories.find(address);
  return found != memories.end() ? found->second.lock() : nullptr;
}

CUresult GraphMemory::allocate(const std::shared_ptr<GraphMemory>& made, Context& owner,
                               std::uint64_t guests) {
  Memory& memory = Driver::get().memory();
  CUDA_MEM_ALLOC_NODE_PARAMS& parameters = made->parameters_;
  // Like a pool's of its own, where other devices may use it.
  std::shared_ptr<PoolUse> alone;
  if (guests != 0) alone = std::make_shared<PoolUse>(), alone->guests = guests;
  if (const CUresult error = memory.allocate_device(owner, parameters.bytesize, parameters.dptr, alone)) {
    return error;
  }
  Allocation& allocation = *memory.find(parameters.dptr);
  if (alone != nullptr) alone->used = allocation.units();
  allocation.pool_use = std::move(alone);
  allocation.of_graph = allocation.dormant = true;
  made->buffer_id_ = allocation.buffer_id;
  const std::lock_guard lock(Graphs::get().lock);
  Graphs::get().memories[parameters.dptr] = made;
  return CUDA_SUCCESS;
}

void GraphMemory::set_awake(bool awake) {
  Driver::get().memory().find_even_dormant(parameters_.dptr)->dormant = !awake;
}

bool GraphMemory::awake() const {
  return exists() && Driver::get().memory().find(parameters_.dptr) != nullptr;
}

bool GraphMemory::exists() const {
  const Allocation* const allocation =
      parameters_.dptr != 0 ? Driver::get().memory().find_even_dormant(parameters_.dptr) : nullptr;
  return allocation != nullptr && allocation->buffer_id == buffer_id_;
}

std::string WordWork::difference_from(const WordWork& other) const {
  const std::string what = "Batch memory operation ";
  if (said.size() != other.said.size()) return what + "count cannot change";
  for (std::size_t i = 0; i < said.size(); ++i) {
    if (said[i].operation != other.said[i].operation)
      return "Index " + std::to_string(i) + ": " + what + "type cannot change";
  }
  return context == other.context ? std::string() : what + "context cannot change";
}

void GraphMemoryUse::grow(std::uint64_t needed) {
  constexpr std::uint64_t kUnit = std::uint64_t{32} << 20;
  taken = std::max(taken, (needed + kUnit - 1) / kUnit * kUnit);
  used_high = std::max(used_high, taken);
  reserved_high = std::max(reserved_high, taken);
}

Node::Node(Graph& home, Work what) : graph(home), work(std::move(what)), number(next_number()) {
  Graphs::get().nodes.insert(this);
}

Node::~Node() {
  Graphs::get().nodes.erase(this);
}

CUgraphNodeType Node::type() const {
  return kTypes[work.index()];
}

Graph::Graph() {
  Graphs::get().graphs.insert(this);
}

Graph::~Graph() {
  Graphs::get().graphs.erase(this);
  for (const auto& [object, count] : user_objects) release_user_object(object, count);
}

Node& Graph::add(Work work, const std::vector<Node*>& behind) {
  Node& node = *nodes_.emplace_back(std::make_unique<Node>(*this, std::move(work)));
  node.place_ = std::prev(nodes_.end());
  try {
    note_memory(node);
    for (Node* const before : behind) connect(*before, node);
  } catch (const std::bad_alloc&) {
    remove(node);
    throw;
  }
  if (auto* const freed = std::get_if<FreeWork>(&node.work)) {
    GraphMemory& memory = *freed->memory;
    (allocated_.contains(&memory) ? memory.freed_by_own_graph : memory.freed_by_other_graph) = true;
  }
  return node;
}

void Graph::note_memory(const Node& node) {
  if (const auto* made = std::get_if<AllocateWork>(&node.work)) allocated_.insert(made->memory.get());
  if (const auto* freed = std::get_if<FreeWork>(&node.work)) freed_.insert(freed->memory.get());
}

void Graph::remove(Node& node) {
  for (Node* const before : node.dependencies) before->dependents.remove(&node);
  for (Node* const behind : node.dependents) behind->dependencies.remove(&node);
  if (const auto* made = std::get_if<AllocateWork>(&node.work)) allocated_.erase(made->memory.get());
  if (const auto* freed = std::get_if<FreeWork>(&node.work)) freed_.erase(freed->memory.get());
  nodes_.erase(node.place_);
}

// Looked for on the side that has fewer edges.
bool Graph::is_edge(const Node& from, const Node& to) {
  return from.dependents.size() < to.dependencies.size() ? from.dependents.contains(&to)
                                                         : to.dependencies.contains(&from);
}

bool Graph::connect(Node& from, Node& to) {
  if (is_edge(from, to)) return false;
  to.dependencies.add(&from);
  try {
    from.dependents.add(&to);
  } catch (const std::bad_alloc&) {
    to.dependencies.remove(&from);
    throw;
  }
  return true;
}

bool Graph::disconnect(Node& from, Node& to) {
  if (!is_edge(from, to)) return false;
  to.dependencies.remove(&from);
  from.dependents.remove(&to);
  return true;
}

bool Graph::prepare_free(FreeWork& free) const {
  free.memory = GraphMemory::find(free.address);
  if (free.memory == nullptr || free.memory->freed_by_own_graph) return false;
  const bool own = allocated_.contains(free.memory.get());
  return own ? !instantiated && !free.memory->freed_by_other_graph : !freed_.contains(free.memory.get());
}

bool Graph::has_conditionals() const {
  return std::any_of(nodes_.begin(), nodes_.end(),
                     [](const auto& node) { return std::holds_alternative<ConditionalWork>(node->work); });
}

std::shared_ptr<Graph> Graph::clone() const {
  auto copy = std::make_shared<Graph>();
  std::map<const Node*, Node*> counterparts;
  for (const auto& node : nodes_) {
    Node& made = copy->add(copy_of(node->work), {});
    made.original = node->number;
    made.enabled = node->enabled;
    counterparts[node.get()] = &made;
  }
  for (const auto& node : nodes_) {
    for (const Node* const before : node->dependencies)
      connect(*counterparts[before], *counterparts[node.get()]);
  }
  for (const auto& [object, count] : user_objects) {
    copy->user_objects[object] += count;
    retain_user_object(object, count);
  }
  return copy;
}

Node* Graph::find_copy(std::uint64_t number) const {
  for (const auto& node : nodes_) {
    if (node->original == number) return node.get();
    if (const auto* child = std::get_if<ChildWork>(&node->work)) {
      if (Node* const inside = child->graph->find_copy(number)) return inside;
    }
    if (const auto* choice = std::get_if<ConditionalWork>(&node->work)) {
      for (const auto& body : choice->conditional->bodies) {
        if (Node* const inside = body->find_copy(number)) return inside;
      }
    }
  }
  return nullptr;
}

bool Graph::plan(std::vector<PlannedStep>& steps, const std::vector<std::size_t>& behind) const {
  std::map<const Node*, std::size_t> missing;  // dependencies that have no step yet
  std::map<const Node*, std::size_t> ends;     // the step with which a node is over
  std::vector<const Node*> ready;
  for (const auto& node : nodes_) {
    missing[node.get()] = node->dependencies.size();
    if (node->dependencies.empty()) ready.push_back(node.get());
  }
  for (std::size_t at = 0; at < ready.size(); ++at) {
    const Node& node = *ready[at];
    std::vector<std::size_t> after = behind;
    for (const Node* const before : node.dependencies) after.push_back(ends[before]);
    const auto* const child = std::get_if<ChildWork>(&node.work);
    steps.push_back({child == nullptr ? &node : nullptr, std::move(after)});
    if (child != nullptr) {
      const std::size_t first = steps.size() - 1;
      if (!child->graph->plan(steps, {first})) return false;
      PlannedStep end;
      for (std::size_t step = first; step < steps.size(); ++step) end.after.push_back(step);
      steps.push_back(std::move(end));
    }
    if (const auto* choice = std::get_if<ConditionalWork>(&node.work)) {
      std::vector<PlannedStep> inside;
      for (const auto& body : choice->conditional->bodies) {
        if (!body->plan(inside)) return false;
      }
    }
    ends[&node] = steps.size() - 1;
    for (const Node* const next : node.dependents) {
      if (--missing[next] == 0) ready.push_back(next);
    }
  }
  return ready.size() == nodes_.size();
}

// The nodes in an order in which they could run, which does not depend on when they were made.
std::vector<Node*> Graph::in_order() const {
  std::map<const Node*, std::size_t> missing;
  std::vector<Node*> order;
  for (const auto& node : nodes_) {
    missing[node.get()] = node->dependencies.size();
    if (node->dependencies.empty()) order.push_back(node.get());
  }
  for (std::size_t at = 0; at < order.size(); ++at) {
    for (Node* const next : order[at]->dependents) {
      if (--missing[next] == 0) order.push_back(next);
    }
  }
  return order;
}

// Measured, all of it (truth exec_updates): an update may change functions, values, addresses and sizes, but
// neither the number of dimensions nor the kind of memory, nor what kernels are launched as.
CUgraphExecUpdateResult Graph::can_take_over(const Node& mine, const Node& theirs) {
  if (const auto* const kernel = std::get_if<KernelWork>(&theirs.work)) {
    const auto& old = std::get<KernelWork>(mine.work);
    if (old.context != kernel->context) return CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE;
    return old.launch.cooperative == kernel->launch.cooperative
               ? CU_GRAPH_EXEC_UPDATE_SUCCESS
               : CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED;
  }
  if (const auto* const fill = std::get_if<FillWork>(&theirs.work)) {
    return can_replace(std::get<FillWork>(mine.work), *fill) ? CU_GRAPH_EXEC_UPDATE_SUCCESS
                                                             : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
  }
  if (const auto* const copy = std::get_if<CopyWork>(&theirs.work)) {
    const CUDA_MEMCPY3D& now = copy->shape;
    const CUDA_MEMCPY3D& old = std::get<CopyWork>(mine.work).shape;
    const bool same = (old.Height > 1) == (now.Height > 1) && (old.Depth > 1) == (now.Depth > 1) &&
                      old.srcMemoryType == now.srcMemoryType && old.dstMemoryType == now.dstMemoryType;
    return same ? CU_GRAPH_EXEC_UPDATE_SUCCESS : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
  }
  if (const auto* const made = std::get_if<AllocateWork>(&theirs.work)) {
    const auto& old = std::get<AllocateWork>(mine.work).memory;
    const bool can = old == made->memory || (old->freed_by_own_graph && made->memory->freed_by_own_graph);
    return can ? CU_GRAPH_EXEC_UPDATE_SUCCESS : CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED;
  }
  if (const auto* const words = std::get_if<WordWork>(&theirs.work)) {
    return words->difference_from(std::get<WordWork>(mine.work)).empty()
               ? CU_GRAPH_EXEC_UPDATE_SUCCESS
               : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
  }
  if (const auto* const choice = std::get_if<ConditionalWork>(&theirs.work)) {
    const Conditional& old = *std::get<ConditionalWork>(mine.work).conditional;
    const bool same =
        old.type == choice->conditional->type && old.bodies.size() == choice->conditional->bodies.size();
    return same ? CU_GRAPH_EXEC_UPDATE_SUCCESS : CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED;
  }
  return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

CUgraphExecUpdateResult Graph::take_over(const Graph& other, CUgraphNode& culprit) {
  culprit = nullptr;
  if (nodes_.size() != other.nodes_.size()) return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
  const std::vector<Node*> own = in_order();
  const std::vector<Node*> theirs_in_order = other.in_order();
  if (own.size() != theirs_in_order.size()) return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
  std::map<const Node*, const Node*> counterpart;
  for (std::size_t at = 0; at < own.size(); ++at) counterpart.emplace(theirs_in_order[at], own[at]);
  for (std::size_t at = 0; at < own.size(); ++at) {
    Node& mine = *own[at];
    Node& theirs = *theirs_in_order[at];
    culprit = theirs.handle();
    if (mine.type() != theirs.type()) return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
    if (mine.dependencies.size() != theirs.dependencies.size())
      return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    for (const Node* before : theirs.dependencies) {
      if (!mine.dependencies.contains(counterpart.at(before)))
        return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    }
    const CUgraphExecUpdateResult can = can_take_over(mine, theirs);
    if (can != CU_GRAPH_EXEC_UPDATE_SUCCESS) return can;
    if (const auto* child = std::get_if<ChildWork>(&mine.work)) {
      const auto result = child->graph->take_over(*std::get<ChildWork>(theirs.work).graph, culprit);
      if (result != CU_GRAPH_EXEC_UPDATE_SUCCESS) return result;
    }
    if (const auto* choice = std::get_if<ConditionalWork>(&mine.work)) {
      const Conditional& fresh = *std::get<ConditionalWork>(theirs.work).conditional;
      for (std::size_t body = 0; body < fresh.bodies.size(); ++body) {
        const auto result = choice->conditional->bodies[body]->take_over(*fresh.bodies[body], culprit);
        if (result != CU_GRAPH_EXEC_UPDATE_SUCCESS) return result;
      }
      choice->conditional->value = fresh.value;
    }
  }
  for (std::size_t at = 0; at < own.size(); ++at) {
    const Work& work = own[at]->work;
    if (!std::holds_alternative<ChildWork>(work) && !std::holds_alternative<ConditionalWork>(work))
      own[at]->work = theirs_in_order[at]->work;
  }
  culprit = nullptr;
  return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

bool can_replace(const FillWork& before, const FillWork& after) {
  return (before.shape.height > 1) == (after.shape.height > 1);
}

Executable::Executable(std::shared_ptr<Graph> copy, const Graph& pattern_of_copy,
                       std::uint64_t instantiation_flags)
    : graph(std::move(copy)),
      pattern(pattern_of_copy.weak_from_this()),
      flags(instantiation_flags),
      has_memory(graph->has_memory()) {}

Executable::~Executable() = default;

Graphs& Graphs::get() {
  static auto* const all = new Graphs;  // leaked: threads may be in a call at the end of the process
  return *all;
}

Graph* Graphs::graph(CUgraph handle) const {
  auto* const graph = reinterpret_cast<Graph*>(handle);
  return graphs.contains(graph) ? graph : nullptr;
}

Node* Graphs::node(CUgraphNode handle) const {
  auto* const node = reinterpret_cast<Node*>(handle);
  return nodes.contains(node) ? node : nullptr;
}

Executable* Graphs::executable(CUgraphExec handle) const {
  auto* const executable = reinterpret_cast<Executable*>(handle);
  return executables.contains(executable) ? executable : nullptr;
}

}  // namespace driver
