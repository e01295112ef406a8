// SPDX-License-Identifier: MIT
// The line of --events: one JSON object for each event, documented in docs/events.md. Scripts and classrooms
// build on it, so fields are added, never renamed.
#include <nlohmann/json.hpp>

#include "lab/model.hpp"
#include "lab/session.hpp"
#include "lab/source_lines.hpp"
#include "model/describe.hpp"
#include "trace/store.hpp"

namespace lab {
namespace {

using nlohmann::ordered_json;
using trace::Argument;
using trace::EventKind;
using trace::ValueKind;

ordered_json value(const Argument& argument, std::uint64_t word, const std::string& words) {
  if (handle_kind(argument) != ObjectKind::None)
    return word == 0 ? ordered_json(nullptr) : ordered_json(words);
  switch (argument.kind) {
    case ValueKind::Unsigned:
    case ValueKind::Size:
      return word;
    case ValueKind::Signed:
    case ValueKind::Device:
      return static_cast<std::int64_t>(word);
    case ValueKind::Boolean:
      return word != 0;
    case ValueKind::String:
      return argument.text;
    case ValueKind::Handle:
    case ValueKind::DevicePointer:
    case ValueKind::HostPointer:
      if (word == 0) return nullptr;
      return words;
    default:
      return words;
  }
}

void add_call(ordered_json& line, const Model& model, std::size_t index, const trace::Event& event) {
  line["name"] = event.name;
  if (event.symbol != event.name) line["symbol"] = event.symbol;
  ordered_json args = ordered_json::object(), out = ordered_json::object();
  for (const Argument& argument : event.arguments) {
    const std::string name(argument.name);
    if (argument.null)
      args[name] = nullptr;
    else if (!is_output(argument))
      args[name] = value(argument, argument.word, passed_word(model, index, argument));
    if (argument.out) out[name] = value(argument, *argument.out, written_word(model, index, argument));
  }
  line["args"] = std::move(args);
  if (event.returned) {
    const std::string_view name = trace::result_name(event);
    line["result"] = name.empty() ? ordered_json(event.result) : ordered_json(name);
  } else {
    line["result"] = nullptr;
  }
  line["out"] = std::move(out);
  if (!event.file.empty()) {
    line["file"] = event.file;
    line["line"] = event.line;
  } else {
    line["file"] = nullptr;
    line["line"] = nullptr;
  }
  line["t_ns"] = event.t_ns;
  line["dur_ns"] = event.dur_ns;
  if (event.depth > 0) {
    line["depth"] = event.depth;
    line["inside"] = event.inside;
  }
  if (const std::string current = model.current_name(index); !current.empty())
    line["current"] = current == "null" ? ordered_json(nullptr) : ordered_json(current);
  line["stack"] = model.stack_names(index);
  if (const std::size_t below = model.stack_below(index); below > 0) line["stack_below"] = below;
  line["agree"] = model.agrees(index);
}

void further_of_end(ordered_json& line, const std::string& text) {
  RunEnd end;
  end.set_further(text);
  if (end.left_running > 0) line["left_running"] = std::to_string(end.left_running);
  if (!end.unread.empty()) line["unread"] = end.unread;
}

const char* end_word(trace::EndKind end) {
  switch (end) {
    case trace::EndKind::Exit:
      return "exit";
    case trace::EndKind::Signal:
      return "signal";
    case trace::EndKind::TimeLimit:
      return "time_limit";
    case trace::EndKind::MemoryLimit:
      return "memory_limit";
    case trace::EndKind::OutputLimit:
      return "output_limit";
    case trace::EndKind::Killed:
      return "killed";
    case trace::EndKind::TraceLost:
      return "trace_lost";
  }
  return "exit";
}

ordered_json frames_in(const std::string& text) {
  ordered_json frames = ordered_json::array();
  for (const StackFrame& frame : stack_frames(text)) {
    ordered_json one = ordered_json::object();
    one["function"] = frame.function.empty() ? ordered_json(nullptr) : ordered_json(frame.function);
    one["file"] = frame.file.empty() ? ordered_json(nullptr) : ordered_json(frame.file);
    one["line"] = frame.line == 0 ? ordered_json(nullptr) : ordered_json(frame.line);
    frames.push_back(std::move(one));
  }
  return frames;
}

void add_other(ordered_json& line, const trace::Event& event) {
  switch (event.kind) {
    case EventKind::Output:
      line["event"] = "output";
      line["stream"] = event.number == 2 ? "stderr" : "stdout";
      line["text"] = event.text;
      if (event.zeros != 0) line["zeros"] = event.zeros;
      break;
    case EventKind::ThreadStart:
      line["event"] = "thread_start";
      line["text"] = event.text;
      break;
    case EventKind::ThreadEnd:
      line["event"] = "thread_end";
      break;
    case EventKind::ModuleMapped:
      line["event"] = "module_mapped";
      line["text"] = event.text;
      line["bias"] = event.number;
      break;
    case EventKind::ProcessStart:
      line["event"] = "process_start";
      line["text"] = event.text;
      line["pid"] = event.number;
      break;
    case EventKind::ProcessEnd:
      line["event"] = "process_end";
      line["end"] = end_word(event.end);
      line["number"] = event.number;
      further_of_end(line, event.text);
      break;
    case EventKind::Lost:
      line["event"] = "lost";
      line["number"] = event.number;
      if (!event.text.empty()) line["output_bytes"] = event.text;
      break;
    case EventKind::Stack:
      line["event"] = "stack";
      line["frames"] = frames_in(event.text);
      break;
    case EventKind::Call:
      break;
  }
  line["t_ns"] = event.t_ns;
}

}  // namespace

std::string event_json(const Model& model, const trace::Store& store, std::size_t index) {
  const trace::Event event = store.at(index);
  ordered_json line = ordered_json::object();
  line["seq"] = event.seq;
  line["thread"] = event.thread;
  if (event.process != 0) line["process"] = event.process;
  if (event.kind == EventKind::Call)
    add_call(line, model, index, event);
  else
    add_other(line, event);
  // Output may be any bytes; JSON is UTF-8.
  return line.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace lab
