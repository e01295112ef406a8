// SPDX-License-Identifier: MIT
// Which pool is the default one of a device, and which is its current one, from which cuMemAllocAsync
// allocates (lesson 25). Only pools of pinned device memory: those of other kinds are not a device's pool.
#include "model/apply.hpp"

namespace lab {
namespace {

// The device that the call is about; nullptr if it is about no device, or about memory of another kind.
Device* device_meant(Step& step) {
  if (step.argument("dev") != nullptr) return step.device(step.passed("dev"));
  const trace::Argument *location = step.argument("location"), *type = step.argument("type");
  if (location == nullptr || type == nullptr || type->text != "CU_MEM_ALLOCATION_TYPE_PINNED") return nullptr;
  const std::uint32_t place = location_in(*location).value_or(kNone);
  return place == kNone || place == kHost ? nullptr : step.device(place);
}

// What was allocated while no pool was known came from the default one: it has been current since the start,
// up to the first call that sets another.
void learn_default(Step& step, Device& device, std::uint64_t handle) {
  if (handle == 0 || device.default_pool == handle) return;
  device.default_pool = handle;
  step.lasting = true;
  const auto pool = step.ledger.object_of(ObjectKind::MemoryPool, handle);
  if (!pool) return;
  for (const Allocation& allocation : step.ledger.between(0, ~std::uint64_t{0})) {
    if (allocation.kind != MemoryKind::Pooled || allocation.from || allocation.device != device.ordinal)
      continue;
    Allocation now = allocation;
    now.from = pool->id;
    step.ledger.change(now);
  }
}

void default_returned(Step& step) {
  if (Device* device = device_meant(step)) learn_default(step, *device, step.written("pool_out").value_or(0));
}

void current_returned(Step& step) {
  Device* device = device_meant(step);
  if (device != nullptr && device->current_pool == 0)
    learn_default(step, *device, step.written("pool").value_or(0));
}

void set_current_pool(Step& step) {
  Device* device = device_meant(step);
  if (device == nullptr || device->current_pool == step.passed("pool")) return;
  device->current_pool = step.passed("pool");
  step.lasting = true;
}

// The default pool takes the place of a current one that is destroyed.
void pool_destroyed(Step& step) {
  for (Device& device : step.state.devices) {
    if (device.current_pool == 0 || device.current_pool != step.passed("pool")) continue;
    device.current_pool = 0;
    step.lasting = true;
  }
}

}  // namespace

std::vector<Rule> pool_rules() {
  return {
      {Function::cuDeviceGetDefaultMemPool, default_returned},
      {Function::cuMemGetDefaultMemPool, default_returned},
      {Function::cuDeviceGetMemPool, current_returned},
      {Function::cuMemGetMemPool, current_returned},
      {Function::cuDeviceSetMemPool, set_current_pool},
      {Function::cuMemSetMemPool, set_current_pool},
      {Function::cuMemPoolDestroy, pool_destroyed},
  };
}

}  // namespace lab
