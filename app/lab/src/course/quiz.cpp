// SPDX-License-Identifier: MIT
// See quiz.hpp.
#include "lab/quiz.hpp"

#include "base/toml_reader.hpp"
#include "lab/files.hpp"

namespace lab {
namespace {

using StepNames = std::vector<std::string>;

StepNames steps_of_notes(const Lesson& lesson) {
  StepNames names;
  if (const auto notes = read_file(lesson.notes(Language::English)))
    for (const StepMark& mark : step_marks_in_notes(*notes)) names.push_back(mark.name);
  return names;
}

QuizAnswer read_quiz_answer(TomlReader& reader, const toml::table& in) {
  reader.only(in, {"en", "zh", "right", "because"});
  QuizAnswer answer;
  answer.text[static_cast<int>(Language::English)] = reader.string(in, "en");
  answer.text[static_cast<int>(Language::Chinese)] = reader.string(in, "zh");
  answer.right = reader.boolean(in, "right");
  reader.both_languages(in, "because", answer.because);
  return answer;
}

QuizQuestion read_quiz_question(TomlReader& reader, const toml::table& in, const StepNames& steps) {
  reader.only(in, {"text", "about", "answer"});
  QuizQuestion question;
  reader.both_languages(in, "text", question.text);
  question.about = reader.string(in, "about");
  if (!question.about.empty() && std::find(steps.begin(), steps.end(), question.about) == steps.end())
    reader.fail(Text::QuizUnknownStep, TomlReader::line_of(*in.get("about")),
                {question.about, fmt::format("{}", fmt::join(steps, ", "))});
  std::size_t right = 0;
  for (const toml::table* answer : reader.tables(in, "question", "answer")) {
    question.answers.push_back(read_quiz_answer(reader, *answer));
    right += question.answers.back().right ? 1 : 0;
  }
  const std::size_t count = question.answers.size(), line = TomlReader::line_of(in);
  if (count < kFewestQuizAnswers || count > kMostQuizAnswers)
    reader.fail(
        Text::QuizAnswersCount, line,
        {std::to_string(count), std::to_string(kFewestQuizAnswers), std::to_string(kMostQuizAnswers)});
  if (right != 1) reader.fail(Text::QuizRightCount, line, {std::to_string(right)});
  return question;
}

}  // namespace

Result<std::vector<QuizQuestion>> read_quiz(const Lesson& lesson) {
  std::vector<QuizQuestion> quiz;
  const std::filesystem::path path = lesson.folder / "questions.toml";
  const Result<toml::table> parsed = parse_lesson_toml(path);
  if (!parsed) return tl::unexpected<Problem>(parsed.error());
  const toml::table& root = *parsed;
  TomlReader reader(path.string());
  reader.only(root, {"question"});
  const std::vector<const toml::table*> tables = reader.tables(root, "", "question");
  if (tables.size() > kMostQuizQuestions)
    reader.fail(Text::LessonTomlTooMany, TomlReader::line_of(*root.get("question")),
                {"question", std::to_string(tables.size()), std::to_string(kMostQuizQuestions)});
  const StepNames steps = steps_of_notes(lesson);
  for (const toml::table* each : tables) {
    if (reader.mistake) break;
    quiz.push_back(read_quiz_question(reader, *each, steps));
  }
  if (reader.mistake) return tl::unexpected<Problem>(*reader.mistake);
  return quiz;
}

}  // namespace lab
