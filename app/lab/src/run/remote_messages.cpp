// SPDX-License-Identifier: MIT
// See remote_messages.hpp.
#include "run/remote_messages.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "trace/recording_stream.hpp"

namespace lab {
namespace {

using nlohmann::json;

constexpr std::size_t kMostOfAList = 100'000;
// Calls under way, one a thread.
constexpr trace::RecordingLimits kPendingLimits{.events = kMostOfAList, .memory = std::uint64_t{64} << 20};

std::string written(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}
// No real message is nested deeply. A deeper one is forged, and copying it would need a stack as deep.
json parsed(const std::string& words) {
  constexpr int kDeepest = 16;
  bool too_deep = false;
  const auto shallow = [&too_deep](int depth, json::parse_event_t, const json&) {
    too_deep = too_deep || depth > kDeepest;
    return !too_deep;
  };
  json value = json::parse(words, shallow, false);
  return too_deep ? json(json::value_t::discarded) : value;
}
std::optional<json> object_in(const std::string& words) {
  json value = parsed(words);
  if (!value.is_object()) return std::nullopt;
  return value;
}

std::string text_at(const json& from, const char* name) {
  const auto found = from.find(name);
  return found != from.end() && found->is_string() ? found->get<std::string>() : std::string();
}
bool flag_at(const json& from, const char* name) {
  const auto found = from.find(name);
  return found != from.end() && found->is_boolean() && found->get<bool>();
}
std::int64_t whole_at(const json& from, const char* name) {
  const auto found = from.find(name);
  return found != from.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}
double number_at(const json& from, const char* name) {
  const auto found = from.find(name);
  return found != from.end() && found->is_number() ? found->get<double>() : 0;
}
std::vector<std::string> texts_at(const json& from, const char* name) {
  std::vector<std::string> texts;
  const auto found = from.find(name);
  if (found == from.end() || !found->is_array() || found->size() > kMostOfAList) return texts;
  for (const json& one : *found)
    if (one.is_string()) texts.push_back(one.get<std::string>());
  return texts;
}

json json_of(const Lesson& lesson) {
  json own = json::array();
  for (const OwnLibrary& library : lesson.own_libraries)
    own.push_back({{"name", library.name}, {"sources", library.sources}, {"header", library.header}});
  return {{"own_libraries", std::move(own)},
          {"number", lesson.number},
          {"slug", lesson.slug},
          {"sources", lesson.sources},
          {"libraries", lesson.libraries},
          {"kernels", lesson.kernels},
          {"seconds", lesson.limits.seconds},
          {"memory", lesson.limits.memory_bytes},
          {"output", lesson.limits.output_bytes}};
}

Lesson lesson_in(const json& from) {
  Lesson lesson;
  lesson.number = static_cast<int>(whole_at(from, "number"));
  lesson.slug = text_at(from, "slug");
  lesson.sources = texts_at(from, "sources");
  lesson.libraries = texts_at(from, "libraries");
  lesson.kernels = texts_at(from, "kernels");
  const json own = from.value("own_libraries", json::array());
  for (const json& one : own)
    if (one.is_object())
      lesson.own_libraries.push_back(
          {text_at(one, "name"), texts_at(one, "sources"), text_at(one, "header")});
  lesson.limits.seconds = number_at(from, "seconds");
  lesson.limits.memory_bytes = static_cast<std::uint64_t>(whole_at(from, "memory"));
  lesson.limits.output_bytes = static_cast<std::uint64_t>(whole_at(from, "output"));
  return lesson;
}

json json_of(const std::set<Breakpoint>& breakpoints) {
  json list = json::array();
  for (const Breakpoint& one : breakpoints) list.push_back({{"file", one.file}, {"line", one.line}});
  return list;
}

std::set<Breakpoint> breakpoints_in(const json& list) {
  std::set<Breakpoint> breakpoints;
  if (!list.is_array() || list.size() > kMostOfAList) return breakpoints;
  for (const json& one : list)
    if (one.is_object()) breakpoints.insert({text_at(one, "file"), static_cast<int>(whole_at(one, "line"))});
  return breakpoints;
}

json json_of(const Problem& problem) {
  return {{"key", static_cast<std::size_t>(problem.key)}, {"values", problem.values}};
}

std::optional<Problem> problem_in(const json& from) {
  const std::int64_t key = whole_at(from, "key");
  if (!from.is_object() || key < 0 || static_cast<std::size_t>(key) >= kTextCount) return std::nullopt;
  return Problem{static_cast<Text>(key), texts_at(from, "values")};
}

}  // namespace

std::string to_message(const RemoteHello& hello) {
  return written({{"version", hello.version}, {"sentences", hello.sentences}});
}
std::optional<RemoteHello> hello_from(const std::string& words) {
  const auto value = object_in(words);
  if (!value) return std::nullopt;
  return RemoteHello{text_at(*value, "version"), static_cast<std::size_t>(whole_at(*value, "sentences"))};
}

std::string to_message(const RemoteOrder& order) {
  json value{{"driver", order.driver},
             {"command", order.command},
             {"folder", order.folder},
             {"bytes", order.program_bytes},
             {"time", order.program_time}};
  if (order.lesson) value["lesson"] = json_of(*order.lesson);
  return written(value);
}
std::optional<RemoteOrder> order_from(const std::string& words) {
  const auto value = object_in(words);
  if (!value) return std::nullopt;
  RemoteOrder order;
  order.driver = text_at(*value, "driver");
  order.command = texts_at(*value, "command");
  order.folder = text_at(*value, "folder");
  order.program_bytes = static_cast<std::uint64_t>(whole_at(*value, "bytes"));
  order.program_time = whole_at(*value, "time");
  if (value->contains("lesson") && (*value)["lesson"].is_object())
    order.lesson = lesson_in((*value)["lesson"]);
  if (order.lesson ? order.lesson->sources.empty() : order.command.empty()) return std::nullopt;
  return order;
}

std::string to_message(const RemoteStart& start) {
  return written({{"hold", start.hold},
                  {"stacks", start.stacks},
                  {"preload", start.preload},
                  {"language", language_word(start.language)},
                  {"memory", start.trace_bytes},
                  {"breakpoints", json_of(start.breakpoints)}});
}
std::optional<RemoteStart> start_from(const std::string& words) {
  const auto value = object_in(words);
  if (!value) return std::nullopt;
  RemoteStart start;
  start.hold = flag_at(*value, "hold");
  start.stacks = flag_at(*value, "stacks");
  start.preload = flag_at(*value, "preload");
  start.language = parse_language(text_at(*value, "language")).value_or(Language::English);
  start.trace_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, whole_at(*value, "memory")));
  start.breakpoints = breakpoints_in(value->value("breakpoints", json()));
  return start;
}
std::string to_message(const std::set<Breakpoint>& breakpoints) {
  return written(json_of(breakpoints));
}
std::set<Breakpoint> breakpoints_from(const std::string& words) {
  return breakpoints_in(parsed(words));
}

