// SPDX-License-Identifier: MIT
// See context.hpp. Also the registry of all contexts of this process.
#include "core/context.hpp"

#include <cstdlib>
#include <iterator>
#include <new>

#include "core/core_dump.hpp"
#include "core/stream.hpp"

#include "core/runner.hpp"

namespace driver {

Context::Context(Device& device, ContextKind kind, Context* home)
    : device_(device),
      kind_(kind),
      home_(home != nullptr ? home : this),
      streams_(new Streams(*home_, *this)) {}

Context::~Context() = default;

void Context::bring_to_life(std::uint64_t id) {
  // A runner of its own, made before anything is changed; a green context's kernels run in that of its home.
  auto fresh = kind_ == ContextKind::Green ? nullptr : std::make_shared<Runner>(*this);
  // Defaults measured: truth ctx_create_flags, steps 18 to 23. The pending launch count and the fetch
  // granularity are the manual's.
  for (auto& limit : limits_) limit = 0;
  limit(CU_LIMIT_STACK_SIZE) = 1024;
  limit(CU_LIMIT_PRINTF_FIFO_SIZE) = 8650752;
  limit(CU_LIMIT_MALLOC_HEAP_SIZE) = 8388608;
  limit(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH) = 2;
  limit(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT) = 2048;
  limit(CU_LIMIT_MAX_L2_FETCH_GRANULARITY) = 64;
  const auto figure = [this](CUdevice_attribute attribute) {
    return static_cast<std::size_t>(device_.attribute(attribute).value_or(0));
  };
  limit(CU_LIMIT_SHMEM_SIZE) = figure(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  // 3/16 of the L2 cache of an H200 (truth limits, step 11).
  if (figure(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) >= 9)
    limit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE) = figure(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE) / 16 * 3;
  cache_config = CU_FUNC_CACHE_PREFER_NONE;
  shared_memory_config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
  // Measured: 01 is 1, and 2 is not; what is set after the creation changes nothing (truth
  // launch_blocking_01, launch_blocking_2, launch_blocking_after_init, launch_blocking_after_create).
  const char* const blocking = std::getenv("CUDA_LAUNCH_BLOCKING");
  launches_wait = blocking != nullptr && std::strtol(blocking, nullptr, 10) == 1;
  peers.clear();
  CoreDumps::get().begin(*this, flags);
  runner = std::move(fresh);
  id_ = id;
  alive_.store(true, std::memory_order_release);
}

void Context::end() {
  alive_.store(false, std::memory_order_release);
  while (!objects_.empty()) {
    const std::unique_ptr<OwnedObject> last = std::move(objects_.back());
    objects_.pop_back();
  }
  streams_->clear();
  runner.reset();
  peers.clear();
}

void Context::own(std::unique_ptr<OwnedObject> object) {
  objects_.push_back(std::move(object));
  objects_.back()->place_ = std::prev(objects_.end());
}

void Context::disown(const OwnedObject* object) {
  const std::unique_ptr<OwnedObject> last = std::move(*object->place_);
  objects_.erase(object->place_);
}

// So large that the system only reserves it: a page is used when a context is made in it. Never freed, as no
// context is.
ContextRegistry::ContextRegistry()
    : slots_(static_cast<Context*>(::operator new(sizeof(Context) * kCapacity, std::nothrow))) {}

ContextRegistry::~ContextRegistry() {
  ::operator delete(slots_);
}

Context* ContextRegistry::create(Device& device, ContextKind kind, Context* home) {
  const std::uint32_t number = count();
  if (slots_ == nullptr || number == kCapacity) return nullptr;
  Context* const context = new (&slots_[number]) Context(device, kind, home);
  count_.store(number + 1, std::memory_order_release);
  return context;
}

Context* ContextRegistry::find(CUcontext handle) const {
  const auto offset = reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(slots_);
  if (handle == nullptr || offset >= sizeof(Context) * count() || offset % sizeof(Context) != 0)
    return nullptr;
  return &slots_[offset / sizeof(Context)];
}

}  // namespace driver
