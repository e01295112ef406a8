// SPDX-License-Identifier: MIT
// The time of day in words: for records in UTC, for names of files as the clock on the wall shows it.
//
// For any thread. What lasts is measured by std::chrono::steady_clock and not by this.
#pragma once
#include <string>

namespace lab {

std::string now_utc();                       // ISO 8601, "2026-01-02T03:04:05Z"
std::string local_time(const char* format);  // as strftime() takes it, fewer than 64 bytes of result

}  // namespace lab
