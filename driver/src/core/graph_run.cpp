// SPDX-License-Identifier: MIT
// See graph_run.hpp: which steps one launch of a graph consists of, and how they are started.
#include "core/graph_run.hpp"

#include <algorithm>

#include "core/box.hpp"
#include "core/driver.hpp"
#include "core/host_function.hpp"
#include "core/kernel_operation.hpp"
#include "core/shared_event.hpp"
#include "core/word_operation.hpp"

namespace driver {
namespace {

CUresult copy_operation(const CopyWork& copy, std::shared_ptr<Operation>& work) {
  Place to;
  Place from;
  Extent extent;
  if (const CUresult error = box_of(copy.shape, to, from, extent)) return error;
  if (extent.bytes() == 0) return CUDA_SUCCESS;
  if (!resolve(to, extent, Use::Write) || !resolve(from, extent, Use::Read)) return CUDA_ERROR_INVALID_VALUE;
  work = std::make_shared<CopyOperation>(to, from, extent);
  return CUDA_SUCCESS;
}

CUresult fill_operation(const FillWork& fill, std::shared_ptr<Operation>& work) {
  const auto& shape = fill.shape;
  const Extent extent{.width = std::uint64_t{shape.width} * shape.elementSize, .height = shape.height};
  Place to{
      .side = Side::Device, .address = shape.dst, .pitch = shape.height > 1 ? shape.pitch : extent.width};
  if (!resolve(to, extent, Use::Write)) return CUDA_ERROR_INVALID_VALUE;
  work = std::make_shared<FillOperation>(to, extent, shape.value, shape.elementSize);
  return CUDA_SUCCESS;
}

// Chooses one of the graphs of a conditional node, and again as long as a loop's value is not 0.
class Choice : public Operation {
 public:
  Choice(std::shared_ptr<Conditional> made_by, std::vector<std::shared_ptr<GraphRun>> runs)
      : conditional_(std::move(made_by)), word_(conditional_->value->word()), bodies_(std::move(runs)) {}
  Started start() override {
    Started done;
    do {
      const std::size_t chosen = conditional_->chosen(std::atomic_ref(*word_).load());
      if (chosen >= bodies_.size()) break;
      const Started started = bodies_[chosen]->start();
      done.error = started.error;
      if (started.runner != nullptr) started.runner->wait(started.ticket);
    } while (conditional_->type == CU_GRAPH_COND_TYPE_WHILE && done.error == CUDA_SUCCESS &&
             Driver::get().sticky_error == CUDA_SUCCESS);
    return done;
  }
  Weight weight() const override { return Weight::HostCode; }

 private:
  const std::shared_ptr<Conditional> conditional_;
  std::uint32_t* const word_;
  const std::vector<std::shared_ptr<GraphRun>> bodies_;
};

}  // namespace

GraphRun::~GraphRun() {
  const std::lock_guard lock(Graphs::get().lock);
  if (graph_ != nullptr && graph_.use_count() == 1) Graphs::get().retired.push_back(std::move(graph_));
  graph_ = nullptr;
}

// Which memory of a graph is there before and after a launch. Measured: what a launch allocated has to be
// freed before the next one, unless the executable frees it by itself; a node frees only what is there.
class MemoryOfLaunch {
 public:
  CUresult plan(const std::vector<PlannedStep>& steps, bool frees_by_itself) {
    for (const PlannedStep& step : steps) {
      if (step.node == nullptr) continue;
      if (const auto* made = std::get_if<AllocateWork>(&step.node->work)) {
        if (!made->memory->exists()) return CUDA_ERROR_INVALID_VALUE;
        bool& there = state_of(made->memory);
        if (there && !frees_by_itself) return CUDA_ERROR_INVALID_VALUE;
        there = true;
      } else if (const auto* freed = std::get_if<FreeWork>(&step.node->work)) {
        if (!freed->memory->exists()) return CUDA_ERROR_INVALID_VALUE;
        bool& there = state_of(freed->memory);
        if (!there) return CUDA_ERROR_INVALID_VALUE;
        there = false;
      }
    }
    return CUDA_SUCCESS;
  }
  // While the work is looked up, all of it is there.
  void wake_all() {
    for (auto& [memory, states] : states_) memory->set_awake(true);
  }
  // While it is: what it takes of the devices. With the lock of the graphs.
  void count() const {
    Memory& all = Driver::get().memory();
    std::set<const Device*> devices;
    for (const auto& [memory, states] : states_)
      devices.insert(&all.find(memory->parameters().dptr)->owner->device());
    for (const Device* const device : devices)
      Graphs::get().memory_use[device].grow(all.bytes_of_graphs(*device));
  }
  void settle(CUresult looked_up) {
    for (auto& [memory, states] : states_) {
      memory->set_awake(looked_up == CUDA_SUCCESS ? states.after : states.before);
    }
  }

