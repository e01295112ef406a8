// SPDX-License-Identifier: MIT
// Reads [[exercise]] of a lesson.toml strictly: a mistake is reported with file, line and what was expected.
#include "course/exercise_reader.hpp"

#include <charconv>
#include <utility>

#include "base/toml_reader.hpp"
#include "lab/exercise.hpp"

namespace lab {
namespace {

constexpr std::pair<std::string_view, Grade> kGrades[] = {{"repair", Grade::Repair},
                                                          {"write", Grade::Write},
                                                          {"predict", Grade::Predict},
                                                          {"project", Grade::Project}};

// "A = B" and the like, cut at the sign; nothing if a side is missing.
std::optional<std::pair<std::string, std::string>> sides_of(const std::string& text, std::string_view sign) {
  const std::size_t at = text.find(sign);
  if (at == std::string::npos || at == 0 || at + sign.size() == text.size()) return std::nullopt;
  return std::pair(text.substr(0, at), text.substr(at + sign.size()));
}

void wrong_list(TomlReader& reader, const toml::table& in, std::string_view key, std::string_view example) {
  reader.wrong(Text::LessonTomlWrongType, TomlReader::line_of(*in.get(key)), key,
               fmt::format("{} = [\"{}\", …]", key, example));
}

std::vector<Expectations::Count> read_counts(TomlReader& reader, const toml::table& in,
                                             std::string_view key) {
  std::vector<Expectations::Count> counts;
  for (const std::string& text : reader.strings(in, key).value_or(std::vector<std::string>())) {
    const auto sides = sides_of(text, " = ");
    Expectations::Count count{sides ? sides->first : "", 0};
    const std::string number = sides ? sides->second : "";
    const auto read = std::from_chars(number.data(), number.data() + number.size(), count.times);
    if (read.ec != std::errc() || read.ptr != number.data() + number.size() || count.times < 1)
      wrong_list(reader, in, key, "cuMemAlloc = 3");
    counts.push_back(std::move(count));
  }
  return counts;
}

std::vector<Expectations::Order> read_order(TomlReader& reader, const toml::table& in) {
  std::vector<Expectations::Order> orders;
  for (const std::string& text : reader.strings(in, "order").value_or(std::vector<std::string>())) {
    const auto sides = sides_of(text, " < ");
    if (sides)
      orders.push_back({sides->first, sides->second});
    else
      wrong_list(reader, in, "order", "cuEventRecord < cuStreamWaitEvent");
  }
  return orders;
}

Expectations read_expectations(TomlReader& reader, const toml::table& in) {
  reader.only(in, {"exit", "calls", "every_device", "never", "at_least", "at_most", "order", "results",
                   "objects", "no_errors", "allowed_errors", "no_leaks", "each_ended", "final_stack"});
  Expectations expect;
  expect.exit_status = reader.number(in, "exit");
  expect.calls = reader.strings(in, "calls").value_or(std::vector<std::string>());
  expect.every_device = reader.strings(in, "every_device").value_or(std::vector<std::string>());
  expect.never = reader.strings(in, "never").value_or(std::vector<std::string>());
  expect.at_least = read_counts(reader, in, "at_least");
  expect.at_most = read_counts(reader, in, "at_most");
  expect.order = read_order(reader, in);
  expect.results = reader.strings(in, "results").value_or(std::vector<std::string>());
  for (const std::string& result : expect.results)
    if (!sides_of(result, " = ")) wrong_list(reader, in, "results", "cuMemFree = CUDA_ERROR_INVALID_VALUE");
  expect.objects = reader.strings(in, "objects").value_or(std::vector<std::string>());
  expect.no_errors = reader.boolean(in, "no_errors");
  expect.allowed_errors = reader.strings(in, "allowed_errors");
  expect.no_leaks = reader.boolean(in, "no_leaks");
  expect.each_ended = reader.boolean(in, "each_ended");
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

// A list [[exercise]] says of each what it is; a single [exercise] is from before there were several.
enum class Form { Listed, Single };

bool is_name(std::string_view name) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789_";
  return !name.empty() && name.find_first_not_of(kAllowed) == std::string_view::npos;
}

void read_name_and_grade(TomlReader& reader, const toml::table& in, Exercise& exercise) {
  exercise.name = reader.string(in, "name");
  if (!exercise.name.empty() && !is_name(exercise.name))
    reader.wrong(Text::LessonTomlWrongType, TomlReader::line_of(*in.get("name")), "name",
                 "name = \"a-z, 0-9, _\"");
  const std::string grade = reader.string(in, "grade");
  const auto found = std::find_if(std::begin(kGrades), std::end(kGrades),
                                  [&grade](const auto& known) { return known.first == grade; });
  if (found != std::end(kGrades))
    exercise.grade = found->second;
  else if (!grade.empty())
    reader.wrong(Text::LessonTomlWrongType, TomlReader::line_of(*in.get("grade")), "grade",
                 R"(grade = "repair" / "write" / "predict" / "project")");
  reader.both_languages(in, "title", exercise.title);
}

Exercise read_table(TomlReader& reader, const Lesson& lesson, const toml::table& in, Form form) {
  Exercise exercise;
  if (form == Form::Listed) {
    reader.only(in, {"name", "grade", "title", "task", "hints", "start", "start_fails_with", "solution",
                     "wrong", "expect"});
    read_name_and_grade(reader, in, exercise);
  } else {
    reader.only(in, {"task", "hints", "start", "start_fails_with", "solution", "wrong", "expect"});
    exercise.name = kFirstExercise;
    for (const Language language : {Language::English, Language::Chinese})
      exercise.title[static_cast<int>(language)] = text(words_of(exercise.grade), language);
  }
  reader.both_languages(in, "task", exercise.task);
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

// Two with one name could not be told apart, and two with one start would share the student's copy.
void refuse_twice(TomlReader& reader, const toml::table& in, std::string_view key, const std::string& value,
                  const std::vector<Exercise>& before, std::string Exercise::* member) {
  if (value.empty()) return;
  if (std::any_of(before.begin(), before.end(), [&](const Exercise& one) { return one.*member == value; }))
    reader.wrong(Text::ExerciseSame, TomlReader::line_of(*in.get(key)), key, value);
}

}  // namespace

Text words_of(Grade grade) {
  switch (grade) {
    case Grade::Repair:
      return Text::GradeRepair;
    case Grade::Write:
      return Text::GradeWrite;
    case Grade::Predict:
      return Text::GradePredict;
    case Grade::Project:
      return Text::GradeProject;
  }
  return Text::GradeRepair;
}

std::vector<std::string> names_of_exercises(const toml::table& lesson_toml) {
  const toml::node* node = lesson_toml.get("exercise");
  if (node == nullptr) return {};
  if (node->is_table()) return {kFirstExercise};
  std::vector<std::string> names;
  if (const toml::array* array = node->as_array())
    for (const toml::node& element : *array)
      if (const toml::table* one = element.as_table())
        names.push_back((*one)["name"].value_or(std::string()));
  return names;
}

Result<std::vector<Exercise>> read_exercises(const Lesson& lesson) {
  const std::filesystem::path file = lesson.folder / "lesson.toml";
  const Result<toml::table> parsed = parse_lesson_toml(file);
  if (!parsed) return tl::unexpected<Problem>(parsed.error());
  TomlReader reader(file.string());
  std::vector<Exercise> exercises;
  const toml::node* node = parsed->get("exercise");
  if (node != nullptr && node->is_table())
    exercises.push_back(read_table(reader, lesson, *node->as_table(), Form::Single));
  else
    for (const toml::table* in : reader.tables(*parsed, "", "exercise")) {
      Exercise exercise = read_table(reader, lesson, *in, Form::Listed);
      refuse_twice(reader, *in, "name", exercise.name, exercises, &Exercise::name);
      refuse_twice(reader, *in, "start", exercise.start, exercises, &Exercise::start);
      exercises.push_back(std::move(exercise));
    }
  if (reader.mistake) return tl::unexpected<Problem>(*reader.mistake);
  return exercises;
}

const Exercise* exercise_named(const std::vector<Exercise>& exercises, std::string_view name) {
  const auto found = std::find_if(exercises.begin(), exercises.end(),
                                  [name](const Exercise& exercise) { return exercise.name == name; });
  return found == exercises.end() ? nullptr : &*found;
}

Lesson exercise_as_lesson(const Lesson& lesson, const Exercise& exercise) {
  Lesson result = lesson;
  result.sources = {exercise.start};
  return result;
}

}  // namespace lab
