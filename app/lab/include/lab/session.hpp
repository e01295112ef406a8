// SPDX-License-Identifier: MIT
// One run of a program under the tracer, from start to end, in a process group of its own.
//
// start() returns at once; a thread of the session polls the rings and the output, enforces the limits, and
// appends to the store. The store and the end stay readable after the program is gone, however it went.
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
#include "lab/way_in.hpp"
#include "trace/live.hpp"
#include "trace/recording.hpp"
#include "trace/store.hpp"

namespace lab {

class Remote;

struct RunRequest {
  std::vector<std::string> command;  // program and arguments
  std::filesystem::path working_folder;
  Driver driver;
  Limits limits;
  bool hold = false;                    // stop before the first call
  trace::RunInfo info;                  // lesson, sources, … for recordings
  std::filesystem::path source_folder;  // files below it are named relative to it in Event::file
  std::shared_ptr<Remote> remote;  // another machine; it has the program already, `driver` is the one there
  bool stacks = false;             // record the call stack of each call
  bool outlives = false;           // a program that is the user's: it goes on when the lab is killed
  bool preload = false;            // stand in front by LD_PRELOAD even where no need for it is seen
  std::size_t trace_bytes = 0;     // memory for events, beyond which calls are only counted; 0: no limit

  // Fills in what every recording says: its driver, when the run began, and which driverlab made it.
  void describe_run();
};

using trace::half_of_memory;  // what a trace without another limit may take

// A line of the source before whose driver calls the program is held.
struct Breakpoint {
  std::string file;  // as in Event::file; its folder does not matter
  int line = 0;      // 1-based
  auto operator<=>(const Breakpoint&) const = default;
};

struct RunEnd {
  trace::EndKind kind = trace::EndKind::Exit;
  // Exit status; signal; seconds or MiB of the limit. Killed: 0 when asked to stop, else the number of
  // processes that it was not allowed to exceed.
  int number = 0;
  std::string in(
      Language language) const;  // "crashed: SIGSEGV (invalid memory reference) in cuCtxPushCurrent"
  std::string inside;            // the call it never returned from, or ""
  // Processes that it left running and that were ended with it; and, where there were some, the calls that
  // were seen of all processes but the first.
  int left_running = 0;
  std::uint64_t calls_of_others = 0;
  // Names of executables and libraries whose debug information could not be read: their calls have no lines.
  std::vector<std::string> unread = {};
  std::string further() const;  // the two before, as the text of an event
  void set_further(std::string_view text);
  bool asked_to() const { return kind == trace::EndKind::Killed && number == 0; }  // by who uses the lab
};

// The place in the store of the call that the program (process 0) never returned from, the outermost one.
std::optional<std::size_t> call_left_inside(const trace::Store& store);
std::uint64_t calls_of_others(const trace::Store& store);
// How a finished run ended, from its own events: also for recordings, where there is no session to ask.
// Nothing where the end was not recorded.
std::optional<RunEnd> end_of(const trace::Store& store);

class Session {
 public:
  static Result<std::unique_ptr<Session>> start(const RunRequest& request, const Installation& installation);
  virtual ~Session();  // stops the program and waits for it

  virtual const trace::Store& store() const = 0;
  virtual const RunRequest& request() const = 0;
  virtual const WayIn& way_in() const = 0;
  virtual std::vector<trace::Pending> pending() const = 0;  // thread-safe copy
  virtual bool running() const = 0;
  virtual std::optional<RunEnd> end() const = 0;
  // What kept the lab from following the run to its end: a connection that broke, memory that ran out.
  virtual std::optional<Problem> trouble() const { return std::nullopt; }

  virtual void step(std::uint32_t thread) = 0;  // run the held call of this thread, hold at its next
  virtual void step_any() = 0;                  // the thread held longest
  virtual void run_on() = 0;                    // continue: hold no more, but before calls at a breakpoint
  virtual void hold() = 0;                      // pause: hold every thread at its next call
  virtual void set_breakpoints(std::set<Breakpoint> breakpoints) = 0;
  virtual bool passing() const = 0;  // runs on until a breakpoint: what is held now is let go at once
  virtual void stop() = 0;           // kills the process group; kept as an event
  virtual void wait() = 0;           // blocks until the end and until everything is in the store

  // Called from the session's thread after the store grew, a call became pending, or the program ended; at
  // most about 160 times a second. It must not block, and must not destroy the session.
  // Set when the program has already ended, it is called at once, by the caller.
  virtual void set_on_change(std::function<void()> f) = 0;

 protected:
  Session() = default;
};

}  // namespace lab
