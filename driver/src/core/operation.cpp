// SPDX-License-Identifier: MIT
// See operation.hpp: Completion, which waits for another thread's work or for a kernel in a runner.
#include "core/operation.hpp"

#include <algorithm>

#include <chrono>

#include "core/driver.hpp"
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
  if (!over()) return false;
  find_error();
  return true;
}

void Completion::find_error() {
  if (error_ != CUDA_SUCCESS) Driver::get().note_error(error_);
}

bool Completion::over() {
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
  if (state == Running) {
    runner_->wait(ticket_);
    finish();
  }
  find_error();
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

void Completion::finish_with(CUresult error) {
  error_ = error;
  finish();
}

namespace {

class AllOf : public Completion {
 public:
  explicit AllOf(Completions parts) : parts_(std::move(parts)) {
    for (const CompletionPointer& part : parts_) depth_ = std::max(depth_, depth_of(part) + 1);
  }
  bool over() override {
    if (known_over_.load(std::memory_order_acquire)) return true;
    if (!std::all_of(parts_.begin(), parts_.end(),
                     [](const CompletionPointer& part) { return part->over(); }))
      return false;
    known_over_.store(true, std::memory_order_release);
    return true;
  }
  void wait() override { wait_for(parts_); }
  std::int64_t time() const override {
    std::int64_t last = 0;
    for (const CompletionPointer& part : parts_) last = std::max(last, part->time());
    return last;
  }

  static unsigned depth_of(const CompletionPointer& completion) {
    const auto* const several = dynamic_cast<const AllOf*>(completion.get());
    return several != nullptr ? several->depth_ : 0;
  }
  static void add_parts(const CompletionPointer& completion, Completions& parts) {
    if (const auto* const several = dynamic_cast<const AllOf*>(completion.get()))
      parts.insert(parts.end(), several->parts_.begin(), several->parts_.end());
    else
      parts.push_back(completion);
  }

 protected:
  void find_error() override {
    if (looked_.exchange(true)) return;
    for (const CompletionPointer& part : parts_) part->done();
  }

 private:
  const Completions parts_;
  unsigned depth_ = 0;
  std::atomic<bool> known_over_{false};
  std::atomic<bool> looked_{false};
};

}  // namespace

// A stream that waits for one event after another would have a chain of them, as deep as there are events. So
// they become trees, of which no two have the same depth: each is twice as large as the next one at least.
CompletionPointer all_of(const Completions& completions) {
  if (completions.empty()) return nullptr;
  Completions parts, trees;
  for (const CompletionPointer& completion : completions) AllOf::add_parts(completion, parts);
  std::stable_sort(parts.begin(), parts.end(),
                   [](const CompletionPointer& one, const CompletionPointer& other) {
                     return AllOf::depth_of(one) > AllOf::depth_of(other);
                   });
  for (CompletionPointer& part : parts) {
    trees.push_back(std::move(part));
    while (trees.size() > 1 && AllOf::depth_of(trees.back()) == AllOf::depth_of(trees[trees.size() - 2])) {
      CompletionPointer two = std::make_shared<AllOf>(Completions{trees[trees.size() - 2], trees.back()});
      trees.pop_back();
      trees.back() = std::move(two);
    }
  }
  return std::make_shared<AllOf>(std::move(trees));
}

void wait_for(const Completions& completions) {
  for (const CompletionPointer& completion : completions) completion->wait();
}

}  // namespace driver
