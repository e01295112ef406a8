// SPDX-License-Identifier: MIT
// See page_export.hpp. The moments are the calls; what happened between two calls belongs to the later one.
#include "lab/page_export.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/markup.hpp"
#include "course/source_calls.hpp"
#include "export/page_files.hpp"
#include "export/page_state.hpp"
#include "lab/explain.hpp"
#include "lab/object_names.hpp"
#include "lab/process_models.hpp"
#include "lab/session.hpp"
#include "lab/source_lines.hpp"

namespace lab {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using trace::EventKind;

constexpr std::size_t kMostExplainedOnAPage = 1000;
constexpr std::size_t kMostOutputOfAPage = 1 << 20;  // bytes
constexpr std::size_t kMostSourceOfAPage = 4 << 20;

struct PageWord {
  const char* name;
  Text key;
};
// The words of the viewer, under the names that it uses.
constexpr PageWord kPageWords[] = {
    {"first", Text::PageFirst},
    {"back", Text::PageBack},
    {"forward", Text::PageForward},
    {"last", Text::PageLast},
    {"scrub", Text::PageScrub},
    {"next_error", Text::PageNextError},
    {"search", Text::PageSearch},
    {"found", Text::PageFound},
    {"found_none", Text::PageFoundNone},
    {"language", Text::PageLanguage},
    {"theme", Text::PageTheme},
    {"calls", Text::PageCalls},
    {"source", Text::PageSource},
    {"no_source", Text::PageNoSource},
    {"no_place", Text::PageNoPlace},
    {"output", Text::PageOutput},
    {"zeros", Text::OutputZeros},
    {"thread", Text::PageThread},
    {"took", Text::PageTook},
    {"part", Text::PagePart},
    {"end", Text::PageEnd},
    {"more", Text::PageMore},
    {"inside", Text::PageInside},
    {"keys", Text::PageKeys},
    {"stack", Text::CallStack},
    {"picture", Text::PictureTitle},
    {"main", Text::PictureThreadMain},
    {"ended", Text::PictureThreadEnded},
    {"empty", Text::PictureEmptyStack},
    {"current", Text::PictureCurrent},
    {"floating", Text::PictureFloating},
    {"destroyed", Text::PictureDestroyed},
    {"not_active", Text::PictureNotActive},
    {"device", Text::PictureDevice},
    {"no_devices", Text::PictureNoDevices},
    {"primary", Text::PicturePrimary},
    {"retained", Text::PictureRetained},
    {"uses", Text::PictureUseCount},
    {"driver_says", Text::PictureDriverSays},
    {"of_process", Text::PictureProcess},
    {"in_process", Text::PictureInProcess},
    {"copy_of", Text::PictureCopyOf},
    {"never_returned", Text::CliNeverReturned},
    {"as_expected", Text::CallsAsExpected},
};

// Empty objects are made before anything is put in: if memory runs out while a null becomes an object, the
// library (version 3.11.2) destroys an incomplete object.
json page_words(Language language) {
  json words = {{"memory", json::array()}, {"objects", json::array()}};
  for (const PageWord& word : kPageWords) words[word.name] = text(word.key, language);
  for (std::size_t kind = 0; kind < kMemoryKinds; ++kind)
    words["memory"].push_back(text(memory_word(static_cast<MemoryKind>(kind)), language));
  for (std::size_t kind = 0; kind < kObjectKinds; ++kind)
    words["objects"].push_back(text(object_word(static_cast<ObjectKind>(kind)), language));
  return words;
}

json in_both(const Problem& problem) {
  return {problem.in(Language::English), problem.in(Language::Chinese)};
}

// As data inside a script element: nothing in it can end the element or begin a comment.
std::string page_data(const ordered_json& value) {
  std::string out;
  for (const char c : value.dump(-1, ' ', false, ordered_json::error_handler_t::replace)) {
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else
      out += c;
  }
  return out;
}

std::string page_title(const trace::RunInfo& info, const PageOptions& options, Language language) {
  const std::string& title = options.title[static_cast<std::size_t>(language)];
  if (!title.empty()) return title;
  return info.lesson.empty() ? info.program : info.lesson;
}

class Page {
 public:
  Page(const Model& model, const trace::Store& store, const trace::RunInfo& info, const PageOptions& options)
      : models_(model, store),
        store_(store),
        info_(info),
        options_(options),
        range_(page_range(options, store)) {}
  std::string text();

 private:
  ordered_json head() const;
  std::string moments();
  ordered_json call(std::size_t index, const trace::Event& event);
  ordered_json end(const trace::Event& event);
  void add_output(const trace::Event& event);
  void complete(ordered_json& moment, std::size_t index);

