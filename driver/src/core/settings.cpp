// SPDX-License-Identifier: MIT
// See settings.hpp. There is no message about a variable that is unset or empty.
#include "core/settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace driver {
namespace {

constexpr int default_device_count = 2;

std::string_view value_of(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? std::string_view() : std::string_view(text);
}

// A terminal shows it: nothing that would steer one, and no more than a line.
std::string printable(std::string_view value) {
  constexpr std::size_t most = 60;
  std::string text(value.substr(0, most));
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return value.size() > most ? text + "..." : text;
}

void say(const char* name, std::string_view value, const std::string& allowed, const std::string& taken) {
  std::fprintf(stderr, "driverlab: %s is \"%s\", which means nothing; %s. Set it to %s, or unset it.\n", name,
               printable(value).c_str(), taken.c_str(), allowed.c_str());
}

}  // namespace

int wanted_device_count() {
  constexpr const char* name = "DRIVERLAB_DEVICES";
  const std::string_view value = value_of(name);
  if (value.empty()) return default_device_count;
  if (value.size() == 1 && value[0] >= '1' && value[0] <= '0' + most_devices) return value[0] - '0';
  say(name, value, "a number from 1 to " + std::to_string(most_devices),
      "there are " + std::to_string(default_device_count) + " devices");
  return default_device_count;
}

const api::DeviceDescription* wanted_device() {
  constexpr const char* name = "DRIVERLAB_DEVICE";
  const std::string_view value = value_of(name);
  if (value.empty()) return nullptr;
  const api::DeviceDescription* const device = api::find_device(value);
  if (device == nullptr)
    say(name, value, "one of " + api::device_words(), "the devices are the embedded driver's own");
  return device;
}

void check_wanted_kernels() {
  constexpr const char* name = "DRIVERLAB_KERNELS";
  const std::string_view value = value_of(name);
  if (!value.empty() && value != "compiled" && value != "interpreted")
    say(name, value, "compiled or interpreted",
        "kernels are compiled, and interpreted where the compiler refuses");
}

}  // namespace driver
