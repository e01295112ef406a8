// SPDX-License-Identifier: MIT
// Finds the first difference between two runs: compares them thread by thread and call by call, by the
// model's names. Used when two runs are shown side by side, and by the test that compares the embedded driver
// with recordings from hardware.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

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

ObjectId made_by(const Change& change) {
  switch (change.kind) {
    case Change::Kind::ContextCreated:
      return {ObjectKind::Context, change.context};
    case Change::Kind::ObjectCreated:
    case Change::Kind::Allocated:
      return change.object ? change.object : ObjectId{ObjectKind::Allocation, change.allocation};
    default:
      return {};
  }
}

// The names of what has another name in the first run than in the second: names count what is made, and
// threads that overlap differently make it in another order. Two objects are the same if the same call of the
// same thread made them.
class Namesakes {
 public:
  void note(const Model& a, const std::vector<Change>& made_in_a, const Model& b,
            const std::vector<Change>& made_in_b) {
    const std::vector<ObjectId> first = made(made_in_a), second = made(made_in_b);
    const auto same_kind = [](ObjectId x, ObjectId y) { return x.kind == y.kind; };
    if (!std::equal(first.begin(), first.end(), second.begin(), second.end(), same_kind)) return;
    for (std::size_t i = 0; i < first.size(); ++i) {
      std::string here = a.name_of(first[i]), there = b.name_of(second[i]);
      if (here != there) names_[std::move(there)] = std::move(here);
    }
  }
  // Of a name of the second run, also in "#3+16" and in "M1.vecAdd".
  std::string in_first(const std::string& word) const {
    if (names_.empty()) return word;
    if (const auto whole = names_.find(word); whole != names_.end()) return whole->second;
    const std::size_t end = word.find_first_of("+.");
    if (end == std::string::npos) return word;
    const auto head = names_.find(word.substr(0, end));
    return head == names_.end() ? word : head->second + word.substr(end);
  }

 private:
  static std::vector<ObjectId> made(const std::vector<Change>& changes) {
    std::vector<ObjectId> ids;
    for (const Change& change : changes)
      if (const ObjectId id = made_by(change)) ids.push_back(id);
    return ids;
  }
  std::unordered_map<std::string, std::string> names_;
};

// What the call made and ended, by name.
std::string objects_word(const Model& model, const std::vector<Change>& changes,
                         const Namesakes* names = nullptr) {
  std::vector<std::string> words;
  for (const Change& change : changes) {
    const ObjectId id = change.object ? change.object : ObjectId{ObjectKind::Allocation, change.allocation};
    const auto name = [&] {
      return names != nullptr ? names->in_first(model.name_of(id)) : model.name_of(id);
    };
    switch (change.kind) {
      case Change::Kind::ObjectCreated:
      case Change::Kind::Allocated:
        words.push_back("+" + name());
        break;
      case Change::Kind::ObjectEnded:
      case Change::Kind::Freed:
        words.push_back("-" + name());
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
    std::unordered_set<std::uint32_t> parted;  // threads
    for (std::size_t call = 0; call < a_.store.calls() && call < options_.most_calls; ++call) {
      const std::size_t event = a_.store.event_of_call(call);
      const std::uint32_t thread = a_.store.thread_at(event);
      if (parted.contains(thread)) continue;
      const trace::Event mine = a_.store.at(event);
      if (mine.process != 0) continue;
      const std::vector<std::size_t>& theirs = others[thread];
      std::size_t& at = next[thread];
      while (at < theirs.size() && b_.store.at(theirs[at]).process != 0) ++at;
      std::optional<Divergence> found;
      if (at == theirs.size())
        found = Divergence{What::Ends, thread, event, std::nullopt, a_.model.describe(event), ""};
      else
        found = compare(event, mine, theirs[at++]);
      if (found) {
        parted.insert(thread);
        result.forks.push_back(std::move(*found));
      } else if (result.forks.empty()) {
        ++result.calls;
      }
    }
    if (options_.most_calls >= a_.store.calls()) find_ends(others, next, parted, result.forks);
    if (!result.forks.empty()) result.first = result.forks.front();
    return result;
  }

 private:
  // Of the threads on which the second run goes on, in its order.
  void find_ends(const std::unordered_map<std::uint32_t, std::vector<std::size_t>>& others,
                 std::unordered_map<std::uint32_t, std::size_t>& next,
                 const std::unordered_set<std::uint32_t>& parted, std::vector<Divergence>& forks) const {
    const auto known = static_cast<std::ptrdiff_t>(forks.size());
    for (const auto& [thread, theirs] : others) {
      if (parted.contains(thread)) continue;
      for (std::size_t at = next[thread]; at < theirs.size(); ++at) {
        if (b_.store.at(theirs[at]).process != 0) continue;
        forks.push_back(
            Divergence{What::Ends, thread, std::nullopt, theirs[at], "", b_.model.describe(theirs[at])});
        break;
      }
    }
    std::sort(forks.begin() + known, forks.end(),
              [](const Divergence& x, const Divergence& y) { return *x.event_b < *y.event_b; });
  }

  // Objects are told by their names in the first run.
  std::optional<Divergence> compare(std::size_t event, const trace::Event& mine, std::size_t other) {
    const trace::Event theirs = b_.store.at(other);
    const auto part = [&](What what, std::string a, std::string b) -> std::optional<Divergence> {
      if (a == b) return std::nullopt;
      return Divergence{what, mine.thread, event, other, std::move(a), std::move(b)};
    };
    if (mine.function != theirs.function)
      return part(What::Call, a_.model.describe(event), b_.model.describe(other));
    if (auto found = part(What::Result, result_as_told(mine), result_as_told(theirs))) return found;
    const std::vector<Change> changes = a_.model.changes(event), others = b_.model.changes(other);
    names_.note(a_.model, changes, b_.model, others);
    for (const trace::Argument& argument : mine.arguments) {
      const auto match = std::find_if(theirs.arguments.begin(), theirs.arguments.end(),
                                      [&](const trace::Argument& a) { return a.name == argument.name; });
      if (match == theirs.arguments.end()) continue;  // another version of the same call
      const std::string a = common_word(a_.model, event, argument, options_);
      const std::string b = names_.in_first(common_word(b_.model, other, *match, options_));
      if (!a.empty() && !b.empty() && a != b)
        return part(What::Arguments, fmt::format("{}={}", argument.name, a),
                    fmt::format("{}={}", argument.name, b));
    }
    const auto stack = [](const ComparedRun& run, std::size_t index, const Namesakes* sakes) {
      std::vector<std::string> names = run.model.stack_names(index);
      for (std::string& name : names) {
        if (sakes != nullptr) name = sakes->in_first(name);
        if (is_bare(name)) name = kBareName;
      }
      return fmt::format("{}", fmt::join(names, " "));
    };
    if (auto found = part(What::Stack, stack(a_, event, nullptr), stack(b_, other, &names_))) return found;
    return part(What::Objects, objects_word(a_.model, changes), objects_word(b_.model, others, &names_));
  }

  const ComparedRun& a_;
  const ComparedRun& b_;
  const CompareOptions& options_;
  Namesakes names_;
};

}  // namespace

Comparison first_divergence(const ComparedRun& a, const ComparedRun& b, const CompareOptions& options) {
  return RunComparer(a, b, options).run();
}

}  // namespace lab
