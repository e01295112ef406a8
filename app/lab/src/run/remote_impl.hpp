// SPDX-License-Identifier: MIT
// The connection behind a Remote: the launcher's process, its pipes, and the messages on them. Shared by
// remote.cpp, which opens it, and session_remote.cpp, which runs a program over it.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <mutex>

#include "base/file_descriptor.hpp"
#include "lab/remote.hpp"
#include "run/remote_line.hpp"
#include "run/remote_messages.hpp"
#include "run/remote_outbox.hpp"

namespace lab {

struct Remote::Impl {
  std::string launcher;
  pid_t process = -1;
  FileDescriptor to, from, errors;
  RemoteLines lines;
  std::string said;  // the end of what the launcher wrote on its stderr
  Driver driver;
  bool gone = false;  // its output has ended
  mutable std::mutex sending;
  RemoteOutbox outbox;  // with `sending`
  std::chrono::steady_clock::time_point last_heard;
  std::chrono::seconds silence_ends = kSilenceEnds;

  ~Impl() { end(); }
  // Starts the launcher with a command as its last arguments. False with errno.
  bool start(const std::vector<std::string>& command);
  // Never waits: take() sends what could not be sent at once. False: the other side is gone.
  bool send(char kind, const std::string& body = {});
  // Waits at most `patience`, receives what there is, and sends a sign that this side still works. False if
  // the other side is gone and all of its messages were received.
  bool take(std::chrono::milliseconds patience);
  bool silent() const;  // has sent nothing, or received nothing, for too long
  void end();
  Problem broken() const;
  bool stuck() const;
  bool send_waiting();
  std::string words_of_launcher() const;  // the text on both its outputs, to be shown
};

}  // namespace lab
