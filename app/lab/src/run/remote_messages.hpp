// SPDX-License-Identifier: MIT
// The messages between a lab and `driverlab serve`: their kinds, and their contents as JSON and back. Reading
// trusts no input: a value that is missing or of another type is left as it was.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lab/builder.hpp"
#include "lab/session.hpp"

namespace lab {

// From the lab that asks.
inline constexpr char kAskRequest = 'R', kAskFile = 'F', kAskBuild = 'B', kAskGo = 'G', kAskStep = 'S',
                      kAskStepAny = 'A', kAskRunOn = 'C', kAskHold = 'H', kAskBreakpoints = 'K',
                      kAskStop = 'X', kAskAlive = 'N';
// From the lab that serves.
inline constexpr char kTellHello = 'h', kTellDriver = 'd', kTellProblem = 'p', kTellBuild = 'b',
                      kTellEvents = 'e', kTellPending = 'w', kTellEnd = 'z', kTellAlive = 'n',
                      kTellStarted = 's';

inline constexpr int kAliveEvery = 5;  // seconds between two signs that a side still works

struct RemoteHello {
  std::string version;
  std::size_t sentences = 0;  // kTextCount: keys of sentences mean the same on both sides
};
struct RemoteOrder {
  std::string driver;                // as --driver has it
  std::optional<Lesson> lesson;      // its files follow; or
  std::vector<std::string> command;  // a program, its path as it is on the asking side
  std::string folder;                // its working folder on the asking side
  std::uint64_t program_bytes = 0;   // of its file, which follows; 0: none does
  std::int64_t program_time = 0;     // when it was changed, nanoseconds
};
struct RemoteStart {
  bool hold = false;
  bool stacks = false, preload = false;
  Language language = Language::English;
  std::uint64_t trace_bytes = 0;  // as RunRequest has it
  std::set<Breakpoint> breakpoints;
};
struct RemotePending {
  std::vector<trace::Pending> calls;
  bool passing = false;
};

std::string to_message(const RemoteHello& hello);
std::string to_message(const RemoteOrder& order);
std::string to_message(const RemoteStart& start);
std::string to_message(const std::set<Breakpoint>& breakpoints);
std::string to_message(const Interception& way);
std::string to_message(const Driver& driver);  // what a person reads of it
std::string to_message(const Problem& problem);
std::string to_message(const BuildResult& result);
std::string to_message(const RunEnd& end);
std::string to_message(const RemotePending& pending);

std::optional<RemoteHello> hello_from(const std::string& words);
std::optional<RemoteOrder> order_from(const std::string& words);
std::optional<RemoteStart> start_from(const std::string& words);
std::set<Breakpoint> breakpoints_from(const std::string& words);
std::optional<Interception> interception_from(const std::string& words);
std::optional<Driver> driver_from(const std::string& words);
std::optional<Problem> problem_from(const std::string& words);
std::optional<BuildResult> build_from(const std::string& words);
std::optional<RunEnd> end_from(const std::string& words);
std::optional<RemotePending> pending_from(const std::string& words);

}  // namespace lab
