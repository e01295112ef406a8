// SPDX-License-Identifier: MIT
// See driver.hpp: how the driver is initialised, how it ends with the process, and what a child of fork
// finds.
#include "core/driver.hpp"

#include <pthread.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>

#include "core/log.hpp"
#include "core/pool.hpp"
#include "core/settings.hpp"
#include "core/visible_devices.hpp"

namespace driver {
CUresult Driver::initialize() {
  static std::mutex once;
  const std::lock_guard lock(once);
  const CUresult before = phase.load(std::memory_order_acquire);
  // Anything else than "never initialised" stays: a child of fork and the end of the process.
  if (before != CUDA_ERROR_NOT_INITIALIZED || instance != nullptr) return before;
  std::unique_ptr<Driver> driver(new Driver);
  if (const CUresult error = driver->open()) return error;
  instance = driver.release();  // never deleted: other threads may be in a call when the process ends
  pthread_atfork(nullptr, nullptr,
                 [] { phase.store(CUDA_ERROR_NOT_INITIALIZED, std::memory_order_release); });
  std::atexit([] {
    if (phase.load() == CUDA_SUCCESS) phase.store(CUDA_ERROR_DEINITIALIZED, std::memory_order_release);
  });
  phase.store(CUDA_SUCCESS, std::memory_order_release);
  return CUDA_SUCCESS;
}

CUresult Driver::open() {
  check_wanted_kernels();
  loads_eagerly_ = is_loading_eager();
  const int card_count = wanted_device_count();
  const api::DeviceDescription* const description = wanted_device();
  std::vector<std::string> uuids;
  uuids.reserve(static_cast<std::size_t>(card_count));
  for (int card = 0; card < card_count; ++card) uuids.push_back(Device::uuid_text_of(card));
  std::vector<int> cards;
  if (const CUresult error = visible_devices(std::getenv("CUDA_VISIBLE_DEVICES"), uuids, cards)) return error;
  for (const int card : cards) {
    Device& device = devices_.emplace_back(device_count(), card, description);
    Context* const primary = contexts_.create(device, ContextKind::Primary);
    if (primary == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    primaries_.push_back(primary);
  }
  return memory_.open(devices_) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

Device* Driver::device(CUdevice handle) {
  return handle >= 0 && handle < device_count() ? &devices_[static_cast<std::size_t>(handle)] : nullptr;
}

Context* Driver::create_context(Device& device, unsigned flags) {
  Context* const context = contexts_.create(device, ContextKind::Created);
  if (context == nullptr) return nullptr;
  context->flags = flags;
  context->uses = 1;
  context->bring_to_life(next_context_id_++);
  return context;
}

void Driver::revive(Context& primary) {
  primary.bring_to_life(next_context_id_++);
}

Context* Driver::create_green(Device& device) {
  Context& primary = this->primary(device);
  if (!primary.alive()) revive(primary);
  Context* const context = contexts_.create(device, ContextKind::Green, &primary);
  if (context == nullptr) return nullptr;
  context->bring_to_life(next_context_id_++);
  primary.greens.push_back(context);
  primary.streams().add_part(context->streams());
  ++primary.uses;
  return context;
}

void Driver::end_green(Context& green) {
  Context& primary = green.home();
  green.end();
  primary.streams().drop_part(green.streams());
  std::erase(primary.greens, &green);
  if (primary.uses > 0) --primary.uses;
  if (primary.uses == 0 && primary.greens.empty() && primary.alive()) end(primary);
}

void Driver::end(Context& context) {
  // A destroyed context is no peer of any context, and has no peers.
  for (Context* const other : context.seen_by) other->peers.erase(&context);
  context.seen_by.clear();
  for (const Context* const peer : context.peers) peer->seen_by.erase(&context);
  context.end();
  Pools::get().forget(context);
  memory_.free_all_of(context);
}

CUresult current_context(Context*& context) {
  if (const CUresult error = Driver::ready()) return error;
  context = ContextStack::of_this_thread().top();
  if (context == nullptr) return no_current_context();
  if (!context->alive()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  context = &context->home();
  return known_fault();
}

CUresult known_fault() {
  const CUresult error = Driver::get().sticky_error.load(std::memory_order_relaxed);
  return error == CUDA_SUCCESS ? error : refuse(error, "Sticky error detected");
}

Context& current_of(Context& context) {
  Context* const top = ContextStack::of_this_thread().top();
  return top != nullptr && &top->home() == &context ? *top : context;
}

CUresult may_free() {
  Context* context = nullptr;
  const CUresult error = current_context(context);
  return error == CUDA_ERROR_INVALID_CONTEXT ? Driver::get().sticky_error.load() : error;
}

CUresult given_context(CUcontext handle, Context*& context) {
  context = Driver::get().contexts().find(handle);
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  return context->alive() ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

bool valid_context_flags(unsigned flags) {
  if ((flags & ~static_cast<unsigned>(CU_CTX_FLAGS_MASK)) != 0) return false;
  const unsigned scheduling = flags & CU_CTX_SCHED_MASK;
  return (scheduling & (scheduling - 1)) == 0;
}

}  // namespace driver