  ProcessModels models_;
  const trace::Store& store_;
  const trace::RunInfo& info_;
  const PageOptions& options_;
  PageRange range_;
  PageState state_;
  ExpectedFailures expected_;
  ordered_json output_ = ordered_json::array();
  std::size_t output_bytes_ = 0, explained_ = 0;
};

ordered_json Page::head() const {
  ordered_json head = ordered_json::object();
  head["format"] = "driverlab-page";
  head["version"] = 1;
  head["language"] = language_word(options_.language);
  head["theme"] = options_.theme;
  head["title"] = {page_title(info_, options_, Language::English),
                   page_title(info_, options_, Language::Chinese)};
  head["driver"] = info_.driver_name;
  head["started"] = info_.started;
  head["from"] = range_.from;
  head["to"] = range_.to;
  head["calls"] = store_.calls();
  if (models_.seen().size() > 1) head["processes"] = models_.seen().size();
  head["words"] = {{"en", page_words(Language::English)}, {"zh", page_words(Language::Chinese)}};
  head["sources"] = json::object();
  std::size_t room = kMostSourceOfAPage;
  for (const auto& [name, source] : info_.sources) {
    if (source.size() > room) continue;
    room -= source.size();
    head["sources"][name] = source;
  }
  return head;
}

void Page::add_output(const trace::Event& event) {
  const std::size_t room = kMostOutputOfAPage - output_bytes_;
  if (room == 0) return;
  if (event.zeros != 0) {
    std::string digits = std::to_string(event.zeros);
    output_bytes_ += std::min(digits.size(), room);
    output_.push_back({event.number, "", std::move(digits)});
    return;
  }
  std::string text = event.text.substr(0, room);
  output_bytes_ += text.size();
  if (output_bytes_ == kMostOutputOfAPage) text += "\n…\n";
  output_.push_back({event.number, std::move(text)});
}

ordered_json Page::call(std::size_t index, const trace::Event& event) {
  const Model& model = models_.of_event(index);
  ordered_json moment = ordered_json::object();
  moment["i"] = store_.calls_before(index) + 1;
  moment["n"] = event.name;
  moment["t"] = model.describe(index);
  if (event.returned) {
    const std::string_view name = trace::result_name(event);
    moment["r"] = name.empty() ? std::to_string(event.result) : std::string(name);
  }
  if (!event.file.empty()) {
    moment["f"] = event.file;
    moment["l"] = event.line;
  }
  moment["th"] = event.thread;
  if (event.process != 0) moment["p"] = event.process;
  moment["at"] = event.t_ns;
  moment["took"] = event.dur_ns;
  if (index > 0 && store_.kind_at(index - 1) == EventKind::Stack) {
    ordered_json frames = ordered_json::array();
    for (const StackFrame& frame : stack_frames(store_.at(index - 1).text))
      frames.push_back({frame.function, frame.file, frame.line});
    if (!frames.empty()) moment["frames"] = std::move(frames);
  }
  if (event.depth > 0) {
    moment["depth"] = event.depth;
    moment["inside"] = event.inside;
  }
  if (event.returned && !model.agrees(index)) moment["says"] = model.current_name(index);
  if (event.returned && event.result == 0) return moment;
  moment["bad"] = true;
  if (expected_.asks_for(event, info_.sources)) moment["meant"] = true;
  if (event.returned && event.layer() == trace::Layer::Driver)
    if (const std::string_view words = trace::result_string(event.result); !words.empty())
      moment["words"] = words;
  if (explained_ >= kMostExplainedOnAPage) return moment;
  if (const auto why = explain(model, store_, index)) {
    ++explained_;
    moment["why"] = in_both(why->sentence);
  }
  return moment;
}

ordered_json Page::end(const trace::Event& event) {
  const RunEnd how = end_of(store_).value_or(RunEnd{});
  ordered_json moment = ordered_json::object();
  moment["end"] = {how.in(Language::English), how.in(Language::Chinese)};
  moment["at"] = event.t_ns;
  if (how.kind != trace::EndKind::Exit || how.number != 0) moment["bad"] = true;
  return moment;
}

// What happened since the moment before, and how the picture differs from it.
void Page::complete(ordered_json& moment, std::size_t index) {
  if (!output_.empty()) moment["out"] = std::exchange(output_, ordered_json::array());
  const Model& model = models_.of_event(index);
  const State& now = model.at(index + 1);
  moment["ch"] = state_.change_to(now, model.touched());
}

std::string Page::moments() {
  std::string lines;
  const auto add = [&](ordered_json moment, std::size_t index) {
    complete(moment, index);
    lines += (lines.empty() ? "" : ",\n") + page_data(moment);
  };
  for (std::size_t index = 0; index < store_.size(); ++index) {
    const EventKind kind = store_.kind_at(index);
    const std::size_t calls = store_.calls_before(index);
    if (kind == EventKind::Call && calls + 1 > range_.to) break;
    if (kind == EventKind::Output) add_output(store_.at(index));
    if (kind == EventKind::Call && calls + 1 >= range_.from) add(call(index, store_.at(index)), index);
    if (kind != EventKind::ProcessEnd) continue;
    const trace::Event event = store_.at(index);
    if (event.process == 0) add(end(event), index);
  }
  return lines;
}

std::string Page::text() {
  const std::string head_text = page_data(head());
  const bool chinese = options_.language == Language::Chinese;
  std::string page = "<!DOCTYPE html>\n<html lang=\"";
  page += chinese ? "zh" : "en";
  page += "\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"";
  page += fmt::format(
      "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-{}'; script-src "
      "'sha256-{}'",
      kPageStyleHash, kPageScriptHash);
  page += "\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>";
  page += as_markup(page_title(info_, options_, options_.language)) + "</title>\n<style>";
  page += kPageStyle;
  page += "</style>\n</head>\n<body>\n<script type=\"application/json\" id=\"head\">" + head_text +
          "</script>\n<script type=\"application/json\" id=\"moments\">[" + moments() +
          "]</script>\n<script>";
  page += kPageScript;
  return page + "</script>\n</body>\n</html>\n";
}

}  // namespace

PageRange page_range(const PageOptions& options, const trace::Store& store) {
  const std::size_t calls = store.calls(), to = options.to == 0 ? calls : options.to;
  if (options.from < 1 || to > calls || options.from > to) return {};
  return {options.from, std::min(to, options.from + kMostCallsOfAPage - 1)};
}

std::string html_page(const Model& model, const trace::Store& store, const trace::RunInfo& info,
                      const PageOptions& options) {
  return Page(model, store, info, options).text();
}

}  // namespace lab
