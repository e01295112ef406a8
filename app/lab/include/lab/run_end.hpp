// SPDX-License-Identifier: MIT
// How a run ended: an exit status, a signal, a limit that was exceeded, and the call that never returned. It
// is read from the events of the run, so a recording has it too.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/text.hpp"
#include "trace/event.hpp"
#include "trace/store.hpp"

namespace lab {

struct RunEnd {
  trace::EndKind kind = trace::EndKind::Exit;
  // Exit status; signal; seconds or MiB of the limit. Killed: 0 if it was asked to stop, else the limit of
  // processes, which it exceeded.
  int number = 0;
  std::string in(
      Language language) const;  // "crashed: SIGSEGV (invalid memory reference) in cuCtxPushCurrent"
  std::string inside;            // the call that never returned, or ""
  // Processes that it left running and that were ended with it; and the number of calls of all processes but
  // the first, if there were other processes.
  int left_running = 0;
  std::uint64_t calls_of_others = 0;
  // Names of executables and libraries whose debug information could not be read: their calls have no lines.
  std::vector<std::string> unread = {};
  std::string further() const;  // `left_running` and `calls_of_others` as the text of an event
  void set_further(std::string_view text);
  bool asked_to() const { return kind == trace::EndKind::Killed && number == 0; }  // the user stopped it
};

// The place in the store of the outermost call from which the program (process 0) never returned.
std::optional<std::size_t> call_left_inside(const trace::Store& store);
std::uint64_t calls_of_others(const trace::Store& store);
// How a finished run ended, from its own events: also for recordings, which have no session. Nothing if the
// end was not recorded.
std::optional<RunEnd> end_of(const trace::Store& store);

}  // namespace lab
