// SPDX-License-Identifier: MIT
// Graphs: nodes that say what to do, edges that say in which order, and executables, which are copies.
//
// A node keeps what the program passed (a function and its arguments, a box to copy), not what follows from
// it (a process, a place in memory), because a graph outlives both: everything is looked up again at each
// launch. A clone's nodes have the number of their originals. Nothing belongs to a context. All of it is
// guarded by one lock, taken after Driver's lock and the order of streams; nothing is enqueued while it is
// held. Does not depend on entry points.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/assured.hpp"
#include "core/conditional.hpp"
#include "core/context.hpp"
#include "core/neighbours.hpp"
#include "core/runner.hpp"

namespace driver {

class Graph;

// Memory of an allocating node. Its place is reserved from the making of the node until the last graph that
// uses it is destroyed. For the program, it exists ("awake") from a launch until it is freed, by a node or by
// cuMemFree (measured). Memory that is awake when the last graph is destroyed stays until the program frees
// it.
class GraphMemory {
 public:
  // Keeps a copy of the list of devices that may use it.
  explicit GraphMemory(const CUDA_MEM_ALLOC_NODE_PARAMS& parameters);
  ~GraphMemory();
  // Of the address of an allocating node; null for any other.
  static std::shared_ptr<GraphMemory> find(CUdeviceptr address);
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  // With Driver's lock, exclusive.
  // `guests`: the devices besides the owner's that may use it, as bits by ordinal.
  static CUresult allocate(const std::shared_ptr<GraphMemory>& memory, Context& owner,
                           std::uint64_t guests = 0);
  void set_awake(bool awake);
  bool awake() const;
  // False when its context is gone.
  bool exists() const;
  const CUDA_MEM_ALLOC_NODE_PARAMS& parameters() const { return parameters_; }

  bool freed_by_own_graph = false;    // then no other graph may
  bool freed_by_other_graph = false;  // then its own may not

 private:
  CUDA_MEM_ALLOC_NODE_PARAMS parameters_;
  std::vector<CUmemAccessDesc> access_;  // what the parameters point to
  std::uint64_t buffer_id_ = 0;
};

// The memory of a device that graphs use. Measured: launches allocate it in units of 32 MiB, and it is kept
// for the next ones, even if memory is freed or graphs are destroyed, until it is trimmed; all of it counts
// as used and as reserved.
struct GraphMemoryUse {
  // While all memory that a launch allocates exists.
  void grow(std::uint64_t needed);
  std::uint64_t taken = 0, used_high = 0, reserved_high = 0;
};

// What a launch would be given, as a node keeps it.
struct KernelAttributes {
  CUaccessPolicyWindow window{};
  int priority = 0;
  CUclusterSchedulingPolicy policy = CU_CLUSTER_SCHEDULING_POLICY_DEFAULT;
  CUlaunchMemSyncDomainMap domain_map{0, 1};
  CUlaunchMemSyncDomain domain = CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT;
  unsigned cluster[3] = {0, 0, 0};
  unsigned carveout = 0;
};

struct EmptyWork {};
struct KernelWork {
  CUfunction function = nullptr;  // as the program gave it, or found for a captured launch
  CUkernel kernel = nullptr;
  Context* context = nullptr;
  KernelLaunch launch;
  KernelAttributes attributes;
};
struct CopyWork {
  CUDA_MEMCPY3D shape{};
  Context* context = nullptr;
};
struct FillWork {
  CUDA_MEMSET_NODE_PARAMS_v2 shape{};
  Context* context = nullptr;
};
struct HostWork {
  CUDA_HOST_NODE_PARAMS parameters{};
};
struct ChildWork {
  std::shared_ptr<Graph> graph;
};
struct RecordWork {
  CUevent event = nullptr;
};
struct WaitWork {
  CUevent event = nullptr;
};
struct AllocateWork {
  std::shared_ptr<GraphMemory> memory;
};
struct FreeWork {
  CUdeviceptr address = 0;
  std::shared_ptr<GraphMemory> memory;
};
struct WordWork {
  std::vector<CUstreamBatchMemOpParams> said;
  unsigned flags = 0;
  Context* context = nullptr;
  // In what an executable keeps, the context and the kinds of the operations, as the log has it; empty
  // where there is none (truth words_node_params, steps 75 to 86).
  std::string difference_from(const WordWork& other) const;
};
// Signals or waits for semaphores of others. None can be imported here, so a launch with one is an error.
template <typename Parameters>
struct SemaphoreWork {
  std::vector<CUexternalSemaphore> semaphores;
  std::vector<Parameters> parameters;
};
using SignalSemaphoresWork = SemaphoreWork<CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS>;
using WaitSemaphoresWork = SemaphoreWork<CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS>;
struct ConditionalWork {
  std::shared_ptr<Conditional> conditional;
};

// In the order of the types below.
using Work =
    std::variant<EmptyWork, KernelWork, CopyWork, FillWork, HostWork, ChildWork, RecordWork, WaitWork,
                 AllocateWork, FreeWork, WordWork, ConditionalWork, SignalSemaphoresWork, WaitSemaphoresWork>;

class Node {
 public:
  Node(Graph& home, Work what);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  CUgraphNode handle() { return reinterpret_cast<CUgraphNode>(this); }
  CUgraphNodeType type() const;

