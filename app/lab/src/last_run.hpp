// SPDX-License-Identifier: MIT
// The run that a window showed when it was closed, as a recording in the data folder, so that the next window
// shows it again. Owned by the thread that draws; reading and writing happen in threads of their own.
//
// It is a convenience and no file of the user's: what cannot be kept or read is left out without a word, and
// never in part.
#pragma once
#include <filesystem>
#include <functional>
#include <future>
#include <memory>

#include "lab/session.hpp"

namespace lab {

// A run of the past that stands where one of today would: it has ended, and takes no commands.
std::shared_ptr<Session> session_of_past(const std::filesystem::path& recording);  // nullptr: not whole

class LastRun {
 public:
  explicit LastRun(const std::filesystem::path& data);
  ~LastRun();
  // In the background, after what was asked for before. The session has ended.
  void keep(std::shared_ptr<Session> session, trace::RunInfo info);
  void forget();
  void begin_reading(std::function<void()> when_done);
  bool reading() const { return read_.valid(); }
  bool read() const;                // take() has something, or knows that there is nothing
  std::shared_ptr<Session> take();  // once
  void drop() { read_ = {}; }       // nobody wants it any more

 private:
  void after_the_one_before(std::function<void()> work);

  std::filesystem::path file_;
  std::future<void> writing_;
  std::future<std::shared_ptr<Session>> read_;
};

}  // namespace lab
