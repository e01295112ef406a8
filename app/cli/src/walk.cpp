// SPDX-License-Identifier: MIT
// Lines for a terminal. All text from a program or a recording goes through printable(), because such text
// must not control the terminal.
#include "walk.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lab/explain.hpp"

namespace cli {
namespace {

using T = lab::Text;

constexpr std::size_t kLongestBegun = 64 << 10;  // a line without end must not wait for ever
constexpr std::size_t kMostExplained = 200;      // enough for a loop of failures
// Of a stack deeper than the first, the bottom and the top are printed, and how many are in between.
constexpr std::size_t kDeepestWhole = 40, kBottomShown = 4, kTopShown = 12;
constexpr std::size_t kCallWidth = 62, kAnswerWidth = 32, kPlaceWidth = 14;
constexpr const char *kDim = "2", *kBold = "1", *kRed = "31";
// The colours of contexts in the window, as near as 256 colours come.
constexpr const char* kContextColours[] = {"38;5;214", "38;5;117", "38;5;36", "38;5;227",
                                           "38;5;33",  "38;5;202", "38;5;175"};

const char* colour_of(const std::string& context) {
  std::size_t sum = 0;
  for (char c : context) sum = sum * 26 + static_cast<std::size_t>(static_cast<unsigned char>(c) - 'A');
  return kContextColours[sum % std::size(kContextColours)];
}

std::string place_of(const trace::Event& event) {
  return event.file.empty() ? std::string() : printable(fmt::format("{}:{}", event.file, event.line));
}

std::string answer_of(const trace::Event& event) {
  const std::string_view name = trace::result_name(event);
  if (event.result == 0) return std::string(name);
  return fmt::format("{} {}", event.result, name);
}

}  // namespace

Walk::Walk(const Shell& shell, const lab::ProcessModels& models, const trace::Store& store, bool colour)
    : shell_(shell), models_(models), store_(store), colour_(colour) {}

std::string Walk::paint(const char* sequence, const std::string& text) const {
  return colour_ && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", sequence, text) : text;
}

void Walk::header() const {
  const auto cell = [this](T key, std::size_t width) { return padded(shell_.text(key), width); };
  cli::print(
      "{}\n",
      paint(kDim, fmt::format("{:>5} {:>2}  {}  {}  {}  {}", "#", shell_.text(T::CliColumnThread),
                              cell(T::CliColumnCall, kCallWidth), cell(T::CliColumnAnswer, kAnswerWidth),
                              cell(T::CliColumnLine, kPlaceWidth), shell_.text(T::CliColumnStack))));
}

std::string Walk::note_line(const std::string& sentence) const {
  return fmt::format("          {}\n", paint(kDim, printable(sentence)));
}

void Walk::note(const std::string& sentence) const {
  cli::print("{}", note_line(sentence));
}

// As after this event. What is on the stack may be dead: an entry outlives its context.
std::string Walk::stack_of(std::size_t index, std::uint32_t thread) const {
  const lab::State& state = models_.of_event(index).at(index + 1);
  const std::vector<std::uint32_t>& contexts = state.stack_of(thread);
  std::string stack = "[";
  const std::size_t depth = contexts.size();
  for (std::size_t i = 0; i < depth; ++i) {
    if (depth > kDeepestWhole && i == kBottomShown) {
      i = depth - kTopShown;
      stack += fmt::format(", … {} …", i - kBottomShown);
    }
    const lab::Context& context = state.contexts[contexts[i]];
    const bool dead = context.is_dead();
    if (stack.size() > 1) stack += ", ";
    stack += paint(dead ? kDim : colour_of(context.name), dead ? context.name + "†" : context.name);
  }
  return stack + "]";
}

void Walk::print_step(const trace::Event& event) {
  const auto step = steps_.next(marks_, event.thread, event.file, static_cast<int>(event.line));
  if (!step || marks_[*step].name == step_) return;
  step_ = marks_[*step].name;
  cli::print("{}\n", paint(kBold, "▸ " + step_));
}

void Walk::print_call(std::size_t index, const trace::Event& event) {
  lab::CallsBegun<std::string>& waiting = waiting_[event.thread];
  if (!waiting.add(event.depth, lines_of(index, event))) return;
  print_step(event);
  for (const auto& [depth, lines] : waiting.calls()) cli::print("{}", lines);
  waiting.clear();
}

void Walk::finish() {
  print_begun_lines();
  for (const auto& [thread, waiting] : waiting_)
    for (const auto& [depth, lines] : waiting.calls()) cli::print("{}", lines);
  waiting_.clear();
}

// Ends with a line break.
std::string Walk::lines_of(std::size_t index, const trace::Event& event) {
  const lab::Model& model = models_.of_event(index);
  const std::string indent(std::size_t{2} * std::min<std::uint32_t>(event.depth, 8), ' ');
  const std::string call = padded(indent + printable(model.describe(index)), kCallWidth);
  const bool failed = !event.returned || event.result != 0;
  const std::string answer =
      padded(event.returned ? answer_of(event) : shell_.text(T::CliNeverReturned), kAnswerWidth);
  std::string stack = event.returned ? stack_of(index, event.thread) : "";
  if (event.process != 0)
    stack += paint(kDim, " " + shell_.text(T::CliInProcess, {std::to_string(event.process)}));
  std::string lines = fmt::format("{:>5} {:>2}  {}  {}  {}  {}\n", store_.calls_before(index) + 1,
                                  event.thread, call, failed ? paint(kRed, answer) : paint(kDim, answer),
                                  padded(place_of(event), kPlaceWidth), stack);
  if (event.returned && !model.agrees(index))
    lines += note_line(shell_.text(T::CliDisagree, {model.current_name(index)}));
  if (!failed || explained_ == kMostExplained) return lines;
  if (const auto why = lab::explain(model, store_, index)) {
    ++explained_;
    lines += note_line("↳ " + why->sentence.in(shell_.language));
  }
  return lines;
}

void Walk::print_line(bool error, std::string_view line) const {
  cli::print("          {} {}\n", error ? paint(kRed, "┆") : paint(kDim, "│"), printable(line));
}

void Walk::print_output(const trace::Event& event) {
  const bool error = event.number == 2;
  std::string& begun = begun_[error ? 1 : 0];
  if (event.zeros != 0) {
    if (!begun.empty()) print_line(error, std::exchange(begun, {}));
    return print_line(error, shell_.text(T::OutputZeros, {std::to_string(event.zeros)}));
  }
  begun += event.text;
  std::string_view text = begun;
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1))
    print_line(error, text.substr(0, end));
  if (text.size() > kLongestBegun) print_line(error, std::exchange(text, {}));
  begun.erase(0, begun.size() - text.size());
}

