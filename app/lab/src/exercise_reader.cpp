// SPDX-License-Identifier: MIT
// Reads [exercise] of a lesson.toml strictly: a mistake is reported with file, line and what was expected.
#include "lab/exercise.hpp"
#include "lab/workspace.hpp"
#include "toml_reader.hpp"

namespace lab {
namespace {

Expectations read_expectations(TomlReader& reader, const toml::table& in) {
  reader.only(in, {"exit", "calls", "every_device", "never", "results", "objects", "no_errors",
                   "allowed_errors", "no_leaks", "final_stack"});
  Expectations expect;
  expect.exit_status = reader.number(in, "exit");
  expect.calls = reader.strings(in, "calls").value_or(std::vector<std::string>());
  expect.every_device = reader.strings(in, "every_device").value_or(std::vector<std::string>());
  expect.never = reader.strings(in, "never").value_or(std::vector<std::string>());
  expect.results = reader.strings(in, "results").value_or(std::vector<std::string>());
  for (const std::string& result : expect.results)
    if (result.find(" = ") == std::string::npos)
      reader.wrong(Text::LessonTomlWrongType, in.get("results")->source().begin.line, "results",
                   "results = [\"cuMemFree = CUDA_ERROR_INVALID_VALUE\", …]");
  expect.objects = reader.strings(in, "objects").value_or(std::vector<std::string>());
  expect.no_errors = reader.boolean(in, "no_errors");
  expect.allowed_errors = reader.strings(in, "allowed_errors");
  expect.no_leaks = reader.boolean(in, "no_leaks");
  expect.final_stack = reader.strings(in, "final_stack");
  if (in.empty())
    reader.wrong(Text::LessonTomlMissingKey, in.source().begin.line, "exercise.expect", "exit = 0, …");
  return expect;
}

void read_file_name(TomlReader& reader, const Lesson& lesson, const toml::table& in, std::string_view key,
                    std::string& path) {
  path = reader.string(in, key);
  if (path.empty()) return;
  const std::filesystem::path relative = std::filesystem::path(path).lexically_normal();
  std::error_code error;
  const bool inside = relative.is_relative() && *relative.begin() != "..";
  if (!inside || !std::filesystem::is_regular_file(lesson.folder / relative, error))
    reader.wrong(Text::LessonSourceMissing, in.get(key)->source().begin.line, path, "");
}

Exercise read_table(TomlReader& reader, const Lesson& lesson, const toml::table& in) {
  reader.only(in, {"task", "hints", "start", "start_fails_with", "solution", "wrong", "expect"});
  Exercise exercise;
  if (const toml::table* task = reader.table(in, "task")) reader.both_languages(*task, exercise.task);
  for (const toml::table* hint : reader.tables(in, "exercise", "hints"))
    reader.both_languages(*hint, exercise.hints.emplace_back().text);
  read_file_name(reader, lesson, in, "start", exercise.start);
  read_file_name(reader, lesson, in, "solution", exercise.solution);
  for (const toml::table* answer : reader.tables(in, "exercise", "wrong")) {
    Exercise::WrongAnswer& wrong = exercise.wrong.emplace_back();
    reader.only(*answer, {"file", "fails_with"});
    read_file_name(reader, lesson, *answer, "file", wrong.file);
    wrong.fails_with = reader.string(*answer, "fails_with");
  }
  exercise.start_fails_with = reader.string(in, "start_fails_with");
  if (const toml::table* expect = reader.table(in, "expect"))
    exercise.expect = read_expectations(reader, *expect);
  return exercise;
}

}  // namespace

Result<std::optional<Exercise>> read_exercise(const Lesson& lesson) {
  const std::string file = (lesson.folder / "lesson.toml").string();
  const Result<std::string> source = read_file(file, 1 << 20);
  if (!source) return problem(Text::LessonTomlMissing, {file});
  const toml::parse_result parsed = toml::parse(*source);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return problem(Text::LessonTomlSyntax,
                   {file, std::to_string(error.source().begin.line), std::string(error.description())});
  }
  const toml::table& table = parsed.table();
  TomlReader reader(file);
  if (table.get("exercise") == nullptr) return std::optional<Exercise>();
  const toml::table* in = reader.table(table, "exercise");
  std::optional<Exercise> exercise;
  if (in != nullptr) exercise = read_table(reader, lesson, *in);
  if (reader.mistake) return tl::unexpected<Problem>(*reader.mistake);
  return exercise;
}

Lesson exercise_as_lesson(const Lesson& lesson, const Exercise& exercise) {
  Lesson result = lesson;
  result.sources = {exercise.start};
  return result;
}

}  // namespace lab
