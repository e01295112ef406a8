// SPDX-License-Identifier: MIT
// See device.hpp: the attributes of the virtual GPU, and what differs from one to the next.
#include "core/device.hpp"

#include <cstdio>
#include <cstring>

namespace driver {

Device::Device(int ordinal, int card, const api::DeviceDescription* description)
    : ordinal_(ordinal),
      card_(card),
      description_(description),
      name_(description != nullptr ? std::string(description->name)
                                   : "Embedded GPU " + std::to_string(card)) {
  char text[32];
  std::snprintf(text, sizeof text, "0000:%02X:00.0", static_cast<unsigned>(pci_bus()));
  pci_bus_id_ = text;
}

// The same in every process, as with a real card. The letters in it show that it is not a real card.
CUuuid Device::uuid_of(int card) {
  CUuuid uuid{};
  std::memcpy(uuid.bytes, "embedded-gpu---", 15);
  uuid.bytes[15] = static_cast<char>('0' + card);
  return uuid;
}

std::string Device::uuid_text_of(int card) {
  const CUuuid uuid = uuid_of(card);
  std::string text = "GPU";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    text += digits;
  }
  return text;
}

std::uint64_t Device::total_memory() const {
  constexpr std::uint64_t kOwn = std::uint64_t{8} << 30;
  return description_ != nullptr ? description_->memory : kOwn;
}

std::optional<int> Device::attribute(CUdevice_attribute attribute) const {
  if (description_ != nullptr) {
    for (const api::DeviceFigure& figure : description_->figures)
      if (figure.attribute == static_cast<int>(attribute)) return figure.value;
  }
  switch (static_cast<int>(attribute)) {
    case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID:
      return pci_bus();
    case CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID:
      return card_;
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
