// SPDX-License-Identifier: MIT
// The run that a window showed when it was closed, as a recording in the data folder, so that the next window
// shows it again. Owned by the thread that draws; other threads read and write.
//
// It is a convenience and not a file of the user's: if it cannot be saved or read completely, there is none,
// and no message.
#pragma once
#include <filesystem>
#include <functional>
#include <future>
#include <memory>

#include "lab/session.hpp"

namespace lab {

// A saved run in the form of a Session: it has ended, and takes no commands.
std::shared_ptr<Session> session_of_past(const std::filesystem::path& recording);  // nullptr: not whole

class LastRun {
 public:
  explicit LastRun(const std::filesystem::path& data);
  ~LastRun();
  // Works in the background, after earlier requests. The session has ended.
  void keep(std::shared_ptr<Session> session, trace::RunInfo info);
  void forget();
  void begin_reading(std::function<void()> when_done);
  bool reading() const { return read_.valid(); }
  bool read() const;                // reading has finished: take() returns the run, or null if there is none
  std::shared_ptr<Session> take();  // once
  void drop() { read_ = {}; }       // it is not needed any more

 private:
  void after_the_one_before(std::function<void()> work);

  std::filesystem::path file_;
  std::future<void> writing_;
  std::future<std::shared_ptr<Session>> read_;
};

}  // namespace lab
