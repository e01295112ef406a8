// SPDX-License-Identifier: MIT
// See lab/wall_clock.hpp.
#include "lab/wall_clock.hpp"

#include <ctime>

namespace lab {
namespace {

std::string time_words(const char* format, const std::tm& parts) {
  char words[64];
  return {words, std::strftime(words, sizeof words, format, &parts)};
}

}  // namespace

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return time_words("%Y-%m-%dT%H:%M:%SZ", parts);
}

std::string local_time(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  return time_words(format, parts);
}

}  // namespace lab
