// SPDX-License-Identifier: MIT
// Contexts that the program creates, those of green contexts, and the stack of the calling thread. Measured
// on an H200, driver 580.159, CUDA 13.0: scenarios stack_*, ctx_*, threads_floating and green_*.
#include <utility>

#include "model/apply.hpp"

namespace lab {
namespace {

void create(Step& step) {
  const auto handle = step.written("pctx");
  if (!handle || *handle == 0) return;
  Device* device = step.device(step.passed("dev"));
  // A handle belongs to one context at a time: the end of an older one with this handle was not recorded.
  if (const std::uint32_t old = step.state.context_of(*handle);
      old != kNone && step.state.contexts[old].alive && !step.state.contexts[old].primary) {
    Context& ended = step.change_context(old);
    ended.alive = false;
    ended.active = false;
    ended.destroyed_at = step.event.seq;
    step.free_owned_by(old);
  }
  Context context;
  context.name = letter_name(step.state.next_letter++);
  context.handle = *handle;
  context.device = device ? device->ordinal : 0;
  context.flags = static_cast<std::uint32_t>(step.passed("flags"));
  context.created_at = step.event.seq;
  const std::uint32_t index = step.add_context(std::move(context));
  step.lasting = true;
  step.note(Change::Kind::ContextCreated, index);
  step.push(index);
}

// Destroying pops only the top of the calling thread's stack. Everywhere else the entry stays:
// cuCtxGetCurrent still returns it, and every use of it returns CUDA_ERROR_CONTEXT_IS_DESTROYED.
void destroy(Step& step, std::uint32_t index) {
  if (index == kNone) return;
  Context& context = step.change_context(index);
  context.alive = false;
  context.active = false;
  context.use_count = 0;
  context.destroyed_at = step.event.seq;
  step.lasting = true;
  step.note(Change::Kind::ContextDestroyed, index);
  step.free_owned_by(index);
  if (step.top() == index) step.pop();
}

void set_current(Step& step) {
  const std::uint64_t handle = step.passed("ctx");
  if (handle == 0)
    step.pop();
  else
    step.replace_top(step.known(handle));
}

void attach(Step& step) {
  const std::uint32_t index = step.known(step.written("pctx").value_or(0));
  if (index == kNone) return;
  ++step.change_context(index).use_count;
  step.lasting = true;
  step.note(Change::Kind::UseCountChanged, index);
}

void detach(Step& step) {
  const std::uint32_t index = step.state.context_of(step.passed("ctx"));
  if (index == kNone) return;
  if (step.state.contexts[index].use_count > 1) {
    --step.change_context(index).use_count;
    step.lasting = true;
    step.note(Change::Kind::UseCountChanged, index);
  } else {
    destroy(step, index);
  }
}

void set_flags(Step& step, std::uint64_t flags) {
  const std::uint32_t index = step.top();
  if (index == kNone || step.state.contexts[index].flags == flags) return;
  step.change_context(index).flags = static_cast<std::uint32_t>(flags);
  step.lasting = true;
  step.note(Change::Kind::FlagsChanged, index);
}

// The context of a green context has a letter from the call on that returns it.
void from_green(Step& step) {
  const auto handle = step.written("pContext");
  if (!handle || *handle == 0) return;
  if (const std::uint32_t old = step.state.context_of(*handle);
      old != kNone && step.state.contexts[old].alive) {
    if (step.state.contexts[old].green == step.passed("hCtx")) return;
    step.change_context(old).green = step.passed("hCtx");  // it was known only by its handle
    step.lasting = true;
    return;
  }
  const auto on = step.state.green_devices.find(step.passed("hCtx"));
  const Device* const device = step.device(on != step.state.green_devices.end() ? on->second : 0);
  Context context;
  context.name = letter_name(step.state.next_letter++);
  context.handle = *handle;
  context.device = device ? device->ordinal : 0;
  context.green = step.passed("hCtx");
  context.created_at = step.event.seq;
  const std::uint32_t index = step.add_context(std::move(context));
  step.lasting = true;
  step.note(Change::Kind::ContextCreated, index);
}

// Its streams end with a green context. Its context stays on every stack (truth green_destroy_current, step
// 6).
void destroy_green(Step& step) {
  const std::uint64_t handle = step.passed("hCtx");
  if (const auto green = step.ledger.object_of(ObjectKind::GreenContext, handle)) step.end(green->id);
  for (std::uint32_t index = 0; index < step.state.contexts.size(); ++index) {
    if (step.state.contexts[index].green != handle || !step.state.contexts[index].alive) continue;
    Context& context = step.change_context(index);
    context.alive = false;
    context.active = false;
    context.destroyed_at = step.event.seq;
    step.lasting = true;
    step.note(Change::Kind::ContextDestroyed, index);
    step.free_owned_by(index);
  }
  release_by_green(step, handle);
}

}  // namespace

std::vector<Rule> context_rules() {
  return {
      {Function::cuCtxCreate, create},
      {Function::cuCtxDestroy, [](Step& step) { destroy(step, step.state.context_of(step.passed("ctx"))); }},
      {Function::cuCtxPushCurrent, [](Step& step) { step.push(step.known(step.passed("ctx"))); }},
      {Function::cuCtxPopCurrent, [](Step& step) { step.pop(); }},
      {Function::cuCtxSetCurrent, set_current},
      {Function::cuCtxAttach, attach},
      {Function::cuCtxDetach, detach},
      {Function::cuCtxFromGreenCtx, from_green},
      {Function::cuGreenCtxDestroy, destroy_green},
      {Function::cuCtxSetFlags, [](Step& step) { set_flags(step, step.passed("flags")); }},
      {Function::cuCtxGetFlags, [](Step& step) { set_flags(step, step.written("flags").value_or(0)); }},
  };
}

}  // namespace lab