 private:
  struct States {
    bool before, after;
  };
  bool& state_of(const std::shared_ptr<GraphMemory>& memory) {
    const bool now = memory->awake();
    return states_.try_emplace(memory, States{now, now}).first->second.after;
  }
  std::map<std::shared_ptr<GraphMemory>, States> states_;
};

CUresult GraphRun::create(const Executable& executable, std::shared_ptr<GraphRun>& run) {
  std::vector<PlannedStep> plan;
  if (!executable.graph->plan(plan)) return CUDA_ERROR_INVALID_VALUE;
  run = std::make_shared<GraphRun>();
  run->graph_ = executable.graph;
  run->steps_.resize(plan.size());
  CUresult error = CUDA_SUCCESS;
  if (executable.has_memory) {
    MemoryOfLaunch memory;
    error = memory.plan(plan, (executable.flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0);
    if (error) return error;
    memory.wake_all();
    try {
      error = run->look_up_all(plan);
      if (error == CUDA_SUCCESS) memory.count();
    } catch (const std::bad_alloc&) {
      memory.settle(CUDA_ERROR_OUT_OF_MEMORY);
      throw;
    }
    memory.settle(error);
  } else {
    error = run->look_up_all(plan);
  }
  if (error == CUDA_SUCCESS) run->find_chain();
  return error;
}

CUresult GraphRun::look_up_all(const std::vector<PlannedStep>& plan) {
  for (std::size_t at = 0; at < plan.size(); ++at) {
    Step& step = steps_[at];
    step.after = plan[at].after;
    if (plan[at].node == nullptr || !plan[at].node->enabled) continue;
    if (const CUresult error = look_up(*plan[at].node, step)) return error;
  }
  return CUDA_SUCCESS;
}

CUresult GraphRun::look_up(const Node& node, Step& step) {
  if (const auto* kernel = std::get_if<KernelWork>(&node.work)) {
    Context& home = kernel->context->home();
    if (!home.alive()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (RegisteredMemory::any()) {
      step.work = std::make_shared<KernelOperation>(home.runner, kernel->launch);
      return CUDA_SUCCESS;
    }
    step.runner = home.runner;
    step.launch = kernel->launch;
  } else if (const auto* copy = std::get_if<CopyWork>(&node.work)) {
    return copy_operation(*copy, step.work);
  } else if (const auto* fill = std::get_if<FillWork>(&node.work)) {
    return fill_operation(*fill, step.work);
  } else if (const auto* host = std::get_if<HostWork>(&node.work)) {
    step.work = std::make_shared<HostFunction>(host->parameters.fn, host->parameters.userData);
  } else if (const auto* record = std::get_if<RecordWork>(&node.work)) {
    step.event = Event::find(record->event);
    if (step.event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    step.recorded = std::make_shared<Completion>();
  } else if (const auto* wait = std::get_if<WaitWork>(&node.work)) {
    const Event* const event = Event::find(wait->event);
    if (event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    step.awaited = event->recorded();
  } else if (const auto* words = std::get_if<WordWork>(&node.work)) {
    if (!words->context->alive()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    std::shared_ptr<WordOperation> made;
    if (const CUresult error = WordOperation::create(words->said, made)) return error;
    step.work = std::move(made);
  } else if (const auto* signal = std::get_if<SignalSemaphoresWork>(&node.work)) {
    return signal->semaphores.empty() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  } else if (const auto* semaphores = std::get_if<WaitSemaphoresWork>(&node.work)) {
    return semaphores->semaphores.empty() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  } else if (const auto* choice = std::get_if<ConditionalWork>(&node.work)) {
    return look_up_bodies(choice->conditional, step);
  }
  return CUDA_SUCCESS;
}

// A node's graphs may run more than once, or not at all.
CUresult GraphRun::look_up_bodies(const std::shared_ptr<Conditional>& conditional, Step& step) {
  const std::shared_ptr<ConditionalValue>& value = conditional->value;
  if (value->word() == nullptr) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  if (value->assigned_at_launch) assigned_.push_back({value->word(), value->initial});
  std::vector<std::shared_ptr<GraphRun>> runs;
  for (const auto& body : conditional->bodies) {
    const auto run = std::make_shared<GraphRun>();
    std::vector<PlannedStep> plan;
    if (!body->plan(plan)) return CUDA_ERROR_INVALID_VALUE;
    run->steps_.resize(plan.size());
    if (const CUresult error = run->look_up_all(plan)) return error;
    run->find_chain();
    assigned_.insert(assigned_.end(), run->assigned_.begin(), run->assigned_.end());
    run->assigned_.clear();  // only by the launch itself
    runs.push_back(run);
  }
  step.work = std::make_shared<Choice>(conditional, std::move(runs));
  return CUDA_SUCCESS;
}

// Kernels of one runner, one after another, and nothing else.
void GraphRun::find_chain() {
  if (steps_.empty()) return;
  for (std::size_t at = 0; at < steps_.size(); ++at) {
    const Step& step = steps_[at];
    if (step.runner == nullptr || step.runner != steps_.front().runner) return;
    if (at > 0 && (step.after.size() != 1 || step.after.front() != at - 1)) return;
  }
  chain_ = steps_.front().runner.get();
}

void GraphRun::announce_events() {
  for (Step& step : steps_) {
    if (step.event == nullptr) continue;
    if (step.event->shared != nullptr)
      step.recorded = step.event->shared->record();
    else
      step.event->record(step.recorded);
    step.event = nullptr;
  }
}

Started GraphRun::post_chain(std::uint64_t after) {
  Started started;
  started.ticket = after;
  for (Step& step : steps_) {
    step.launch.after = started.ticket;
    const auto post = [&] { return step.runner->post(step.launch, started.ticket); };
    // The first can still be refused.
    started.error = &step == &steps_.front() ? post() : patiently(post);
    if (started.error != CUDA_SUCCESS) return started;
  }
  started.runner = steps_.front().runner;
  return started;
}

Started GraphRun::start() {
  if (chain_ != nullptr) return post_chain(0);
  Started started;
  for (const Assigned& value : assigned_) std::atomic_ref(*value.word).store(value.initial);
  for (Step& step : steps_) step.running.clear();
  for (Step& step : steps_) {
    if (started.error == CUDA_SUCCESS && Driver::get().sticky_error == CUDA_SUCCESS) {
      started.error = take(step);
    }
    if (step.recorded != nullptr) step.recorded->finish();
  }
  for (Step& step : steps_) {
    for (const auto& [runner, ticket] : step.running) runner->wait(ticket);
  }
  return started;
}

GraphRun::Kernels GraphRun::kernels_before(const Step& step) const {
  Kernels before;
  for (const std::size_t other : step.after) {
    before.insert(before.end(), steps_[other].running.begin(), steps_[other].running.end());
  }
  std::sort(before.begin(), before.end());
  before.erase(std::unique(before.begin(), before.end()), before.end());
  return before;
}

CUresult GraphRun::take(Step& step) {
  Kernels before = patiently([&] { return kernels_before(step); });
  if (step.runner != nullptr) {
    // The runner itself keeps the order after one of its own kernels; everything else is waited for here.
    step.launch.after = 0;
    for (const auto& [runner, ticket] : before) {
      if (runner == step.runner && step.launch.after == 0)
        step.launch.after = ticket;
      else
        runner->wait(ticket);
    }
    std::uint64_t ticket = 0;
    return patiently([&] {
      step.running.reserve(1);
      const CUresult error = step.runner->post(step.launch, ticket);
      if (error == CUDA_SUCCESS) step.running.emplace_back(step.runner, ticket);
      return error;
    });
  }
  if (step.work == nullptr && step.recorded == nullptr && step.awaited == nullptr) {
    step.running = std::move(before);
    return CUDA_SUCCESS;
  }
  for (const auto& [runner, ticket] : before) runner->wait(ticket);
  if (step.awaited != nullptr) step.awaited->wait();
  if (step.work == nullptr || Driver::get().sticky_error != CUDA_SUCCESS) return CUDA_SUCCESS;
  if (step.work->weight() == Weight::HostCode) return step.work->start().error;
  return patiently([&] { return step.work->start().error; });
}

void GraphRun::skip(CUresult) {
  for (Step& step : steps_) {
    if (step.recorded != nullptr) step.recorded->finish();
  }
}

}  // namespace driver