  Graph& graph;
  Work work;
  const std::uint64_t number;  // of this node and no other
  std::uint64_t original = 0;  // of the node that this is a copy of
  bool enabled = true;
  Neighbours dependencies;
  Neighbours dependents;
  // What cuGraphKernelNodeGetParams points to.
  std::vector<void*> parameter_addresses;

 private:
  friend class Graph;
  std::list<std::unique_ptr<Node>>::iterator place_;  // among all of its graph
};

// What a node of an executable does, and what has to be done before: one line of a plan.
struct PlannedStep {
  const Node* node = nullptr;  // null where a child begins or ends
  std::vector<std::size_t> after;
};

class Graph : public std::enable_shared_from_this<Graph> {
 public:
  Graph();
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  CUgraph handle() { return reinterpret_cast<CUgraph>(this); }
  Node& add(Work work, const std::vector<Node*>& behind);
  void remove(Node& node);
  // False if the edge exists already, or does not exist.
  static bool connect(Node& from, Node& to);
  static bool disconnect(Node& from, Node& to);
  const std::list<std::unique_ptr<Node>>& nodes() const { return nodes_; }
  // Memory that a node frees must belong to a graph, and must be freed neither in this graph already nor in
  // the one that allocates it (measured). That one may free it until it is instantiated or another graph
  // has a node that frees it. Finds the memory.
  bool prepare_free(FreeWork& free) const;
  // Whether a node of it allocates or frees: such a graph has one executable at a time, and neither clones
  // nor parents.
  bool has_memory() const { return !allocated_.empty() || !freed_.empty(); }
  // Whether a node of it is conditional; such a graph has one executable at a time, too.
  bool has_conditionals() const;
  std::shared_ptr<Graph> clone() const;
  // The node that is a copy of this one, in children too; null when there is none.
  Node* find_copy(std::uint64_t number) const;
  // Every step after those on which it depends. False if there is a cycle.
  bool plan(std::vector<PlannedStep>& steps, const std::vector<std::size_t>& behind = {}) const;
  // Takes over the work of a graph of the same shape.
  CUgraphExecUpdateResult take_over(const Graph& other, CUgraphNode& culprit);

  // Handles made for it; they live as long as it does.
  std::vector<std::shared_ptr<ConditionalValue>> values;
  AssuredMap<CUuserObject, unsigned> user_objects;
  bool instantiated = false;  // ever

 private:
  static bool is_edge(const Node& from, const Node& to);
  std::vector<Node*> in_order() const;
  static CUgraphExecUpdateResult can_take_over(const Node& mine, const Node& theirs);
  void note_memory(const Node& node);

  std::list<std::unique_ptr<Node>> nodes_;
  std::set<const GraphMemory*> allocated_, freed_;  // by its nodes
};

// In an executable, a fill keeps its number of dimensions.
bool can_replace(const FillWork& before, const FillWork& after);

class Executable {
 public:
  Executable(std::shared_ptr<Graph> copy, const Graph& pattern, std::uint64_t instantiation_flags);
  ~Executable();
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;
  CUgraphExec handle() { return reinterpret_cast<CUgraphExec>(this); }

  const std::shared_ptr<Graph> graph;
  const std::weak_ptr<const Graph> pattern;
  const std::uint64_t flags;
  const bool has_memory;
};

// Every handle that is alive. Graphs that a program made are owned here, children by their nodes.
class Graphs {
 public:
  static Graphs& get();

  Graph* graph(CUgraph handle) const;
  Node* node(CUgraphNode handle) const;
  Executable* executable(CUgraphExec handle) const;

  std::recursive_mutex lock;
  AssuredMap<const Graph*, std::shared_ptr<Graph>> made;
  AssuredMap<const Executable*, std::unique_ptr<Executable>> executables;
  // What a launch was the last to know; cleared with Driver's lock, exclusive, because memory may go with it.
  AssuredList<std::shared_ptr<Graph>> retired;
  AssuredSet<const Graph*> graphs;
  AssuredSet<const Node*> nodes;
  AssuredMap<CUdeviceptr, std::weak_ptr<GraphMemory>> memories;  // by address
  AssuredMap<const Device*, GraphMemoryUse> memory_use;
};

}  // namespace driver