std::string to_message(const Interception& way) {
  json value{{"kind", static_cast<int>(way.kind)}, {"names", way.names}};
  if (way.why) value["why"] = json_of(*way.why);
  return written(value);
}
std::optional<Interception> interception_from(const std::string& words) {
  const auto value = object_in(words);
  if (!value) return std::nullopt;
  const std::int64_t kind = whole_at(*value, "kind");
  if (kind < 0 || kind > static_cast<std::int64_t>(Interception::Kind::Secure)) return std::nullopt;
  Interception way{static_cast<Interception::Kind>(kind), {}, texts_at(*value, "names")};
  if (value->contains("why")) way.why = problem_in((*value)["why"]);
  return way;
}

std::string to_message(const Driver& driver) {
  return written({{"real", driver.real}, {"description", driver.description}, {"devices", driver.devices}});
}
std::optional<Driver> driver_from(const std::string& words) {
  const auto value = object_in(words);
  if (!value) return std::nullopt;
  Driver driver;
  driver.real = flag_at(*value, "real");
  driver.description = text_at(*value, "description");
  driver.devices = static_cast<int>(whole_at(*value, "devices"));
  return driver;
}

std::string to_message(const Problem& problem) {
  return written(json_of(problem));
}
std::optional<Problem> problem_from(const std::string& words) {
  const auto value = object_in(words);
  return value ? problem_in(*value) : std::nullopt;
}

