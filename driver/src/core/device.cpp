// SPDX-License-Identifier: MIT
// Device: the table of figures and what differs from one virtual GPU to the next.
#include "core/device.hpp"

#include <cstdio>
#include <cstring>

namespace driver {

Device::Device(int ordinal) : ordinal_(ordinal), name_("Embedded GPU " + std::to_string(ordinal)) {
  char text[32];
  std::snprintf(text, sizeof text, "0000:%02X:00.0", static_cast<unsigned>(pci_bus()));
  pci_bus_id_ = text;
}

// The same in every process, as a real card's is. Nobody can take the letters in it for a real card's.
CUuuid Device::uuid() const {
  CUuuid uuid{};
  std::memcpy(uuid.bytes, "embedded-gpu---", 15);
  uuid.bytes[15] = static_cast<char>('0' + ordinal_);
  return uuid;
}

std::optional<int> Device::attribute(CUdevice_attribute attribute) const {
  switch (static_cast<int>(attribute)) {
    case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID:
      return pci_bus();
    case CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID:
      return ordinal_;
#define FIGURE(name, value)        \
  case CU_DEVICE_ATTRIBUTE_##name: \
    return value;
#include "core/device_attributes.inc"
#undef FIGURE
    default:
      return std::nullopt;
  }
}

}  // namespace driver
