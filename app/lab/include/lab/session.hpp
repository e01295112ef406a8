// SPDX-License-Identifier: MIT
// One run of a program under the tracer, from start to end, in a process group of its own.
//
// start() returns at once; a thread of the session polls the rings and the output, enforces the limits, and
// appends to the store. The store and the end can still be read after the program has ended, however it
// ended.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lab/builder.hpp"
#include "lab/interception.hpp"
#include "lab/run_end.hpp"
#include "trace/live.hpp"
#include "trace/recording.hpp"
#include "trace/store.hpp"

namespace lab {

class Remote;

struct RunRequest {
  std::vector<std::string> command;  // program and arguments
  std::filesystem::path working_folder;
  std::vector<std::string> environment;  // NAME=VALUE, in place of the lab's own; on this machine only
  Driver driver;
  Limits limits;
  bool hold = false;                    // stop before the first call
  trace::RunInfo info;                  // lesson, sources, … for recordings
  std::filesystem::path source_folder;  // Event::file is relative to it for files below it
  std::shared_ptr<Remote> remote;  // another machine, which already has the program; `driver` is its driver
  Language language = Language::English;  // of the reports of check.hpp: the program's DRIVERLAB_LANGUAGE
  bool stacks = false;                    // record the call stack of each call
  bool outlives = false;                  // the program is the user's own: it goes on if the lab is killed
  bool preload = false;                   // load the tracer by LD_PRELOAD even if that seems unnecessary
  std::size_t trace_bytes = 0;  // memory for events; when it is full, calls are only counted; 0: no limit

  // Fills in what every recording states: its driver, when the run began, and which driverlab made it.
  void describe_run();
};

using trace::half_of_memory;  // the limit of a trace that has no other limit

// A source line; the program is held before each driver call that is made from it.
struct Breakpoint {
  std::string file;  // as in Event::file; its folder does not matter
  int line = 0;      // 1-based
  auto operator<=>(const Breakpoint&) const = default;
};

class Session {
 public:
  static Result<std::unique_ptr<Session>> start(const RunRequest& request, const Installation& installation);
  virtual ~Session();  // stops the program and waits for it

  virtual const trace::Store& store() const = 0;
  virtual const RunRequest& request() const = 0;
  virtual const Interception& interception() const = 0;
  virtual std::vector<trace::Pending> pending() const = 0;  // thread-safe copy
  virtual bool running() const = 0;
  virtual std::optional<RunEnd> end() const = 0;
  // Why the lab could not follow the run to its end: a broken connection, or not enough memory.
  virtual std::optional<Problem> trouble() const { return std::nullopt; }

  virtual void step(std::uint32_t thread) = 0;  // run the held call of this thread, and hold at its next call
  virtual void step_any() = 0;                  // the same for the thread that has been held longest
  virtual void run_on() = 0;                    // continue: hold only before calls at a breakpoint
  virtual void hold() = 0;                      // pause: hold every thread at its next call
  virtual void set_breakpoints(std::set<Breakpoint> breakpoints) = 0;
  virtual bool passing() const = 0;  // runs to the next breakpoint: a call that is held now runs at once
  virtual void stop() = 0;           // kills the process group, which is recorded as an event
  virtual void wait() = 0;           // blocks until the end and until everything is in the store

  // `f` is called from the session's thread when the store has grown, a call has become pending, or the
  // program has ended; at most about 160 times a second. It must not block, and must not destroy the session.
  // If the program has already ended, set_on_change() itself calls `f`.
  virtual void set_on_change(std::function<void()> f) = 0;

 protected:
  Session() = default;
};

}  // namespace lab
