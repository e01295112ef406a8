// SPDX-License-Identifier: MIT
// Finds the first difference between two runs: compares them thread by thread and call by call, by the
// model's names. Used when two runs are shown side by side, and by the test that compares the embedded driver
// with recordings from hardware.
#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/difference.hpp"
#include "model/describe.hpp"

namespace lab {
namespace {

using What = Divergence::What;

std::string result_as_told(const trace::Event& event) {
  if (!event.returned) return "…";
  const std::string_view name = trace::result_name(event);
  return name.empty() ? fmt::format("{}", event.result) : std::string(name);
}

bool is_bare(const std::string& word) {
  return word.starts_with("0x");
}

// The folders of a program's files make no difference to what it does, and change with every build: only the
// file name of a path is compared.
std::string without_folder(const std::string& quoted) {
  const bool path = quoted.starts_with("\"/") && !quoted.starts_with("\"//") &&
                    quoted.find_first_of("\n\\") == std::string::npos;
  return path ? "\"" + quoted.substr(quoted.rfind('/') + 1) : quoted;
}

// The part of a call's arguments that is the same in two runs of one program: objects by name, and values
// that the program itself chose. "" for what may differ.
std::string common_word(const Model& model, std::size_t event, const trace::Argument& argument,
                        const CompareOptions& options) {
  const bool written = is_output(argument);
  if (written && !argument.out) return argument.null ? "null" : "";
  switch (argument.kind) {
    case trace::ValueKind::Handle:
    case trace::ValueKind::DevicePointer:
    case trace::ValueKind::HostPointer:
      break;
    case trace::ValueKind::Unsigned:
    case trace::ValueKind::Signed:
    case trace::ValueKind::Size:
    case trace::ValueKind::Float:
      if (handle_kind(argument) != ObjectKind::None) break;
      if (written || !options.numbers) return "";
      break;
    case trace::ValueKind::Enumerator:
    case trace::ValueKind::Flags:
    case trace::ValueKind::Boolean:
    case trace::ValueKind::String:
      if (written) return "";
      break;
    default:
      return "";
  }
  std::string word = written ? written_word(model, event, argument) : passed_word(model, event, argument);
  if (argument.kind == trace::ValueKind::String) return without_folder(word);
  return is_bare(word) ? "" : word;
}

// What the call made and ended, by name.
std::string objects_word(const Model& model, std::size_t event) {
  std::vector<std::string> words;
  for (const Change& change : model.changes(event)) {
    const ObjectId id = change.object ? change.object : ObjectId{ObjectKind::Allocation, change.allocation};
    switch (change.kind) {
      case Change::Kind::ObjectCreated:
      case Change::Kind::Allocated:
        words.push_back("+" + model.name_of(id));
        break;
      case Change::Kind::ObjectEnded:
      case Change::Kind::Freed:
        words.push_back("-" + model.name_of(id));
        break;
      default:
        break;
    }
  }
  std::sort(words.begin(), words.end());  // what ends with a context ends in no particular order
  return fmt::format("{}", fmt::join(words, " "));
}

class RunComparer {
 public:
  RunComparer(const ComparedRun& a, const ComparedRun& b, const CompareOptions& options)
      : a_(a), b_(b), options_(options) {}

  Comparison run() {
    std::unordered_map<std::uint32_t, std::vector<std::size_t>> others;
    for (std::size_t call = 0; call < b_.store.calls(); ++call) {
      const std::size_t event = b_.store.event_of_call(call);
      others[b_.store.thread_at(event)].push_back(event);
    }
    Comparison result;
    std::unordered_map<std::uint32_t, std::size_t> next;
    for (std::size_t call = 0; call < a_.store.calls() && call < options_.most_calls; ++call) {
      const std::size_t event = a_.store.event_of_call(call);
      const trace::Event mine = a_.store.at(event);
      if (mine.process != 0) continue;
      const std::vector<std::size_t>& theirs = others[mine.thread];
      std::size_t& at = next[mine.thread];
      while (at < theirs.size() && b_.store.at(theirs[at]).process != 0) ++at;
      if (at == theirs.size()) {
        result.first = Divergence{What::Ends, mine.thread, event, std::nullopt, a_.model.describe(event), ""};
        return result;
      }
      result.first = compare(event, mine, theirs[at++]);
      if (result.first) return result;
      ++result.calls;
    }
    if (options_.most_calls < a_.store.calls()) return result;
    for (const auto& [thread, theirs] : others)
      for (std::size_t at = next[thread]; at < theirs.size(); ++at) {
        if (b_.store.at(theirs[at]).process != 0) continue;
        if (!result.first || *result.first->event_b > theirs[at])
          result.first =
              Divergence{What::Ends, thread, std::nullopt, theirs[at], "", b_.model.describe(theirs[at])};
        break;
      }
    return result;
  }

 private:
  std::optional<Divergence> compare(std::size_t event, const trace::Event& mine, std::size_t other) {
    const trace::Event theirs = b_.store.at(other);
    const auto part = [&](What what, std::string a, std::string b) -> std::optional<Divergence> {
      if (a == b) return std::nullopt;
      return Divergence{what, mine.thread, event, other, std::move(a), std::move(b)};
    };
    if (mine.function != theirs.function)
      return part(What::Call, a_.model.describe(event), b_.model.describe(other));
    if (auto found = part(What::Result, result_as_told(mine), result_as_told(theirs))) return found;
    for (const trace::Argument& argument : mine.arguments) {
      const auto match = std::find_if(theirs.arguments.begin(), theirs.arguments.end(),
                                      [&](const trace::Argument& a) { return a.name == argument.name; });
      if (match == theirs.arguments.end()) continue;  // another version of the same call
      const std::string a = common_word(a_.model, event, argument, options_);
      const std::string b = common_word(b_.model, other, *match, options_);
      if (!a.empty() && !b.empty() && a != b)
        return part(What::Arguments, fmt::format("{}={}", argument.name, a),
                    fmt::format("{}={}", argument.name, b));
    }
    const auto stack = [](const ComparedRun& run, std::size_t index) {
      std::vector<std::string> names = run.model.stack_names(index);
      for (std::string& name : names)
        if (is_bare(name)) name = "0x…";  // a context without a name: a number that is different in each run
      return fmt::format("{}", fmt::join(names, " "));
    };
    if (auto found = part(What::Stack, stack(a_, event), stack(b_, other))) return found;
    return part(What::Objects, objects_word(a_.model, event), objects_word(b_.model, other));
  }

  const ComparedRun& a_;
  const ComparedRun& b_;
  const CompareOptions& options_;
};

}  // namespace

Comparison first_divergence(const ComparedRun& a, const ComparedRun& b, const CompareOptions& options) {
  return RunComparer(a, b, options).run();
}

}  // namespace lab
