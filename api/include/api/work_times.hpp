// SPDX-License-Identifier: MIT
// When work in streams ran: what the embedded driver tells the tracer beside the driver API.
//
// A driver that knows it exports the function and the flag by the names below; no other driver has them, and
// the tracer then records nothing. The function is of this project, and stands for none of NVIDIA's.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace api {

// In ns of CLOCK_MONOTONIC.
struct WorkTime {
  std::uint64_t enqueued = 0;  // within the call that put it into its stream
  std::uint64_t began = 0, ended = 0;
  std::uint64_t thread = 0;  // the system's id of the thread that made that call
};

// Hands over at most so many pieces of work that have ended since the last time, each once, and returns how
// many. From the first call on, the driver notes them.
using TakeWorkTimes = std::size_t(WorkTime* into, std::size_t most);
inline constexpr char kTakeWorkTimes[] = "driverlab_take_work_times";
// Not 0 while there may be some to take.
using WorkTimesWaiting = std::atomic<std::uint32_t>;
inline constexpr char kWorkTimesWaiting[] = "driverlab_work_times_waiting";

}  // namespace api
