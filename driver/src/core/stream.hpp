// SPDX-License-Identifier: MIT
// Streams: operations in order, and events, which are moments in that order.
//
// Every stream has a Queue of operations, which outlives the handle while work is left. A queue has no
// thread until it needs one: if there is no unfinished operation before it, a short operation is started by
// the calling thread. Otherwise a thread of the pool works on the queue until it is empty. An operation waits
// only for what was enqueued before it, so no two can wait for each other.
//
// Two locks, in this order: Driver's, held (shared or exclusive) by the thread that enqueues, and the
// context's order. Neither is held while something is waited for. A queue's thread never takes Driver's lock.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "core/context.hpp"
#include "core/operation.hpp"
#include "core/preceding_frees.hpp"
#include "core/work_times.hpp"

namespace driver {

struct Allocation;
class Event;
class Queue;
class SharedEvent;
class Stream;
class Streams;

// While a stream is being captured its operations become nodes of a graph instead of being run. Implemented
// by graphs; called with Driver's lock held.
class Capture {
 public:
  virtual ~Capture() = default;
  virtual CUresult add(Queue& queue, std::shared_ptr<Operation> operation) = 0;
  virtual CUresult record(Queue& queue, Event& event) = 0;
  // `queue` waits for an event that was recorded in this capture; it joins the capture if it is in none.
  virtual CUresult wait(Queue& queue, Event& event) = 0;
  // A call that is not allowed now (querying or waiting for a stream): the capture becomes invalid.
  virtual CUresult forbid() = 0;
  // Waiting for what was recorded outside of any capture.
  virtual CUresult forbid_isolation() = 0;
  // CU_EVENT_RECORD_EXTERNAL and CU_EVENT_WAIT_EXTERNAL: nodes that work with the event itself.
  virtual CUresult record_external(Queue& queue, Event& event) = 0;
  virtual CUresult wait_external(Queue& queue, Event& event) = 0;
  // The queue's stream was destroyed. If the capture was begun in it, the whole capture ends. Driver's lock
  // has to be held, exclusively.
  virtual void leave(Queue& queue) = 0;
  // It has ended, in any way: events that were recorded in it can be neither queried nor waited for.
  virtual bool over() const = 0;
  // Whether something has spoiled it.
  virtual bool broken() const = 0;
};

enum class QueueKind { Legacy, PerThread, Blocking, NonBlocking };

class Queue : public std::enable_shared_from_this<Queue> {
 public:
  Queue(Context& context, Streams& streams, QueueKind queue_kind)
      : home(context), set(streams), kind(queue_kind) {}

  // Adds an operation at the end, also after `after`, and starts it if nothing is before it. `completion` is
  // null if it is done already. An error is that of starting it at once. Driver's lock may be held shared, or
  // not at all by a caller that keeps the queue alive.
  CUresult enqueue(std::shared_ptr<Operation> operation, CompletionPointer* completion = nullptr,
                   Completions after = {});
  // A place in the order for work of the calling thread itself: it waits for `before`, works, and finishes
  // `turn`. If nothing is before it and it is `instant`, work() is called at once and `turn` is null.
  struct Turn {
    Completions before;
    CompletionPointer turn;
  };
  template <typename Work>
  Turn take_turn(bool instant, Work work);
  // What is enqueued from now on comes after `moment`, too, which may be another context's.
  void come_after(const CompletionPointer& moment);
  // A moment after everything that is enqueued so far; null if all that is done. `frees`: what it comes
  // after.
  CompletionPointer moment(PrecedingFrees* frees = nullptr);
  // A free of pool memory in this queue, at a moment that is not over yet; and what work that is enqueued
  // from now on comes after: the frees of this queue and, by the events that it waits for, those of others.
  void note_free(std::uint64_t number, const CompletionPointer& moment);
  void come_after(const PrecedingFrees& frees);
  bool comes_after_free(const Queue& other, std::uint64_t number) const;
  // What a synchronising call on this queue waits for. The legacy queue's includes all blocking ones'
  // (truth who_waits, step 11).
  Completions unfinished();

  Context& home;
  Streams& set;
  const QueueKind kind;
  int priority = 0;            // of its stream; guarded by Driver's lock
  Capture* capture = nullptr;  // guarded by the order
  bool is_captured() const;

 private:
  friend class Streams;
  struct Item {
    std::shared_ptr<Operation> operation;
    CompletionPointer completion;
    Completions after;
    WorkTimes::Enqueued enqueued;
  };

  bool can_follow(const Operation& operation, const Completions& all, std::uint64_t& ticket) const;
  CUresult follow(Operation& operation, std::uint64_t ticket, const WorkTimes::Enqueued& enqueued);
  void append(Item item, std::unique_lock<std::mutex>& order, bool is_moment);
  Completions before();  // with the order held
  void set_tail(const Started& started);
  void serve();
  void work_off(const Item& item);

  // Guarded by the order.
  CompletionPointer tail_;
  std::deque<Item> waiting_;
  bool served_ = false;
  unsigned following_ = 0;  // kernels posted after unfinished ones
  PrecedingFrees preceding_frees_;
  bool closed_ = false;
  bool tail_is_moment_ = false;  // the last operation is only a moment, so the next moment is the same
};

// All queues of a context and the order in which things are enqueued there. Lives as long as the context's
// handle: for ever.
class Streams {
 public:
  // Of a green context's streams the home is the primary context.
  Streams(Context& home, Context& owner);