void Walk::print_begun_lines() {
  for (const bool error : {false, true}) {
    std::string& begun = begun_[error ? 1 : 0];
    if (!begun.empty()) print_line(error, begun);
    begun.clear();
  }
}

void Walk::print(std::size_t index) {
  const trace::Event event = store_.at(index);
  // Output from before a call is printed before it, even if its line has no end.
  if (event.kind != trace::EventKind::Output && event.kind != trace::EventKind::ModuleMapped)
    print_begun_lines();
  switch (event.kind) {
    case trace::EventKind::Call:
      return print_call(index, event);
    case trace::EventKind::Output:
      return print_output(event);
    case trace::EventKind::ThreadStart:
      if (event.thread == 0) return;
      return note(event.text.empty()
                      ? shell_.text(T::CliThreadStarts, {std::to_string(event.thread)})
                      : shell_.text(T::CliNamedThreadStarts, {std::to_string(event.thread), event.text}));
    case trace::EventKind::ThreadEnd:
      if (event.thread == 0) return;
      return note(shell_.text(T::CliThreadEnds, {std::to_string(event.thread)}));
    case trace::EventKind::Lost:
      if (!event.text.empty()) note(shell_.text(T::CliOutputLost, {event.text}));
      if (event.number == 0) return;
      return note(shell_.text(T::CliLost, {std::to_string(event.number)}));
    case trace::EventKind::ProcessStart:
      if (event.process == 0) return;
      return note(shell_.text(T::CliProcessStarts, {std::to_string(event.process), event.text}));
    case trace::EventKind::ProcessEnd:
    case trace::EventKind::ModuleMapped:
    case trace::EventKind::Stack:
      return;
  }
}

int status_of(const lab::RunEnd& end) {
  switch (end.kind) {
    case trace::EndKind::Exit:
      return end.number;
    case trace::EndKind::Signal:
      return 128 + end.number;
    case trace::EndKind::TimeLimit:
    case trace::EndKind::MemoryLimit:
    case trace::EndKind::OutputLimit:
      return kStoppedByLimit;
    case trace::EndKind::Killed:  // by the user; or, with a number, for starting more processes than that
      return end.number > 0 ? kStoppedByLimit : kInterrupted;
    case trace::EndKind::TraceLost:
      return kNo;
  }
  return kNo;
}

std::string sentence_of(const lab::RunEnd& end, const trace::Store& store, lab::Language language) {
  std::string sentence = end.in(language);
  if (end.inside.empty()) return sentence;
  const auto call = lab::call_left_inside(store);
  const std::string place = call ? place_of(store.at(*call)) : std::string();
  return place.empty() ? sentence : lab::text(T::CliEndAt, language, {sentence, place});
}

}  // namespace cli
