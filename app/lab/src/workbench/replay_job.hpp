// SPDX-License-Identifier: MIT
// Reads a recording in a separate thread, into a store that is shown while it grows.
//
// What the recording says about itself (info, result, end) is readable once `done`; `store` and `watch` are
// thread-safe. `taken` belongs to the reader of the result.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "lab/session.hpp"
#include "lab/text.hpp"
#include "trace/recording.hpp"
#include "trace/store.hpp"
#include "workbench/wake.hpp"

namespace lab {

struct ReplayJob {
  explicit ReplayJob(std::filesystem::path recording);
  ~ReplayJob();  // ends the reading
  void start(std::shared_ptr<Wake> wake);
  // The part of the file that has been read, about 0 to 1.
  double part() const;
  // Once it is done: ends the thread; says why the recording could not be read to its end.
  std::optional<Problem> take();

  std::filesystem::path path;
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  trace::Store store;
  trace::RunInfo info;
  trace::RecordingResult result;
  std::optional<RunEnd> end;
  trace::ReadWatch watch;
  std::uintmax_t size = 0;  // of the file; 0: not known
  std::atomic<bool> done = false;
  bool taken = false;
  std::thread thread;
};

}  // namespace lab
