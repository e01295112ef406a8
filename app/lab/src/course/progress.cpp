// SPDX-License-Identifier: MIT
// See progress.hpp.
#include "lab/progress.hpp"
#include "lab/files.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "lab/quiz.hpp"
#include "lab/wall_clock.hpp"
#include "lab/workspace.hpp"

namespace lab {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMostProgressBytes = 4 << 20;
constexpr int kMostCount = 1'000'000;

bool truth(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

int count(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return 0;
  return static_cast<int>(std::clamp<std::int64_t>(found->get<std::int64_t>(), 0, kMostCount));
}

std::string words(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

constexpr char kNoAnswer = '-', kRightAnswer = 'r', kWrongAnswer = 'w';

std::string first_answers(const json& object, const char* key) {
  std::string answers = words(object, key).substr(0, kMostQuizQuestions);
  for (char& each : answers)
    if (each != kRightAnswer && each != kWrongAnswer) each = kNoAnswer;
  return answers;
}

ExerciseProgress exercise_from(const json& object) {
  return {count(object, "checks"), count(object, "hints"), truth(object, "solution_seen"),
          words(object, "passed_at")};
}

json object_of(const ExerciseProgress& one) {
  return {{"checks", one.checks},
          {"hints", one.hints},
          {"passed_at", one.passed_at},
          {"solution_seen", one.solution_seen}};
}

// The first exercise has its keys beside those of the lesson, as in versions in which it was the only one.
LessonProgress lesson_from(json object) {
  LessonProgress one;
  one.opened = truth(object, "opened");
  one.ran = truth(object, "ran");
  one.predicted = count(object, "predicted");
  one.predicted_right = count(object, "predicted_right");
  one.quiz = first_answers(object, "quiz");
  if (const ExerciseProgress first = exercise_from(object); first != ExerciseProgress())
    one.exercises[kFirstExercise] = first;
  if (const auto others = object.find("exercises"); others != object.end() && others->is_object())
    for (const auto& [name, other] : others->items())
      if (other.is_object() && name != kFirstExercise) one.exercises[name] = exercise_from(other);
  for (const char* known : {"opened", "ran", "checks", "hints", "passed_at", "solution_seen", "predicted",
                            "predicted_right", "quiz", "exercises"})
    object.erase(known);
  if (!object.empty()) one.unknown = object.dump();
  return one;
}

json object_of(const LessonProgress& one) {
  json object = json::parse(one.unknown, nullptr, false);
  if (!object.is_object()) object = json::object();
  const auto first = one.exercises.find(kFirstExercise);
  object.update(object_of(first == one.exercises.end() ? ExerciseProgress() : first->second));
  object.update({{"opened", one.opened},
                 {"ran", one.ran},
                 {"predicted", one.predicted},
                 {"predicted_right", one.predicted_right},
                 {"quiz", one.quiz}});
  json others = json::object();
  for (const auto& [name, other] : one.exercises)
    if (name != kFirstExercise) others[name] = object_of(other);
  if (!others.empty()) object["exercises"] = std::move(others);
  return object;
}

// Quoted if it contains a comma, a quote or a line end.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::filesystem::path progress_path(const std::filesystem::path& data_home) {
  return data_home / "progress.json";
}

Progress read_progress(const std::filesystem::path& path) {
  Progress progress;
  std::error_code error;
  if (path.empty() || !std::filesystem::exists(path, error)) return progress;
  const auto text = read_file(path, kMostProgressBytes);
  json object = text ? json::parse(*text, nullptr, false) : json(json::value_t::discarded);
  if (!object.is_object()) {
    std::filesystem::rename(path, path.string() + ".broken", error);
    return progress;
  }
  if (const auto lessons = object.find("lessons"); lessons != object.end()) {
    if (lessons->is_object())
      for (const auto& [name, one] : lessons->items()) {
        if (!one.is_object()) continue;
        Progress named;  // several numbers of one lesson: what was achieved under any of them counts
        named.lessons[slug_of(name)] = lesson_from(one);
        merge(progress, named);
      }
    object.erase(lessons);
  }
  if (!object.empty()) progress.unknown = object.dump();
  return progress;
}

Result<bool> write_progress(const std::filesystem::path& path, const Progress& progress) {
  json object = json::parse(progress.unknown, nullptr, false);
  if (!object.is_object()) object = json::object();
  json& lessons = object["lessons"] = json::object();
  for (const auto& [name, one] : progress.lessons) lessons[name] = object_of(one);
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  return write_file(path, object.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

void count_check(ExerciseProgress& progress, bool passed) {
  ++progress.checks;
  if (!passed || !progress.passed_at.empty()) return;
  progress.passed_at = now_utc();
}

ExerciseProgress progress_of(const Progress& progress, const Lesson& lesson, const std::string& exercise) {
  const auto known = progress.lessons.find(lesson.slug);
  if (known == progress.lessons.end()) return {};
  const auto one = known->second.exercises.find(exercise);
  return one == known->second.exercises.end() ? ExerciseProgress() : one->second;
}

namespace {

ExerciseProgress progress_of_first(const Progress& progress, const Lesson& lesson) {
  return progress_of(progress, lesson, lesson.exercises.empty() ? kFirstExercise : lesson.exercises.front());
}

}  // namespace

std::size_t passed_exercises(const Progress& progress, const Lesson& lesson) {
  return static_cast<std::size_t>(std::count_if(
      lesson.exercises.begin(), lesson.exercises.end(),
      [&](const std::string& name) { return !progress_of(progress, lesson, name).passed_at.empty(); }));
}

void count_quiz_answer(LessonProgress& progress, std::size_t question, bool right) {
  if (question >= kMostQuizQuestions) return;
  if (progress.quiz.size() <= question) progress.quiz.resize(question + 1, kNoAnswer);
  char& first = progress.quiz[question];
  if (first == kNoAnswer) first = right ? kRightAnswer : kWrongAnswer;
}

QuizScore quiz_score(const LessonProgress& progress) {
  const auto right = std::count(progress.quiz.begin(), progress.quiz.end(), kRightAnswer);
  const auto wrong = std::count(progress.quiz.begin(), progress.quiz.end(), kWrongAnswer);
  return {static_cast<int>(right + wrong), static_cast<int>(right)};
}

bool is_done(const Progress& progress, const Lesson& lesson) {
  return !progress_of_first(progress, lesson).passed_at.empty();
}

const Lesson* next_lesson(const Progress& progress, const Catalogue& catalogue) {
  for (const LessonsOfPart& part : by_part(catalogue))
    for (const Lesson* lesson : part.lessons) {
      const auto found = progress.lessons.find(lesson->slug);
      if (found == progress.lessons.end() || !found->second.ran) return lesson;
    }
  return nullptr;
}

namespace {

void merge(ExerciseProgress& mine, const ExerciseProgress& theirs) {
  mine.solution_seen |= theirs.solution_seen;
  mine.checks = std::max(mine.checks, theirs.checks);
  mine.hints = std::max(mine.hints, theirs.hints);
  const bool earlier = mine.passed_at.empty() || theirs.passed_at < mine.passed_at;
  if (!theirs.passed_at.empty() && earlier) mine.passed_at = theirs.passed_at;
}

}  // namespace

void merge(Progress& into, const Progress& other) {
  for (const auto& [name, theirs] : other.lessons) {
    LessonProgress& mine = into.lessons[name];
    mine.opened |= theirs.opened;
    mine.ran |= theirs.ran;
    for (const auto& [exercise, done] : theirs.exercises) merge(mine.exercises[exercise], done);
    if (mine.unknown.empty()) mine.unknown = theirs.unknown;
    if (theirs.predicted > mine.predicted)
      mine.predicted = theirs.predicted, mine.predicted_right = theirs.predicted_right;
    for (std::size_t i = 0; i < theirs.quiz.size(); ++i)
      if (theirs.quiz[i] != kNoAnswer) count_quiz_answer(mine, i, theirs.quiz[i] == kRightAnswer);
  }
  if (into.unknown.empty()) into.unknown = other.unknown;
}

std::string progress_csv(const Progress& progress, const Catalogue& catalogue, Language titles) {
  std::string csv =
      "number,lesson,title,opened,ran,checks,hints,solution_seen,passed,passed_at,predicted,predicted_"
      "right,questions,questions_right,exercises,exercises_passed,passed_exercises\r\n";
  const auto yes = [](bool is) { return is ? std::string("yes") : std::string("no"); };
  for (const Lesson& lesson : catalogue.lessons) {
    const auto found = progress.lessons.find(lesson.slug);
    const LessonProgress one = found == progress.lessons.end() ? LessonProgress{} : found->second;
    const QuizScore quiz = quiz_score(one);
    const ExerciseProgress exercise = progress_of_first(progress, lesson);
    std::string passed;
    for (const std::string& name : lesson.exercises)
      if (!progress_of(progress, lesson, name).passed_at.empty())
        passed += (passed.empty() ? "" : " ") + name;
    const std::string fields[] = {std::to_string(lesson.number),
                                  lesson.slug,
                                  lesson.title[static_cast<int>(titles)],
                                  yes(one.opened),
                                  yes(one.ran),
                                  std::to_string(exercise.checks),
                                  std::to_string(exercise.hints),
                                  yes(exercise.solution_seen),
                                  yes(!exercise.passed_at.empty()),
                                  exercise.passed_at,
                                  std::to_string(one.predicted),
                                  std::to_string(one.predicted_right),
                                  std::to_string(quiz.answered),
                                  std::to_string(quiz.right),
                                  std::to_string(lesson.exercises.size()),
                                  std::to_string(passed_exercises(progress, lesson)),
                                  passed};
    std::string line;
    for (const std::string& each : fields) line += (line.empty() ? "" : ",") + csv_field(each);
    csv += line + "\r\n";
  }
  return csv;
}

}  // namespace lab
