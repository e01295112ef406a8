// SPDX-License-Identifier: MIT
// See operation.hpp: Completion, which waits for another thread's work or for a kernel in a runner.
#include "core/operation.hpp"

#include <algorithm>

#include <chrono>

#include "core/runner.hpp"

namespace driver {

std::shared_ptr<Completion> Operation::completion() {
  return std::make_shared<Completion>();
}

std::shared_ptr<Completion> Completion::now() {
  auto completion = std::make_shared<Completion>();
  completion->finish();
  return completion;
}

bool Completion::done() {
  const int state = state_.load(std::memory_order_acquire);
  if (state == Done) return true;
  if (state == Waiting || !runner_->finished(ticket_)) return false;
  finish();
  return true;
}

void Completion::wait() {
  int state = state_.load(std::memory_order_acquire);
  while (state == Waiting) {
    state_.wait(Waiting, std::memory_order_acquire);
    state = state_.load(std::memory_order_acquire);
  }
  if (state == Done) return;
  runner_->wait(ticket_);
  finish();
}

const Runner* Completion::runner(std::uint64_t& ticket) const {
  if (state_.load(std::memory_order_acquire) != Running) return nullptr;
  ticket = ticket_;
  return runner_.get();
}

void Completion::running(Started started) {
  runner_ = std::move(started.runner);
  ticket_ = started.ticket;
  state_.store(Running, std::memory_order_release);
  state_.notify_all();
}

void Completion::finish() {
  // Several may find out at the same time that a kernel is over; the first one's clock counts.
  std::int64_t unset = 0;
  time_.compare_exchange_strong(unset, std::chrono::steady_clock::now().time_since_epoch().count());
  state_.store(Done, std::memory_order_release);
  state_.notify_all();
}

namespace {

class AllOf : public Completion {
 public:
  explicit AllOf(Completions parts) : parts_(std::move(parts)) {}
  bool done() override {
    return std::all_of(parts_.begin(), parts_.end(),
                       [](const CompletionPointer& part) { return part->done(); });
  }
  void wait() override { wait_for(parts_); }

 private:
  const Completions parts_;
};

}  // namespace

CompletionPointer all_of(Completions completions) {
  return completions.empty() ? nullptr : std::make_shared<AllOf>(std::move(completions));
}

void wait_for(const Completions& completions) {
  for (const CompletionPointer& completion : completions) completion->wait();
}

}  // namespace driver
