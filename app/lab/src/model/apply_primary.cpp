// SPDX-License-Identifier: MIT
// Primary contexts: one for each device, shared by all code in the process, with a count of retains. Measured
// on an H200, driver 580.159, CUDA 13.0: scenarios primary, primary_threads and two_primary.
//
// Retaining never makes it current and releasing never pops it. When the count is zero, the handle stays on
// every stack, and a later retain activates the context with the same handle.
#include "model/apply.hpp"

#include <algorithm>

namespace lab {
namespace {

// A handle that occurred before a recorded retain (the CUDA runtime has private functions) turns out to be
// this primary context: everything known about the handle is true of the primary context.
void merge(Step& step, std::uint32_t seen, std::uint32_t primary) {
  for (Thread& thread : step.state.threads) {
    step.keep_of_stack(thread, 0);
    std::replace(thread.stack.begin(), thread.stack.end(), seen, primary);
    if (thread.driver_current == seen) thread.driver_current = primary;
  }
  step.ledger.give(seen, primary);
  Context& gone = step.change_context(seen);
  gone.alive = false;
  gone.active = false;
  gone.hidden = true;
  gone.destroyed_at = step.event.seq;
}

void activate(Step& step, std::uint32_t primary) {
  Context& context = step.change_context(primary);
  context.alive = context.handle != 0;
  context.active = true;
  context.destroyed_at.reset();
  context.created_at = step.event.seq;
  step.note(Change::Kind::PrimaryActivated, primary);
}

void deactivate(Step& step, std::uint32_t primary) {
  step.change_context(primary).active = false;
  step.note(Change::Kind::PrimaryDeactivated, primary);
  step.free_owned_by(primary);
}

void retain(Step& step, std::uint32_t primary) {
  const auto handle = step.written("pctx");
  if (!handle || *handle == 0) return;
  const std::uint32_t seen = step.state.context_of(*handle);
  if (seen != kNone && seen != primary && !step.state.contexts[seen].primary &&
      step.state.contexts[seen].alive)
    merge(step, seen, primary);
  Context& context = step.change_context(primary);
  step.state.set_handle(primary, *handle);
  ++context.retain_count;
  step.note(Change::Kind::PrimaryRetained, primary);
  if (!context.active) activate(step, primary);
}

// Each green context retains the primary context of its device for as long as it lives (lesson 31).
bool retained_by_green(const Step& step, std::uint32_t device) {
  const auto& greens = step.state.green_devices;
  return std::any_of(greens.begin(), greens.end(),
                     [device](const auto& green) { return green.second == device; });
}

void release_last(Step& step, std::uint32_t primary) {
  const Context& context = step.state.contexts[primary];
  if (context.retain_count == 0 && context.active && !retained_by_green(step, context.device))
    deactivate(step, primary);
}

void release(Step& step, std::uint32_t primary) {
  Context& context = step.change_context(primary);
  if (context.retain_count > 0) --context.retain_count;
  step.note(Change::Kind::PrimaryReleased, primary);
  release_last(step, primary);
}

void reset(Step& step, std::uint32_t primary) {
  Context& context = step.change_context(primary);
  context.retain_count = 0;
  if (context.active) deactivate(step, primary);
}

void set_flags(Step& step, std::uint32_t primary, std::uint64_t flags) {
  if (step.state.contexts[primary].flags == flags) return;
  step.change_context(primary).flags = static_cast<std::uint32_t>(flags);
  step.note(Change::Kind::FlagsChanged, primary);
}

void get_state(Step& step, std::uint32_t primary) {
  if (const auto flags = step.written("flags")) set_flags(step, primary, *flags);
  const auto active = step.written("active");
  if (!active) return;
  const bool is_active = step.state.contexts[primary].active;
  if (*active != 0 && !is_active) activate(step, primary);  // a call that was not recorded did so
  if (*active == 0 && is_active) deactivate(step, primary);
}

// A rule for the primary context of the device that is an argument of the call.
template <void (*apply)(Step&, std::uint32_t)>
void of_device(Step& step) {
  const Device* device = step.device(step.passed("dev"));
  if (device == nullptr) return;
  step.lasting = true;
  apply(step, device->primary);
}

void set_flags_passed(Step& step, std::uint32_t primary) {
  set_flags(step, primary, step.passed("flags"));
}

}  // namespace

void retain_by_green(Step& step, std::uint64_t green, std::uint64_t ordinal) {
  const Device* device = step.device(ordinal);
  if (green == 0 || device == nullptr) return;
  step.state.green_devices[green] = device->ordinal;
  step.lasting = true;
  if (!step.state.contexts[device->primary].active) activate(step, device->primary);
}

void release_by_green(Step& step, std::uint64_t green) {
  const auto found = step.state.green_devices.find(green);
  if (found == step.state.green_devices.end()) return;
  const Device* device = step.device(found->second);
  step.state.green_devices.erase(found);
  step.lasting = true;
  if (device != nullptr) release_last(step, device->primary);
}

std::uint32_t context_by_library(Step& step, std::uint64_t handle) {
  if (handle == 0) return kNone;
  const std::uint32_t seen = step.state.context_of(handle);
  if (seen != kNone) {
    if (step.state.contexts[seen].primary && !step.state.contexts[seen].active) {
      activate(step, seen);
      step.lasting = true;
    }
    return seen;
  }
  const Device* device = step.device(step.thread().runtime_device);
  if (device == nullptr || step.state.contexts[device->primary].handle != 0) return step.known(handle);
  const std::uint32_t primary = device->primary;
  step.change_context(primary);
  step.state.set_handle(primary, handle);
  activate(step, primary);
  step.lasting = true;
  return primary;
}

std::vector<Rule> primary_rules() {
  return {
      {Function::cuDevicePrimaryCtxRetain, of_device<retain>},
      {Function::cuDevicePrimaryCtxRelease, of_device<release>},
      {Function::cuDevicePrimaryCtxReset, of_device<reset>},
      {Function::cuDevicePrimaryCtxSetFlags, of_device<set_flags_passed>},
      {Function::cuDevicePrimaryCtxGetState, of_device<get_state>},
  };
}

}  // namespace lab
