// SPDX-License-Identifier: MIT
// Reads [exercise] of a lesson.toml strictly: a mistake is reported with file, line and what was expected.
// What is expected is written in TOML's own notation, which is the same in every language.
#include <algorithm>
#include <initializer_list>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/exercise.hpp"
#include "lab/workspace.hpp"

namespace lab {
namespace {

// Keeps the first mistake; everything after it is still read, but not used.
class ExerciseReader {
 public:
  explicit ExerciseReader(std::string file) : file_(std::move(file)) {}
  std::optional<Problem> mistake;

  void only(const toml::table& table, std::initializer_list<std::string_view> keys) {
    for (const auto& [key, value] : table) {
      const std::string name(key);
      if (std::find(keys.begin(), keys.end(), name) != keys.end()) continue;
      wrong(Text::LessonTomlUnknownKey, line_of(value), name, fmt::format("{}", fmt::join(keys, ", ")));
    }
  }

  const toml::table* table(const toml::table& in, std::string_view key) {
    const toml::node* node = in.get(key);
    if (node == nullptr) return missing(in, key, fmt::format("[{}]", key)), nullptr;
    if (!node->is_table()) wrong(Text::LessonTomlWrongType, line_of(*node), key, fmt::format("[{}]", key));
    return node->as_table();
  }

  std::string string(const toml::table& in, std::string_view key) {
    const toml::node* node = in.get(key);
    if (node == nullptr) return missing(in, key, fmt::format("{} = \"…\"", key)), std::string();
    const auto value = node->value_exact<std::string>();
    if (!value || value->empty())
      wrong(Text::LessonTomlWrongType, line_of(*node), key, fmt::format("{} = \"…\"", key));
    return value.value_or("");
  }

  bool boolean(const toml::table& in, std::string_view key) {
    const toml::node* node = in.get(key);
    if (node == nullptr) return false;
    const auto value = node->value_exact<bool>();
    if (!value) wrong(Text::LessonTomlWrongType, line_of(*node), key, fmt::format("{} = true", key));
    return value.value_or(false);
  }

  std::optional<int> number(const toml::table& in, std::string_view key) {
    const toml::node* node = in.get(key);
    if (node == nullptr) return std::nullopt;
    const auto value = node->value_exact<std::int64_t>();
    if (value && *value >= 0 && *value <= 255) return static_cast<int>(*value);
    wrong(Text::LessonTomlWrongType, line_of(*node), key, fmt::format("{} = 0 … 255", key));
    return std::nullopt;
  }

  std::optional<std::vector<std::string>> strings(const toml::table& in, std::string_view key) {
    const toml::node* node = in.get(key);
    if (node == nullptr) return std::nullopt;
    std::vector<std::string> values;
    const toml::array* array = node->as_array();
    bool good = array != nullptr;
    for (std::size_t i = 0; array != nullptr && i < array->size(); ++i) {
      const auto value = array->get(i)->value_exact<std::string>();
      good = good && value && !value->empty();
      values.push_back(value.value_or(""));
    }
    if (!good) wrong(Text::LessonTomlWrongType, line_of(*node), key, fmt::format("{} = [\"…\", …]", key));
    return values;
  }

  void both_languages(const toml::table& in, std::string (&text)[2]) {
    only(in, {"en", "zh"});
    text[static_cast<int>(Language::English)] = string(in, "en");
    text[static_cast<int>(Language::Chinese)] = string(in, "zh");
  }

  void wrong(Text key, std::size_t line, std::string_view name, std::string expected) {
    if (mistake) return;
    mistake = Problem{key, {file_, std::to_string(line), std::string(name), std::move(expected)}};
  }

 private:
  static std::size_t line_of(const toml::node& node) { return node.source().begin.line; }
  void missing(const toml::table& in, std::string_view key, std::string expected) {
    wrong(Text::LessonTomlMissingKey, line_of(in), key, std::move(expected));
  }
  std::string file_;
};

Expectations read_expectations(ExerciseReader& reader, const toml::table& in) {
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

void read_file_name(ExerciseReader& reader, const Lesson& lesson, const toml::table& in, std::string_view key,
                    std::string& path) {
  path = reader.string(in, key);
  if (path.empty()) return;
  const std::filesystem::path relative = std::filesystem::path(path).lexically_normal();
  std::error_code error;
  const bool inside = relative.is_relative() && *relative.begin() != "..";
  if (!inside || !std::filesystem::is_regular_file(lesson.folder / relative, error))
    reader.wrong(Text::LessonSourceMissing, in.get(key)->source().begin.line, path, "");
}

// The tables of an array like [[exercise.hints]]; none when it is absent or wrong.
std::vector<const toml::table*> tables(ExerciseReader& reader, const toml::table& in, std::string_view key) {
  std::vector<const toml::table*> found;
  const toml::node* node = in.get(key);
  if (node == nullptr) return found;
  const toml::array* array = node->as_array();
  if (array == nullptr || !array->is_homogeneous(toml::node_type::table)) {
    reader.wrong(Text::LessonTomlWrongType, node->source().begin.line, key,
                 fmt::format("[[exercise.{}]]", key));
    return found;
  }
  for (const toml::node& element : *array) found.push_back(element.as_table());
  return found;
}

Exercise read_table(ExerciseReader& reader, const Lesson& lesson, const toml::table& in) {
  reader.only(in, {"task", "hints", "start", "start_fails_with", "solution", "wrong", "expect"});
  Exercise exercise;
  if (const toml::table* task = reader.table(in, "task")) reader.both_languages(*task, exercise.task);
  for (const toml::table* hint : tables(reader, in, "hints"))
    reader.both_languages(*hint, exercise.hints.emplace_back().text);
  read_file_name(reader, lesson, in, "start", exercise.start);
  read_file_name(reader, lesson, in, "solution", exercise.solution);
  for (const toml::table* answer : tables(reader, in, "wrong")) {
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
  ExerciseReader reader(file);
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
