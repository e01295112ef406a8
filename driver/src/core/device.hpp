// SPDX-License-Identifier: MIT
// A virtual GPU: its name, its attributes, its place on the (virtual) PCI bus. All devices of a process have
// the figures of one real device, if DRIVERLAB_DEVICE names one (api/devices.hpp), and else the embedded
// driver's own.
//
// The ordinal is the program's number for it; because of CUDA_VISIBLE_DEVICES it may differ from the number
// of the card. Immutable, so that any thread may read it. Memory has its memory, and Driver its primary
// context.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/devices.hpp"
#include "core/api.hpp"

namespace driver {

class Device {
 public:
  static constexpr int kLeastPriority = 0;
  static constexpr int kGreatestPriority = -5;

  // Without a description: the embedded driver's own figures.
  Device(int ordinal, int card, const api::DeviceDescription* description);

  int ordinal() const { return ordinal_; }
  const std::string& name() const { return name_; }
  std::uint64_t total_memory() const;
  const std::string& pci_bus_id() const { return pci_bus_id_; }
  CUuuid uuid() const { return uuid_of(card_); }
  static CUuuid uuid_of(int card);
  // As in CUDA_VISIBLE_DEVICES: "GPU-…".
  static std::string uuid_text_of(int card);
  std::optional<int> attribute(CUdevice_attribute attribute) const;

 private:
  int pci_bus() const { return card_ + 1; }

  int ordinal_;
  int card_;
  const api::DeviceDescription* description_;
  std::string name_;
  std::string pci_bus_id_;
};

// A device in a set of devices.
inline std::uint64_t guest_bit(const Device& device) {
  return std::uint64_t{1} << static_cast<unsigned>(device.ordinal());
}

// Of those that cuDeviceGetHostAtomicCapabilities and its like can be asked about. Measured on an H200.
constexpr bool is_atomic_operation(CUatomicOperation operation) {
  return operation >= CU_ATOMIC_OPERATION_INTEGER_ADD && operation <= CU_ATOMIC_OPERATION_FLOAT_MAX;
}

}  // namespace driver
