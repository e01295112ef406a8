// SPDX-License-Identifier: MIT
// The time of day in words: in UTC for records, in local time for names of files.
//
// For any thread. Durations are measured by std::chrono::steady_clock and not here.
#pragma once
#include <string>

namespace lab {

std::string now_utc();                       // ISO 8601, "2026-01-02T03:04:05Z"
std::string local_time(const char* format);  // as strftime() takes it, fewer than 64 bytes of result

}  // namespace lab