  Context& owner() const { return owner_; }

  Queue& legacy() { return *legacy_; }
  Queue& per_thread();
  std::shared_ptr<Queue> open(QueueKind kind);
  // The handle was destroyed; enqueued work will still be done.
  void close(Queue& queue);
  // All unfinished work of this context.
  Completions unfinished();
  bool idle() { return unfinished().empty(); }
  // The context has ended; it is idle.
  void clear();
  // Those of a green context count as those of its home too, while it lives.
  void add_part(Streams& part);
  void drop_part(const Streams& part);
  // What is enqueued from now on waits for this first, in streams that are yet to be made, too.
  void wait_for_event(const CompletionPointer& recorded);

 private:
  friend class Queue;
  void prune();
  std::vector<std::shared_ptr<Queue>> open_queues();

  Context& context_;
  Context& owner_;
  std::mutex order_;
  std::shared_ptr<Queue> legacy_;
  std::vector<std::shared_ptr<Queue>> queues_;  // all but the legacy one
  std::vector<Streams*> parts_;
  CompletionPointer first_;  // what queues begin with
  std::size_t closed_ = 0;   // of them, since they were last looked through
};

class Stream : public OwnedObject {
 public:
  Stream(Context& context, unsigned flags, int priority);
  ~Stream() override;

  CUstream handle() { return reinterpret_cast<CUstream>(this); }
  // Null for an invalid handle and for the default streams.
  static Stream* find(CUstream handle);

  Context& context;  // which owns it; of a green context its own
  const unsigned flags;
  const unsigned long long id;
  const std::shared_ptr<Queue> queue;
  int& priority() const { return queue->priority; }
  // cuStreamSetAttribute: kept and returned, without effect here.
  CUaccessPolicyWindow window{};
  CUsynchronizationPolicy policy = CU_SYNC_POLICY_AUTO;
  CUlaunchMemSyncDomain domain = CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT;
  CUlaunchMemSyncDomainMap domain_map{0, 1};
};

class Event : public OwnedObject {
 public:
  // With `shared`, other processes use it too: CU_EVENT_INTERPROCESS, or opened from the handle of another
  // process.
  Event(Context& context, unsigned flags, std::shared_ptr<SharedEvent> shared = nullptr);
  ~Event() override;

  CUevent handle() { return reinterpret_cast<CUevent>(this); }
  static Event* find(CUevent handle);

  // The last record; null before the first.
  CompletionPointer recorded() const;
  void record(CompletionPointer completion, PrecedingFrees frees = {});
  // What the last record comes after.
  PrecedingFrees preceding_frees() const;
  // The capture in which it was recorded last; null for a record outside of any.
  std::shared_ptr<Capture> capture() const;
  void record_in(std::shared_ptr<Capture> capture);

  Context& context;
  const unsigned flags;
  const std::shared_ptr<SharedEvent> shared;

 private:
  mutable std::mutex lock_;
  CompletionPointer recorded_;
  PrecedingFrees preceding_frees_;
  std::shared_ptr<Capture> capture_;
  std::atomic<bool> captured_{false};  // so that the usual record and wait take no lock for it
};

// Why no stream or event has this handle: 709 when its context was destroyed, as measured on an H200, 400 for
// any other.
CUresult no_stream(CUstream handle);
CUresult no_event(CUevent handle);

inline bool is_default_stream(CUstream stream) {
  return stream == nullptr || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
}

// The queue of a handle while a call works in `current`; null for an invalid handle.
Queue* find_queue(CUstream handle, Context& current);

// In the functions for the per-thread default stream a null handle means that stream.
inline CUstream or_per_thread(CUstream handle) {
  return handle == nullptr ? CU_STREAM_PER_THREAD : handle;
}

// Waits for work, lets the pools return what they keep beyond their thresholds, and returns the result of
// every synchronising call: the sticky error. No lock may be held.
CUresult synchronise(Context& context, const Completions& work);

// What follows a launch of a kernel or a graph: with CUDA_LAUNCH_BLOCKING it waits for all that the context
// does (truth launch_blocking_order, step 10; launch_blocking_graph, step 10). No lock may be held.
CUresult after_launch(Context& context);

// Loading and unloading code, and moving a context's stacks, wait for all that the current context does
// (truth who_waits, steps 15, 16 and 20). No lock may be held.
void finish_current_work();

// What has to be done before the memory at an address may be freed: all work of its owner and of the current
// context (truth who_waits, steps 9 and 35).
Completions users_of(std::uint64_t address);
Completions users_of(const Allocation& allocation);

template <typename Work>
Queue::Turn Queue::take_turn(bool instant, Work work) {
  const std::lock_guard order(set.order_);
  Turn result{before(), nullptr};
  if (instant && result.before.empty()) {
    work();
    return result;
  }
  result.turn = std::make_shared<Completion>();
  tail_ = result.turn;
  tail_is_moment_ = false;
  return result;
}

}  // namespace driver
