// SPDX-License-Identifier: MIT
// See device_resource.hpp.
#include "core/device_resource.hpp"

#include <algorithm>
#include <cstring>

#include "core/assured.hpp"
#include "core/driver.hpp"

namespace driver {
namespace {

// What the padding of a CUdevResource holds.
struct Kept {
  static constexpr std::uint32_t kNown = 0x534d5345;

  std::uint32_t mark;
  std::int32_t device;
  std::uint32_t part;
  std::uint32_t bytes;  // of `numbers`, so that a set of another size is no set
  std::bitset<Multiprocessors::kMost> numbers;
};
static_assert(sizeof(Kept) <= sizeof CUdevResource::_internal_padding);

AssuredMap<const void*, std::unique_ptr<ResourceDescription>>& descriptions() {
  static auto* const all = new AssuredMap<const void*, std::unique_ptr<ResourceDescription>>;
  return *all;
}

}  // namespace

std::uint32_t multiprocessor_count(const Device& device) {
  return static_cast<std::uint32_t>(device.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT).value_or(0));
}

Multiprocessors Multiprocessors::of(const Device& device) {
  Multiprocessors all;
  all.device = device.ordinal();
  all.numbers = ~all.numbers >> (kMost - multiprocessor_count(device));
  return all;
}

std::array<std::uint64_t, Multiprocessors::kMost / 64> Multiprocessors::words() const {
  static_assert(sizeof numbers == kMost / 8);
  std::array<std::uint64_t, kMost / 64> result{};
  std::memcpy(result.data(), &numbers, sizeof numbers);
  return result;
}

Multiprocessors Multiprocessors::take(unsigned wanted) {
  Multiprocessors taken;
  taken.device = device;
  for (std::size_t number = 0; number < kMost && wanted > 0; ++number) {
    if (!numbers.test(number)) continue;
    numbers.reset(number);
    taken.numbers.set(number);
    --wanted;
  }
  return taken;
}

// The manual's guideline for each compute capability.
PartitionRule PartitionRule::of(const Device& device, bool coscheduled) {
  const int major = device.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR).value_or(0);
  if (major >= 9) return coscheduled ? PartitionRule{8, 8} : PartitionRule{2, 2};
  if (major == 8) return {4, 2};
  if (major == 7) return {2, 2};
  return {1, 1};
}

unsigned PartitionRule::size_for(unsigned wanted) const {
  const std::uint64_t whole = std::max(wanted, least);
  const std::uint64_t size = (whole + alignment - 1) / alignment * alignment;
  return static_cast<unsigned>(std::min<std::uint64_t>(size, ~0U));
}

CUdevResource resource_of(const Multiprocessors& set, const Device& device) {
  CUdevResource resource{};
  resource.type = CU_DEV_RESOURCE_TYPE_SM;
  const PartitionRule rule = set.part ? PartitionRule{0, 0} : PartitionRule::of(device, true);
  resource.sm.smCount = set.count();
  resource.sm.minSmPartitionSize = rule.least;
  resource.sm.smCoscheduledAlignment = rule.alignment;
  const Kept kept{Kept::kNown, set.device, set.part ? 1U : 0U, sizeof set.numbers, set.numbers};
  std::memcpy(resource._internal_padding, &kept, sizeof kept);
  return resource;
}

std::optional<Multiprocessors> set_of(const CUdevResource& resource) {
  Kept kept{};
  std::memcpy(&kept, resource._internal_padding, sizeof kept);
  if (kept.mark != Kept::kNown || kept.bytes != sizeof kept.numbers) return std::nullopt;
  const Device* const device = Driver::get().device(kept.device);
  if (device == nullptr) return std::nullopt;
  Multiprocessors set;
  set.device = kept.device;
  set.part = kept.part != 0;
  set.numbers = kept.numbers;
  const CUdevResource original = resource_of(set, *device);
  if (std::memcmp(&original.sm, &resource.sm, sizeof original.sm) != 0) return std::nullopt;
  return set;
}

CUdevResourceDesc ResourceDescription::make(const Multiprocessors& set) {
  auto description = std::make_unique<ResourceDescription>();
  description->set = set;
  const void* const handle = description.get();
  descriptions().emplace(handle, std::move(description));
  return reinterpret_cast<CUdevResourceDesc>(const_cast<void*>(handle));
}

const ResourceDescription* ResourceDescription::find(CUdevResourceDesc handle) {
  const auto found = descriptions().find(handle);
  return found == descriptions().end() ? nullptr : found->second.get();
}

}  // namespace driver
