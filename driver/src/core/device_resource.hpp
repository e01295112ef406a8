// SPDX-License-Identifier: MIT
// Device resources: sets of multiprocessors, as a program holds them in a CUdevResource.
//
// What a set consists of is kept in the padding of the struct, which belongs to the driver. Which sets there
// are follows from the figures of the device; nothing here takes a multiprocessor from anybody else.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/api.hpp"
#include "core/device.hpp"

namespace driver {

std::uint32_t multiprocessor_count(const Device& device);

// The set of a device's multiprocessors that a resource stands for.
struct Multiprocessors {
  static constexpr std::size_t kMost = 256;

  static Multiprocessors of(const Device& device);
  unsigned count() const { return static_cast<unsigned>(numbers.count()); }
  // A bit each.
  std::array<std::uint64_t, kMost / 64> words() const;
  // The first `wanted` of them, which leave this set.
  Multiprocessors take(unsigned wanted);

  int device = 0;
  // Made by a split: it cannot be split again before a green context has it.
  bool part = false;
  std::bitset<kMost> numbers;
};

// In which sizes the multiprocessors of a device are given out.
struct PartitionRule {
  // As CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING changes it.
  static PartitionRule of(const Device& device, bool coscheduled);
  // The size of a group with at least `wanted`.
  unsigned size_for(unsigned wanted) const;

  unsigned least;
  unsigned alignment;
};

// Measured: of a part the struct says only how many there are (figures of an H200: green_split, step 7).
CUdevResource resource_of(const Multiprocessors& set, const Device& device);
// Nothing for a resource that no call has returned, or that was changed since.
std::optional<Multiprocessors> set_of(const CUdevResource& resource);

// What cuDevResourceGenerateDesc makes. It lives as long as the process: no call ends one.
class ResourceDescription {
 public:
  static CUdevResourceDesc make(const Multiprocessors& set);
  static const ResourceDescription* find(CUdevResourceDesc handle);

  Multiprocessors set;
};

}  // namespace driver
