// SPDX-License-Identifier: MIT
// See teaching.hpp.
#include "lab/teaching.hpp"

#include <algorithm>
#include <numeric>

#include "base/lines.hpp"
#include "base/toml_reader.hpp"
#include "lab/files.hpp"

namespace lab {
namespace {

using StepsOfLesson = std::vector<TeachingStep>;

template <class Steps>  // const or not
auto find_step(Steps& steps, const std::string& name) {
  return std::find_if(steps.begin(), steps.end(),
                      [&name](const TeachingStep& step) { return step.name == name; });
}

// The heading of a step is the first line with words below its mark.
void read_headings(const Lesson& lesson, Language language, StepsOfLesson& steps) {
  constexpr std::string_view kHeading = "## ";
  const auto notes = read_file(lesson.notes(language));
  if (!notes) return;
  const std::vector<std::string_view> lines = lines_in(*notes);
  for (const StepMark& mark : step_marks_in_notes(*notes)) {
    const auto step = find_step(steps, mark.name);
    auto at = static_cast<std::size_t>(mark.first_line);  // counted from 1: the line below the mark
    while (at < lines.size() && lines[at].empty()) ++at;
    if (step != steps.end() && at < lines.size() && lines[at].starts_with(kHeading))
      step->heading[static_cast<std::size_t>(language)] = lines[at].substr(kHeading.size());
  }
}

StepsOfLesson steps_of(const Lesson& lesson) {
  StepsOfLesson steps;
  for (const std::string& file : lesson.sources)
    if (const auto text = read_file(lesson.folder / file))
      for (const StepMark& mark : step_marks_in_source(file, *text))
        if (find_step(steps, mark.name) == steps.end()) steps.push_back({mark.name, {mark.name, mark.name}});
  for (const Language language : {Language::English, Language::Chinese})
    read_headings(lesson, language, steps);
  return steps;
}

TeachingStep read_step(TomlReader& reader, const toml::table& in, const StepsOfLesson& steps) {
  const std::string name = reader.string(in, "step");
  if (const auto step = find_step(steps, name); step != steps.end()) return *step;
  if (!name.empty()) {
    std::vector<std::string> names;
    for (const TeachingStep& step : steps) names.push_back(step.name);
    reader.fail(Text::LessonTomlUnknownStep, TomlReader::line_of(*in.get("step")),
                {name, fmt::format("{}", fmt::join(names, ", "))});
  }
  return {};
}

TeachingAsk read_ask(TomlReader& reader, const toml::table& in, const StepsOfLesson& steps) {
  reader.only(in, {"step", "question", "expected", "wrong"});
  TeachingAsk ask;
  ask.step = read_step(reader, in, steps);
  reader.both_languages(in, "question", ask.question);
  reader.both_languages(in, "expected", ask.expected);
  for (const toml::table* each : reader.tables(in, "ask", "wrong")) {
    reader.only(*each, {"heard", "reply"});
    TeachingWrong& wrong = ask.wrong.emplace_back();
    reader.both_languages(*each, "heard", wrong.heard);
    reader.both_languages(*each, "reply", wrong.reply);
  }
  return ask;
}

// A figure has a twin for readers of Chinese: push.svg, push.zh.svg.
void read_print(TomlReader& reader, const toml::table& in, const Lesson& lesson, TeachingNotes& notes) {
  notes.print = reader.strings(in, "print").value_or(std::vector<std::string>());
  for (const std::string& file : notes.print) {
    std::error_code error;
    const std::filesystem::path english = lesson.folder / file;
    for (const std::filesystem::path& path :
         {english, std::filesystem::path(english).replace_extension(".zh.svg")})
      if (!std::filesystem::is_regular_file(path, error))
        reader.fail(Text::LessonSourceMissing, TomlReader::line_of(*in.get("print")),
                    {path.lexically_relative(lesson.folder).string()});
  }
}

// Sessions and their parts name lessons as the command line does.
std::optional<Lesson> read_lesson_name(TomlReader& reader, const toml::table& in, std::string_view key,
                                       const std::string& name, const Catalogue& catalogue) {
  const Result<Lesson> lesson = catalogue.find(name);
  if (lesson) return *lesson;
  const toml::node* node = in.get(key);  // a missing key is told already
  if (node != nullptr) reader.fail(Text::TeachingUnknownLesson, TomlReader::line_of(*node), {name});
  return std::nullopt;
}

SessionPart read_part(TomlReader& reader, const toml::table& in, const Catalogue& catalogue) {
  reader.only(in, {"minutes", "lesson", "step", "what"});
  SessionPart part;
  part.minutes = reader.number(in, "minutes").value_or(0);
  if (part.minutes == 0)
    reader.wrong(Text::LessonTomlMissingKey, TomlReader::line_of(in), "minutes", "minutes = 1 … 255");
  reader.both_languages(in, "what", part.what);
  if (in.get("lesson") == nullptr && in.get("step") == nullptr) return part;
  if (const auto lesson = read_lesson_name(reader, in, "lesson", reader.string(in, "lesson"), catalogue)) {
    part.lesson = lesson->number;
    if (in.get("step") != nullptr) part.step = read_step(reader, in, steps_of(*lesson));
  }
  return part;
}

TeachingSession read_session(TomlReader& reader, const toml::table& in, const Catalogue& catalogue) {
  reader.only(in, {"title", "goal", "lessons", "part"});
  TeachingSession session;
  reader.both_languages(in, "title", session.title);
  reader.both_languages(in, "goal", session.goal);
  for (const std::string& name : reader.strings(in, "lessons").value_or(std::vector<std::string>()))
    if (const auto lesson = read_lesson_name(reader, in, "lessons", name, catalogue))
      session.lessons.push_back(lesson->number);
  for (const toml::table* each : reader.tables(in, "session", "part"))
    session.parts.push_back(read_part(reader, *each, catalogue));
  return session;
}

}  // namespace

Result<TeachingNotes> read_teaching(const Lesson& lesson) {
  TeachingNotes notes;
  const std::filesystem::path path = lesson.folder / "teaching.toml";
  const Result<toml::table> root = parse_lesson_toml(path);
  if (!root) return tl::unexpected<Problem>(root.error());
  TomlReader reader(path.string());
  reader.only(*root, {"print", "show", "ask"});
  notes.steps = steps_of(lesson);
  const StepsOfLesson& steps = notes.steps;
  read_print(reader, *root, lesson, notes);
  for (const toml::table* each : reader.tables(*root, "", "show")) {
    reader.only(*each, {"step", "text"});
    TeachingShow& show = notes.shows.emplace_back();
    show.step = read_step(reader, *each, steps);
    reader.both_languages(*each, "text", show.text);
  }
  for (const toml::table* each : reader.tables(*root, "", "ask"))
    notes.asks.push_back(read_ask(reader, *each, steps));
  if (reader.mistake) return tl::unexpected<Problem>(*reader.mistake);
  return notes;
}

Result<std::vector<TeachingSession>> read_sessions(const Catalogue& catalogue) {
  std::vector<TeachingSession> sessions;
  const std::filesystem::path path = catalogue.home / "sessions.toml";
  const Result<toml::table> root = parse_lesson_toml(path);
  if (!root) return tl::unexpected<Problem>(root.error());
  TomlReader reader(path.string());
  reader.only(*root, {"session"});
  for (const toml::table* each : reader.tables(*root, "", "session"))
    sessions.push_back(read_session(reader, *each, catalogue));
  if (reader.mistake) return tl::unexpected<Problem>(*reader.mistake);
  return sessions;
}

int minutes_of(const TeachingSession& session) {
  return std::accumulate(session.parts.begin(), session.parts.end(), 0,
                         [](int sum, const SessionPart& part) { return sum + part.minutes; });
}

std::optional<std::size_t> session_of(const std::vector<TeachingSession>& sessions, int lesson) {
  for (std::size_t i = 0; i < sessions.size(); ++i)
    for (const int taught : sessions[i].lessons)
      if (taught == lesson) return i + 1;
  return std::nullopt;
}

std::string place_words(const SessionPart& part, Language language) {
  if (!part.lesson) return "";
  std::string number = lesson_number(*part.lesson);
  if (part.step.name.empty()) return number;
  return text(Text::TeachToStep, language, {number, part.step.heading[static_cast<std::size_t>(language)]});
}

std::string print_file(const Lesson& lesson, const std::string& figure, Language language) {
  const std::filesystem::path english = std::filesystem::path("lessons") / lesson.folder.filename() / figure;
  if (language == Language::English) return english.string();
  return std::filesystem::path(english).replace_extension(".zh.svg").string();
}

}  // namespace lab
