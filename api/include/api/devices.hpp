// SPDX-License-Identifier: MIT
// The real devices whose figures the embedded driver's devices can have, one for each file of api/devices.
//
// The table is generated. The driver takes a device's figures from it, and the lab the words that
// DRIVERLAB_DEVICE may be set to.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace api {

struct DeviceFigure {
  int attribute;  // a CUdevice_attribute
  int value;
};

struct DeviceDescription {
  std::string_view word;  // "h200"
  std::string_view name;  // as cuDeviceGetName writes it: "NVIDIA H200"
  std::uint64_t memory;   // in bytes, as of cuDeviceTotalMem
  std::span<const DeviceFigure> figures;
};

// Sorted by their words.
std::span<const DeviceDescription> devices();
const DeviceDescription* find_device(std::string_view word);  // or null
// "a100, h100, …", for messages about a word that is none of them.
std::string device_words();

}  // namespace api
