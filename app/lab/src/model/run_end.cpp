// SPDX-License-Identifier: MIT
// See lab/run_end.hpp. The end in words, with the meaning of a signal, for the window and the command line.
#include "lab/run_end.hpp"

#include <string.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

namespace lab {
namespace {

constexpr std::size_t kLongestName = 255;  // of a file

std::string signal_name(int number) {
  const char* abbreviation = ::sigabbrev_np(number);
  return abbreviation != nullptr ? std::string("SIG") + abbreviation : std::to_string(number);
}

Text signal_meaning(int number) {
  switch (number) {
    case SIGSEGV:
      return Text::SignalSegv;
    case SIGBUS:
      return Text::SignalBus;
    case SIGABRT:
      return Text::SignalAbrt;
    case SIGFPE:
      return Text::SignalFpe;
    case SIGILL:
      return Text::SignalIll;
    case SIGTRAP:
      return Text::SignalTrap;
    case SIGPIPE:
      return Text::SignalPipe;
    default:
      return Text::SignalOther;
  }
}

// Not an error of the program: it was ended from outside.
bool is_sent(int number) {
  return number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP;
}

}  // namespace

// "2\nprogram\nliblibrary.so": how many it left running, and a line for each file.
std::string RunEnd::further() const {
  if (left_running == 0 && unread.empty()) return {};
  std::string text = std::to_string(left_running);
  for (std::string name : unread) {
    std::replace(name.begin(), name.end(), '\n', ' ');
    text += '\n' + name;
  }
  return text;
}

void RunEnd::set_further(std::string_view text) {
  const std::size_t first = std::min(text.find('\n'), text.size());
  left_running = std::atoi(std::string(text.substr(0, first)).c_str());
  unread.clear();
  while (text.find('\n') != std::string_view::npos) {
    text.remove_prefix(text.find('\n') + 1);
    unread.emplace_back(text.substr(0, std::min(text.find('\n'), kLongestName)));
  }
}

std::string RunEnd::in(Language language) const {
  if (!unread.empty()) {
    constexpr std::size_t kMostNamed = 3;
    RunEnd itself = *this;
    itself.unread.clear();
    std::string names;
    for (std::size_t i = 0; i < std::min(unread.size(), kMostNamed); ++i)
      names += (i > 0 ? ", " : "") + unread[i];
    if (unread.size() > kMostNamed) names += ", …";
    return text(Text::EndUnread, language, {itself.in(language), names});
  }
  if (left_running > 0) {
    RunEnd itself = *this;
    itself.left_running = 0;
    return text(Text::EndLeftRunning, language,
                {itself.in(language), std::to_string(left_running), std::to_string(calls_of_others)});
  }
  const std::string value = std::to_string(number);
  const auto say = [&](Text plain, Text within, std::vector<std::string> values) {
    if (inside.empty()) return text(plain, language, values);
    values.push_back(inside);
    return text(within, language, values);
  };
  switch (kind) {
    case trace::EndKind::Exit:
      return text(Text::EndExit, language, {value});
    case trace::EndKind::Signal:
      if (is_sent(number)) return say(Text::EndSent, Text::EndSentInside, {signal_name(number)});
      return say(Text::EndSignal, Text::EndSignalInside,
                 {signal_name(number), std::string(text(signal_meaning(number), language))});
    case trace::EndKind::TimeLimit:
      return say(Text::EndTime, Text::EndTimeInside, {value});
    case trace::EndKind::MemoryLimit:
      return say(Text::EndMemory, Text::EndMemoryInside, {value});
    case trace::EndKind::OutputLimit:
      return text(Text::EndOutput, language, {value});
    case trace::EndKind::Killed:
      if (number > 0) return text(Text::EndProcesses, language, {value});
      return say(Text::EndStopped, Text::EndStoppedInside, {});
    case trace::EndKind::TraceLost:
      return std::string(text(Text::EndTraceLost, language));
  }
  return {};
}

// Calls that never returned come after all others in the store, inner ones before outer ones.
std::optional<std::size_t> call_left_inside(const trace::Store& store) {
  for (std::size_t i = store.size(); i-- > 0;) {
    if (store.kind_at(i) != trace::EventKind::Call) continue;
    const trace::Event event = store.at(i);
    if (event.process != 0) continue;
    return event.returned ? std::nullopt : std::optional(i);
  }
  return std::nullopt;
}

std::uint64_t calls_of_others(const trace::Store& store) {
  std::uint64_t calls = 0;
  for (std::size_t i = 0; i < store.size(); ++i)
    calls += store.kind_at(i) == trace::EventKind::Call && store.process_at(i) != 0 ? 1 : 0;
  return calls;
}

std::optional<RunEnd> end_of(const trace::Store& store) {
  for (std::size_t i = store.size(); i-- > 0;) {
    if (store.kind_at(i) != trace::EventKind::ProcessEnd) continue;
    const trace::Event event = store.at(i);
    if (event.process != 0) continue;
    RunEnd end;
    end.kind = event.end;
    end.number = static_cast<int>(event.number);
    end.set_further(event.text);
    if (end.left_running > 0) end.calls_of_others = calls_of_others(store);
    if (end.kind != trace::EndKind::Exit)
      if (const auto call = call_left_inside(store)) end.inside = std::string(store.at(*call).name);
    return end;
  }
  return std::nullopt;
}

}  // namespace lab
