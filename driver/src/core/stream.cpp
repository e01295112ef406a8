// SPDX-License-Identifier: MIT
// See stream.hpp: the order of work in queues, and which handles of streams and events are alive.
#include "core/stream.hpp"

#include <algorithm>
#include <atomic>
#include <shared_mutex>

#include "core/assured.hpp"
#include "core/call.hpp"
#include "core/capture.hpp"
#include "core/log.hpp"
#include "core/of_thread.hpp"
#include "core/pool.hpp"
#include "core/runner.hpp"
#include "core/shared_event.hpp"
#include "core/work_threads.hpp"

namespace driver {
namespace {

// Leaked, so that a thread in a call at the end of the process finds them.
AssuredSet<const void*>& streams() {
  static auto* const alive = new AssuredSet<const void*>;
  return *alive;
}

AssuredSet<const void*>& events() {
  static auto* const alive = new AssuredSet<const void*>;
  return *alive;
}

// Streams and events that went with their context. A new one at the same address takes the old one's place,
// so there are never more of them than there once were alive.
AssuredSet<const void*>& gone_with_context() {
  static auto* const gone = new AssuredSet<const void*>;
  return *gone;
}

// Needs no memory: its entry goes from the one list to the other.
void take_off(AssuredSet<const void*>& alive, const void* object, const Context& context) {
  auto entry = alive.extract(object);
  if (!context.alive()) gone_with_context().insert(std::move(entry));
}

// Kernels of one queue that are posted one after another without waiting.
constexpr unsigned kMostFollowing = 100;

// 1 and 2 are the default streams'.
unsigned long long next_stream_id() {
  static std::atomic<unsigned long long> next{3};
  return next++;
}

// The queues of one thread's per-thread default stream, one a context; closed when the thread ends.
class PerThreadQueues {
 public:
  ~PerThreadQueues() {
    std::unique_lock<std::shared_mutex> lock;
    if (captures_are_active()) lock = std::unique_lock(Driver::get().lock());
    for (const std::shared_ptr<Queue>& queue : queues_) {
      if (lock.owns_lock() && queue->capture != nullptr) queue->capture->leave(*queue);
      queue->set.close(*queue);
    }
  }
  std::vector<std::shared_ptr<Queue>> queues_;
};

CUresult start_or_skip(Operation& operation, Started& started) {
  if (const CUresult error = Driver::get().sticky_error.load(std::memory_order_acquire)) {
    operation.skip(error);
    return CUDA_SUCCESS;
  }
  started = operation.start();
  return started.error;
}

// Work that the calling thread has done, or posted to a runner.
void note_started(const WorkTimes::Enqueued& enqueued, const Started& started) {
  if (!enqueued) return;
  if (started.runner != nullptr)
    WorkTimes::get().note_kernel(enqueued, started.runner, started.ticket);
  else
    WorkTimes::get().note(enqueued, enqueued.at, WorkTimes::now());
}

// What is enqueued cannot be refused any more. The program's own code is called once, whatever it throws.
CUresult start_in_any_case(Operation& operation, Started& started) {
  if (operation.weight() == Weight::HostCode) return start_or_skip(operation, started);
  try {
    return patiently([&] { return start_or_skip(operation, started); });
  } catch (const std::bad_alloc&) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
}

}  // namespace

// What has to be over before something new in this queue: its own tail and, between the legacy queue and the
// blocking ones, the other's.
Completions Queue::before() {
  Completions result;
  const auto add = [&result](Queue& queue) {
    if (queue.tail_ == nullptr) return;
    if (queue.tail_->done())
      queue.tail_ = nullptr;
    else
      result.push_back(queue.tail_);
  };
  add(*this);
  if (kind == QueueKind::Legacy) {
    for (const std::shared_ptr<Queue>& queue : set.queues_) {
      if (queue->kind != QueueKind::NonBlocking) add(*queue);
    }
  } else if (kind != QueueKind::NonBlocking) {
    add(*set.legacy_);
  }
  return result;
}

bool Queue::is_captured() const {
  const std::lock_guard order(set.order_);
  return capture != nullptr;
}

CUresult Queue::enqueue(std::shared_ptr<Operation> operation, CompletionPointer* completion,
                        Completions after) {
  const WorkTimes::Enqueued enqueued = WorkTimes::stamp();
  std::unique_lock order(set.order_);
  if (capture != nullptr) return capture->add(*this, std::move(operation));
  Completions all = before();
  std::erase_if(after, [](const CompletionPointer& other) { return other->done(); });
  all.insert(all.end(), after.begin(), after.end());
  if (all.empty()) following_ = 0;
  if (all.empty() && operation->weight() == Weight::Instant) {
    Started started;
    if (const CUresult error = start_or_skip(*operation, started)) return error;
    note_started(enqueued, started);
    if (started.runner != nullptr) set_tail(started);
    if (completion != nullptr) *completion = tail_;
    return CUDA_SUCCESS;
  }
  std::uint64_t ticket = 0;
  if (can_follow(*operation, all, ticket)) {
    if (following_ < kMostFollowing) {
      const CUresult error = follow(*operation, ticket, enqueued);
      if (completion != nullptr) *completion = tail_;
      return error;
    }
    // As on a real machine a queue has an end. The launch waits here, so that it does not inside the runner,
    // where others would have to wait with it.
    const CompletionPointer tail = tail_;
    order.unlock();
    tail->wait();
    return enqueue(std::move(operation), completion, std::move(after));
  }
  CompletionPointer own = operation->completion();
  Item item{std::move(operation), std::move(own), std::move(all), enqueued};
  if (completion != nullptr) *completion = item.completion;
  append(std::move(item), order, false);
  return CUDA_SUCCESS;
}

void Queue::set_tail(const Started& started) {
  tail_is_moment_ = false;
  try {
    tail_ = std::make_shared<Completion>(started);
  } catch (const std::bad_alloc&) {
    // It is on its way already. What cannot be noted is waited for.
    started.runner->wait(started.ticket);
    tail_ = nullptr;
  }
}

// A kernel that comes only after a kernel of this queue needs no thread: the runner keeps the order.
bool Queue::can_follow(const Operation& operation, const Completions& all, std::uint64_t& ticket) const {
  if (all.size() != 1 || all.front() != tail_ || served_) return false;
  const Runner* const runner = tail_->runner(ticket);
  return runner != nullptr && operation.can_follow(*runner);
}

CUresult Queue::follow(Operation& operation, std::uint64_t ticket, const WorkTimes::Enqueued& enqueued) {
  Started started = operation.follow(ticket);
  const CUresult error = started.error;
  if (error == CUDA_SUCCESS) note_started(enqueued, started);
  if (started.runner != nullptr) set_tail(started);
  ++following_;
  return error;
}

void Queue::append(Item item, std::unique_lock<std::mutex>& order, bool is_moment) {
  CompletionPointer completion = item.completion;
  waiting_.push_back(std::move(item));
  if (!served_) {
    try {
      served_ = run_on_a_thread([queue = shared_from_this()] { queue->serve(); });
    } catch (const std::bad_alloc&) {
      waiting_.pop_back();
      throw;
    }
  }
  tail_is_moment_ = is_moment;
  tail_ = std::move(completion);
  if (served_) return;
  served_ = true;
  order.unlock();
  serve();
}

// In a thread of the pool, until nothing is left.
void Queue::serve() {
  while (true) {
    Item item;
    {
      const std::lock_guard order(set.order_);
      if (waiting_.empty()) {
        served_ = false;
        return;
      }
      item = std::move(waiting_.front());
      waiting_.pop_front();
    }
    work_off(item);
  }
}

void Queue::work_off(const Item& item) {
  wait_for(item.after);
  const std::uint64_t began = item.enqueued ? WorkTimes::now() : 0;
  Started started;
  const CUresult error = start_in_any_case(*item.operation, started);
  // Noted before others learn that it is done: whoever waited for it then finds its times as well.
  if (started.runner != nullptr) {
    WorkTimes::get().note_kernel(item.enqueued, started.runner, started.ticket);
    item.completion->running(std::move(started));
    item.completion->wait();
  } else {
    WorkTimes::get().note(item.enqueued, began, item.enqueued ? WorkTimes::now() : 0);
    item.completion->finish_with(error);
  }
}

void Queue::come_after(const CompletionPointer& moment) {
  const WorkTimes::Enqueued enqueued = WorkTimes::stamp();
  const std::lock_guard order(set.order_);
  if (moment->done()) return;
  if (capture != nullptr) {
    capture->forbid_isolation();
    return;
  }
  Completions all = before();
  all.push_back(moment);
  tail_ = all_of(all);
  tail_is_moment_ = false;
  WorkTimes::get().note_moment(enqueued, tail_);
}

CompletionPointer Queue::moment(PrecedingFrees* frees) {
  const WorkTimes::Enqueued enqueued = WorkTimes::stamp();
  std::unique_lock order(set.order_);
  Completions all = before();
  if (all.empty()) {
    WorkTimes::get().note(enqueued, enqueued.at, enqueued.at);
    return nullptr;
  }
  if (frees != nullptr) *frees = preceding_frees_;
  if (tail_is_moment_ && all.size() == 1 && all.front() == tail_) {
    WorkTimes::get().note_moment(enqueued, tail_);
    return tail_;
  }
  Item item{std::make_shared<NoOperation>(), std::make_shared<Completion>(), std::move(all), enqueued};
  CompletionPointer result = item.completion;
  append(std::move(item), order, true);
  return result;
}

void Queue::note_free(std::uint64_t number, const CompletionPointer& moment) {
  const std::lock_guard order(set.order_);
  preceding_frees_.add({this, number, moment});
}

// What is forgotten for want of memory only lets a pool use less of what it has.
void Queue::come_after(const PrecedingFrees& frees) {
  if (frees.empty()) return;
  try {
    const std::lock_guard order(set.order_);
    preceding_frees_.add(frees);
  } catch (const std::bad_alloc&) {
    return;
  }
}

bool Queue::comes_after_free(const Queue& other, std::uint64_t number) const {
  const std::lock_guard order(set.order_);
  return preceding_frees_.contain(other, number);
}

Completions Queue::unfinished() {
  const std::lock_guard order(set.order_);
  Completions result = before();
  // A blocking stream waits for itself only; what the legacy queue does is not its work.
  if (kind != QueueKind::Legacy) {
    std::erase_if(result, [this](const CompletionPointer& other) { return other != tail_; });
  }
  return result;
}

Streams::Streams(Context& home, Context& owner)
    : context_(home), owner_(owner), legacy_(std::make_shared<Queue>(home, *this, QueueKind::Legacy)) {}

Queue& Streams::per_thread() {
  PerThreadQueues& mine = OfThread<PerThreadQueues>::get();
  for (const std::shared_ptr<Queue>& queue : mine.queues_) {
    if (&queue->set == this && !queue->closed_) return *queue;
  }
  std::erase_if(mine.queues_, [](const std::shared_ptr<Queue>& queue) { return queue->closed_; });
  return *mine.queues_.emplace_back(open(QueueKind::PerThread));
}

std::shared_ptr<Queue> Streams::open(QueueKind kind) {
  auto queue = std::make_shared<Queue>(context_, *this, kind);
  const std::lock_guard order(order_);
  prune();
  if (first_ != nullptr && !first_->done()) queue->tail_ = first_;
  queues_.push_back(queue);
  return queue;
}

void Streams::close(Queue& queue) {
  const std::lock_guard order(order_);
  queue.closed_ = true;
  ++closed_;
  prune();
}

// Not for each queue that goes: that would be all of them every time.
void Streams::prune() {
  if (closed_ <= queues_.size() / 2) return;
  closed_ = 0;
  std::erase_if(queues_, [](const std::shared_ptr<Queue>& queue) {
    return queue->closed_ && (queue->tail_ == nullptr || queue->tail_->done());
  });
}

Completions Streams::unfinished() {
  std::unique_lock order(order_);
  Completions result = legacy_->before();
  for (const std::shared_ptr<Queue>& queue : queues_) {
    if (queue->kind == QueueKind::NonBlocking && queue->tail_ != nullptr && !queue->tail_->done()) {
      result.push_back(queue->tail_);
    }
  }
  const std::vector<Streams*> parts = parts_;
  order.unlock();
  for (Streams* const part : parts) {
    const Completions more = part->unfinished();
    result.insert(result.end(), more.begin(), more.end());
  }
  return result;
}

void Streams::add_part(Streams& part) {
  const std::lock_guard order(order_);
  parts_.push_back(&part);
}

void Streams::drop_part(const Streams& part) {
  const std::lock_guard order(order_);
  std::erase(parts_, &part);
}

void Streams::wait_for_event(const CompletionPointer& recorded) {
  std::vector<Streams*> parts;
  {
    const std::lock_guard order(order_);
    parts = parts_;
    Completions all = {recorded};
    if (first_ != nullptr && !first_->done()) all.push_back(first_);
    first_ = all_of(all);
  }
  for (const std::shared_ptr<Queue>& queue : open_queues()) queue->come_after(recorded);
  for (Streams* const part : parts) part->wait_for_event(recorded);
}

std::vector<std::shared_ptr<Queue>> Streams::open_queues() {
  const std::lock_guard order(order_);
  std::vector<std::shared_ptr<Queue>> result = {legacy_};
  for (const std::shared_ptr<Queue>& queue : queues_) {
    if (!queue->closed_) result.push_back(queue);
  }
  return result;
}

void Streams::clear() {
  std::vector<std::shared_ptr<Queue>> queues;
  {
    const std::lock_guard order(order_);
    queues.swap(queues_);
    closed_ = 0;
    for (const std::shared_ptr<Queue>& queue : queues) queue->closed_ = true;
    legacy_->tail_ = nullptr;
  }
  // Without the order: a capture that ends may give memory back, which asks what is unfinished.
  for (const std::shared_ptr<Queue>& queue : queues) {
    if (queue->capture != nullptr) queue->capture->leave(*queue);
  }
}

Stream::Stream(Context& home, unsigned stream_flags, int stream_priority)
    : context(home),
      flags(stream_flags),
      id(next_stream_id()),
      queue(home.streams().open((stream_flags & CU_STREAM_NON_BLOCKING) != 0 ? QueueKind::NonBlocking
                                                                             : QueueKind::Blocking)) {
  priority() = stream_priority;
  streams().insert(this);
  gone_with_context().erase(this);
}

Stream::~Stream() {
  take_off(streams(), this, context);
  if (queue->capture != nullptr) queue->capture->leave(*queue);
  queue->set.close(*queue);
}

Stream* Stream::find(CUstream handle) {
  auto* const stream = reinterpret_cast<Stream*>(handle);
  return streams().contains(stream) ? stream : nullptr;
}

Event::Event(Context& home, unsigned event_flags, std::shared_ptr<SharedEvent> shared_event)
    : context(home), flags(event_flags), shared(std::move(shared_event)) {
  events().insert(this);
  gone_with_context().erase(this);
}

Event::~Event() {
  take_off(events(), this, context);
}

Event* Event::find(CUevent handle) {
  auto* const event = reinterpret_cast<Event*>(handle);
  return events().contains(event) ? event : nullptr;
}

CompletionPointer Event::recorded() const {
  if (shared != nullptr) return shared->recorded();
  const std::lock_guard lock(lock_);
  return recorded_;
}

void Event::record(CompletionPointer completion, PrecedingFrees frees) {
  const std::lock_guard lock(lock_);
  recorded_ = std::move(completion);
  preceding_frees_ = std::move(frees);
}

PrecedingFrees Event::preceding_frees() const {
  const std::lock_guard lock(lock_);
  return preceding_frees_;
}

std::shared_ptr<Capture> Event::capture() const {
  if (!captured_.load(std::memory_order_acquire)) return nullptr;
  const std::lock_guard lock(lock_);
  return capture_;
}

void Event::record_in(std::shared_ptr<Capture> capture) {
  if (capture == nullptr && !captured_.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(lock_);
  captured_.store(capture != nullptr, std::memory_order_release);
  capture_ = std::move(capture);
}

CUresult no_stream(CUstream handle) {
  return gone_with_context().contains(handle) ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_HANDLE;
}

CUresult no_event(CUevent handle) {
  if (handle == nullptr) return refuse(CUDA_ERROR_INVALID_HANDLE, "Event handle is NULL");
  return gone_with_context().contains(handle) ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_HANDLE;
}

Queue* find_queue(CUstream handle, Context& current) {
  if (handle == nullptr || handle == CU_STREAM_LEGACY) return &current_of(current).streams().legacy();
  if (handle == CU_STREAM_PER_THREAD) return &current_of(current).streams().per_thread();
  const Stream* const stream = Stream::find(handle);
  return stream != nullptr ? stream->queue.get() : nullptr;
}

CUresult context_of_call(CUstream handle, Context*& context) {
  if (ContextStack::of_this_thread().top() != nullptr || is_default_stream(handle))
    return current_context(context);
  const Stream* const stream = Stream::find(handle);
  if (stream == nullptr)
    return gone_with_context().contains(handle) ? CUDA_ERROR_CONTEXT_IS_DESTROYED : current_context(context);
  context = &stream->context.home();
  return context->alive() ? Driver::get().sticky_error.load(std::memory_order_relaxed)
                          : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

void finish_current_work() {
  Completions work;
  {
    const ReadingAnywhere call;
    if (call.error) return;
    Context* const current = ContextStack::of_this_thread().top();
    if (current == nullptr || !current->alive()) return;
    work = current->home().streams().unfinished();
  }
  wait_for(work);
}

CUresult after_launch(Context& context) {
  if (!context.launches_wait.load(std::memory_order_relaxed)) return CUDA_SUCCESS;
  Completions work;
  {
    const ReadingAnywhere call;
    if (call.error || !context.alive()) return call.error;
    work = context.streams().unfinished();
  }
  return synchronise(context, work);
}

Completions users_of(std::uint64_t address) {
  const Allocation* const allocation = Driver::get().memory().find(address);
  return allocation != nullptr ? users_of(*allocation) : Completions{};
}

Completions users_of(const Allocation& allocation) {
  Completions result = allocation.owner->streams().unfinished();
  Context* const current = ContextStack::of_this_thread().top();
  if (current != nullptr && &current->home() != allocation.owner) {
    const Completions more = current->home().streams().unfinished();
    result.insert(result.end(), more.begin(), more.end());
  }
  return result;
}

CUresult synchronise(Context& context, const Completions& work) {
  wait_for(work);
  Pools::release_after_waiting();
  std::shared_ptr<Runner> runner;
  {
    const std::shared_lock lock(Driver::get().lock());
    runner = context.home().runner;
  }
  if (runner != nullptr) runner->flush_output();
  return Driver::get().sticky_error.load(std::memory_order_acquire);
}

}  // namespace driver
