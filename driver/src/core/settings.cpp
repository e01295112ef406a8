// SPDX-License-Identifier: MIT
// See settings.hpp. There is no message about a variable that is unset or empty.
#include "core/settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace driver {
namespace {

constexpr int kDefaultDeviceCount = 2;

std::string_view value_of(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? std::string_view() : std::string_view(text);
}

// A terminal shows it: nothing that would steer one, and no more than a line.
std::string printable(std::string_view value) {
  constexpr std::size_t kMost = 60;
  std::string text(value.substr(0, kMost));
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return value.size() > kMost ? text + "..." : text;
}

void say(const char* name, std::string_view value, const std::string& allowed, const std::string& taken) {
  std::fprintf(stderr, "driverlab: %s is \"%s\", which means nothing; %s. Set it to %s, or unset it.\n", name,
               printable(value).c_str(), taken.c_str(), allowed.c_str());
}

}  // namespace

int wanted_device_count() {
  constexpr const char* kName = "DRIVERLAB_DEVICES";
  const std::string_view value = value_of(kName);
  if (value.empty()) return kDefaultDeviceCount;
  if (value.size() == 1 && value[0] >= '1' && value[0] <= '0' + kMostDevices) return value[0] - '0';
  say(kName, value, "a number from 1 to " + std::to_string(kMostDevices),
      "there are " + std::to_string(kDefaultDeviceCount) + " devices");
  return kDefaultDeviceCount;
}

const api::DeviceDescription* wanted_device() {
  constexpr const char* kName = "DRIVERLAB_DEVICE";
  const std::string_view value = value_of(kName);
  if (value.empty()) return nullptr;
  const api::DeviceDescription* const device = api::find_device(value);
  if (device == nullptr)
    say(kName, value, "one of " + api::device_words(), "the devices are the embedded driver's own");
  return device;
}

void check_wanted_kernels() {
  constexpr const char* kName = "DRIVERLAB_KERNELS";
  const std::string_view value = value_of(kName);
  if (!value.empty() && value != "compiled" && value != "interpreted")
    say(kName, value, "compiled or interpreted",
        "kernels are compiled, and interpreted where the compiler refuses");
}

bool is_loading_eager() {
  return value_of("CUDA_MODULE_LOADING") == "EAGER";
}

}  // namespace driver
