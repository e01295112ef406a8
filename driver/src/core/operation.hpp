// SPDX-License-Identifier: MIT
// The work of a stream: an operation, and the completion by which others wait for it.
//
// An operation is separate from the stream in which it runs, so that a graph can keep the same operation and
// start it at each launch. Does not depend on streams, entry points and the driver's tables: addresses are
// resolved and arguments are checked before an operation is made.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/api.hpp"

namespace driver {

class Completion;
class Runner;

// What start() left running: nothing, or a kernel by its ticket in a runner.
struct Started {
  CUresult error = CUDA_SUCCESS;
  std::shared_ptr<Runner> runner;
  std::uint64_t ticket = 0;
};

// Instant: so short that the calling thread does it if nothing is before it; a launch is one, because it is
// only posted. Heavy: worth a thread (a large copy). HostCode: the program's own code, never run by the
// thread that enqueues it, because that thread may hold a lock for which the code waits.
enum class Weight { Instant, Heavy, HostCode };

class Operation {
 public:
  virtual ~Operation() = default;
  // Does the work or sets it going. Everything before it has finished. The calling thread may hold Driver's
  // lock (shared) and the order of its context; a stream's thread holds nothing. So: no exclusive lock, no
  // waiting for other work.
  virtual Started start() = 0;
  // Instead of start(), while the kernel with this ticket in the same runner still runs: a kernel can be
  // posted after another without waiting.
  virtual bool can_follow(const Runner&) const { return false; }
  virtual Started follow(std::uint64_t) { return start(); }
  // Instead of start() after a kernel has failed: the work after it is dropped.
  virtual void skip(CUresult) {}
  virtual Weight weight() const { return Weight::Instant; }
  // What is finished after start() or skip(), if the operation was not started at once.
  virtual std::shared_ptr<Completion> completion();
};

// A moment in the order of a stream, and nothing else.
class NoOperation : public Operation {
 public:
  Started start() override { return {}; }
};

class Completion {
 public:
  Completion() = default;
  virtual ~Completion() = default;
  explicit Completion(Started started)
      : runner_(std::move(started.runner)), ticket_(started.ticket), state_(Running) {}
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;

  // Already done: the completion of an event in an idle stream.
  static std::shared_ptr<Completion> now();

  // Whether the work is over, for a call of the program: if the work has failed, its error is the driver's
  // sticky error from now on.
  bool done();
  // The same without finding out about errors, for what no program can see.
  virtual bool over();
  // No lock of other code may be held. Finds out about errors as done() does.
  virtual void wait();
  // The kernel that the operation consists of has been posted.
  void running(Started started);
  virtual void finish();
  // The same with the error of the work, which is found out by who looks.
  void finish_with(CUresult error);
  // The runner and the ticket of a posted kernel; null for anything else.
  const Runner* runner(std::uint64_t& ticket) const;
  // When it finished, by the steady clock; 0 for a kernel that was not waited for yet.
  virtual std::int64_t time() const { return time_.load(std::memory_order_acquire); }

 protected:
  // For work that is over.
  virtual void find_error();

 private:
  enum State : int { Waiting, Running, Done };

  std::shared_ptr<Runner> runner_;
  std::uint64_t ticket_ = 0;
  CUresult error_ = CUDA_SUCCESS;  // written before the state is Done
  std::atomic<std::int64_t> time_{0};
  std::atomic<int> state_{Waiting};
};

using CompletionPointer = std::shared_ptr<Completion>;
using Completions = std::vector<CompletionPointer>;

void wait_for(const Completions& completions);

// One completion for several, which is done as soon as all of them are: no thread has to notice it. Null when
// there are none.
CompletionPointer all_of(const Completions& completions);

}  // namespace driver
