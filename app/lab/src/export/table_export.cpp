// SPDX-License-Identifier: MIT
// See lab/table_export.hpp. It uses the words of describe() and --events, so that a table, a trace and the
// window agree.
#include "lab/table_export.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace lab {
namespace {

using nlohmann::ordered_json;
using trace::EventKind;

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string result_in_table(const trace::Event& event) {
  if (!event.returned) return {};
  const std::string_view name = trace::result_name(event);
  return name.empty() ? std::to_string(event.result) : std::string(name);
}

double in_microseconds(std::uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / 1000.0;
}

// "A B A", bottom first; of a deep one "…1000 A B A".
std::string stack_words(const Model& model, std::size_t index) {
  const std::size_t below = model.stack_below(index);
  return fmt::format("{}{}", below > 0 ? fmt::format("…{} ", below) : "",
                     fmt::join(model.stack_names(index), " "));
}

// Objects are made before anything is put in; page_words in page_export.cpp gives the reason.
ordered_json call_entry(const Model& model, std::size_t index, const trace::Event& event) {
  const bool failed = !event.returned || event.result != 0;
  ordered_json args = ordered_json::object();
  args["call"] = model.describe(index);
  args["result"] = event.returned ? ordered_json(result_in_table(event)) : ordered_json(nullptr);
  if (!event.file.empty()) args["line"] = fmt::format("{}:{}", event.file, event.line);
  args["stack"] = model.stack_names(index);
  if (const std::size_t below = model.stack_below(index); below > 0) args["stack_below"] = below;
  ordered_json entry = ordered_json::object();
  entry["name"] = event.name;
  entry["cat"] = failed ? "error" : "call";
  entry["ph"] = "X";
  entry["dur"] = in_microseconds(event.dur_ns);
  entry["args"] = std::move(args);
  return entry;
}

// Empty if the format has no place for such an event.
ordered_json entry_of(const Model& model, std::size_t index, const trace::Event& event) {
  const auto name_of = [&event](const char* what) {
    ordered_json entry = ordered_json::object();
    entry["name"] = what;
    entry["ph"] = "M";
    entry["args"] = {{"name", event.text}};
    return entry;
  };
  switch (event.kind) {
    case EventKind::Call:
      return call_entry(model, index, event);
    case EventKind::ProcessStart:
      return name_of("process_name");
    case EventKind::ThreadStart:
      return event.text.empty() ? ordered_json() : name_of("thread_name");
    case EventKind::Output: {
      ordered_json entry = ordered_json::object();
      entry["name"] = event.number == 2 ? "stderr" : "stdout";
      entry["cat"] = "output";
      entry["ph"] = "i";
      entry["s"] = "t";
      entry["args"] = {{"text", event.text}};
      if (event.zeros != 0) entry["args"]["zeros"] = event.zeros;
      return entry;
    }
    default:
      return {};
  }
}

}  // namespace

std::string CsvExport::begin() const {
  return "call,process,thread,name,arguments,code,result,file,line,start_ns,duration_ns,current,stack,"
         "agree\r\n";
}

std::string CsvExport::event(const Model& model, const trace::Store& store, std::size_t index) {
  if (store.kind_at(index) != EventKind::Call) return {};
  const trace::Event event = store.at(index);
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", store.calls_before(index) + 1,
                     event.process, event.thread, cell(std::string(event.name)), cell(model.describe(index)),
                     event.returned ? std::to_string(event.result) : "", result_in_table(event),
                     cell(event.file), event.line == 0 ? "" : std::to_string(event.line), event.t_ns,
                     event.dur_ns, cell(model.current_name(index)), cell(stack_words(model, index)),
                     model.agrees(index));
}

std::string ChromeTraceExport::begin() const {
  return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
}

std::string ChromeTraceExport::event(const Model& model, const trace::Store& store, std::size_t index) {
  const trace::Event event = store.at(index);
  ordered_json entry = entry_of(model, index, event);
  if (entry.is_null()) return {};
  entry["ts"] = in_microseconds(event.t_ns);
  entry["pid"] = event.process;
  entry["tid"] = event.thread;
  const std::string line = entry.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  return std::exchange(first_, false) ? line : ",\n" + line;
}

std::string ChromeTraceExport::end() const {
  return "\n]}\n";
}

}  // namespace lab
