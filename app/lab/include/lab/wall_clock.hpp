// SPDX-License-Identifier: MIT
// The time of day in words: in UTC for records, in local time for names of files.
//
// For any thread. Durations are measured with std::chrono::steady_clock, not with this.
#pragma once
#include <string>

namespace lab {

std::string now_utc();                       // ISO 8601, "2026-01-02T03:04:05Z"
std::string local_time(const char* format);  // a format of strftime(); the result has fewer than 64 bytes

}  // namespace lab
