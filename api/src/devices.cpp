// SPDX-License-Identifier: MIT
// See devices.hpp: look-ups in the generated table.
#include "api/devices.hpp"

#include <algorithm>

namespace api {

const DeviceDescription* find_device(std::string_view word) {
  const std::span<const DeviceDescription> all = devices();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.word == word; });
  return found == all.end() ? nullptr : &*found;
}

std::string device_words() {
  std::string words;
  for (const DeviceDescription& one : devices()) {
    if (!words.empty()) words += ", ";
    words += one.word;
  }
  return words;
}

}  // namespace api