std::string to_message(const BuildResult& result) {
  json value{{"ok", result.ok},           {"program", result.program.filename().string()},
             {"command", result.command}, {"output", result.output},
             {"seconds", result.seconds}, {"cached", result.cached}};
  json& list = value["diagnostics"] = json::array();
  for (const Diagnostic& one : result.diagnostics)
    list.push_back({{"severity", static_cast<int>(one.severity)},
                    {"file", one.file},
                    {"line", one.line},
                    {"column", one.column},
                    {"message", one.message}});
  if (result.problem) value["problem"] = json_of(*result.problem);
  return written(value);
}
std::optional<BuildResult> build_from(const std::string& words) {
  const auto value = object_in(words);
  if (!value) return std::nullopt;
  BuildResult result;
  result.ok = flag_at(*value, "ok");
  result.program = text_at(*value, "program");
  result.command = text_at(*value, "command");
  result.output = text_at(*value, "output");
  result.seconds = number_at(*value, "seconds");
  result.cached = flag_at(*value, "cached");
  const json list = value->value("diagnostics", json::array());
  for (const json& one : list) {
    if (!one.is_object()) continue;
    Diagnostic found;
    const std::int64_t severity = whole_at(one, "severity");
    if (severity == 0) found.severity = Diagnostic::Severity::Note;
    if (severity == 1) found.severity = Diagnostic::Severity::Warning;
    found.file = text_at(one, "file");
    found.line = static_cast<int>(whole_at(one, "line"));
    found.column = static_cast<int>(whole_at(one, "column"));
    found.message = text_at(one, "message");
    result.diagnostics.push_back(std::move(found));
  }
  if (value->contains("problem")) result.problem = problem_in((*value)["problem"]);
  return result;
}

std::string to_message(const RunEnd& end) {
  return written({{"kind", static_cast<int>(end.kind)},
                  {"number", end.number},
                  {"inside", end.inside},
                  {"further", end.further()},
                  {"others", end.calls_of_others}});
}
std::optional<RunEnd> end_from(const std::string& words) {
  const auto value = object_in(words);
  if (!value) return std::nullopt;
  const std::int64_t kind = whole_at(*value, "kind");
  if (kind < 0 || kind > static_cast<std::int64_t>(trace::EndKind::TraceLost)) return std::nullopt;
  RunEnd end;
  end.kind = static_cast<trace::EndKind>(kind);
  end.number = static_cast<int>(whole_at(*value, "number"));
  end.inside = text_at(*value, "inside");
  end.set_further(text_at(*value, "further"));
  end.calls_of_others = static_cast<std::uint64_t>(whole_at(*value, "others"));
  return end;
}

// The calls are sent as a separate recording: they are not part of the run yet.
std::string to_message(const RemotePending& pending) {
  trace::Store store;
  std::string head = pending.passing ? "p" : "-";
  for (const trace::Pending& one : pending.calls) {
    trace::Event call = one.call;
    call.thread = one.thread;
    call.returned = false;
    store.append(call);
    head += one.held ? 'h' : 'r';
  }
  return head + '\n' + trace::RecordingStream({}).take(store, 0, store.size());
}
std::optional<RemotePending> pending_from(const std::string& words) {
  const std::size_t end = words.find('\n');
  if (end == std::string::npos || end == 0) return std::nullopt;
  trace::Store store;
  trace::RunInfo info;
  if (trace::RecordingFeed(store, info, kPendingLimits)
              .feed(std::string_view(words).substr(end + 1))
              .problem != trace::RecordingProblem::None ||
      store.size() != end - 1)
    return std::nullopt;
  RemotePending pending;
  pending.passing = words[0] == 'p';
  for (std::size_t i = 0; i < store.size(); ++i) {
    trace::Event call = store.at(i);
    pending.calls.push_back({call.thread, words[i + 1] == 'h', std::move(call)});
  }
  return pending;
}

}  // namespace lab
