// SPDX-License-Identifier: MIT
// words.zh.toml of each lesson: every comment and every sentence of its sources has its Chinese, no entry is
// left over, and the Chinese source is the same program.
#include <algorithm>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "lab/exercise.hpp"
#include "lab/files.hpp"
#include "lab/source_translation.hpp"

namespace {

namespace fs = std::filesystem;

std::vector<lab::Lesson> lessons_and_template() {
  lab::Catalogue catalogue = lab::read_catalogue(LESSONS);
  for (const lab::Problem& problem : catalogue.problems) ADD_FAILURE() << problem.in(lab::Language::English);
  if (auto stamped = lab::read_lesson(fs::path(LESSONS) / "_template"))
    catalogue.lessons.push_back(std::move(*stamped));
  return catalogue.lessons;
}

// What the words are of. PTX by hand has none: who knows which of its readers take more than ASCII?
std::vector<std::string> sources_of(const lab::Lesson& lesson) {
  std::vector<std::string> names = lesson.files();
  const auto exercises = lab::read_exercises(lesson);
  EXPECT_TRUE(exercises) << exercises.error().in(lab::Language::English);
  if (exercises)
    for (const lab::Exercise& exercise : *exercises)
      names.insert(names.end(), {exercise.start, exercise.solution});
  std::erase_if(names, [](const std::string& name) { return name.ends_with(".ptx"); });
  return names;
}

int line_of(std::string_view source, std::size_t place) {
  return static_cast<int>(
             std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(place), '\n')) +
         1;
}

// Of an editor, from the beginning of its line: a Chinese character is as wide as two others.
int columns_until(std::string_view source, std::size_t place) {
  const std::size_t begin = source.rfind('\n', place == 0 ? 0 : place - 1) + 1;
  int columns = 0;
  for (const char c : source.substr(begin, place - begin)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) != 0x80) columns += byte >= 0xe3 ? 2 : 1;
  }
  return columns;
}

// Without comments and without what stands between quotes, told apart by other means than the lab's.
std::string code_of(const std::string& source) {
  std::string code;
  for (std::size_t i = 0; i < source.size();) {
    const auto until = [&](const char* mark) { return std::min(source.find(mark, i + 2), source.size()); };
    if (source.compare(i, 3, "R\"(") == 0) {
      const std::size_t end = std::min(until(")\"") + 2, source.size());
      code += source.substr(i, end - i), i = end;
    } else if (source.compare(i, 2, "//") == 0) {
      i = until("\n");
    } else if (source.compare(i, 2, "/*") == 0) {
      const std::size_t end = until("*/");
      code.append(static_cast<std::size_t>(line_of(source, end) - line_of(source, i)), '\n');
      i = std::min(end + 2, source.size());
    } else if (source[i] == '"') {
      for (++i; i < source.size() && source[i] != '"'; ++i)
        if (source[i] == '\\') ++i;
      code += "\"\"", ++i;
    } else {
      code += source[i++];
    }
  }
  return code;
}

struct Translated {
  lab::Lesson lesson;
  lab::SourceWords words;
  std::map<std::string, std::string> sources;
  std::string place(const std::string& name, int line) const {
    return (lesson.folder / name).string() + ":" + std::to_string(line) + ": ";
  }
};

std::vector<Translated> all_lessons() {
  std::vector<Translated> all;
  for (const lab::Lesson& lesson : lessons_and_template()) {
    EXPECT_TRUE(fs::exists(lesson.words())) << lesson.words().string() << " is missing";
    auto words = lab::read_source_words(lesson.words());
    EXPECT_TRUE(words) << words.error().in(lab::Language::English);
    if (!words) continue;
    Translated& told = all.emplace_back(Translated{lesson, std::move(*words), {}});
    for (const std::string& name : sources_of(lesson)) {
      const auto text = lab::read_file(lesson.folder / name);
      EXPECT_TRUE(text) << text.error().in(lab::Language::English);
      if (text) told.sources[name] = *text;
    }
  }
  EXPECT_GT(all.size(), 20u);
  return all;
}

// Words that a reader reads, rather than names and numbers: in a comment any, in a string "two words" or
// "one:", beside conversions and escapes.
bool has_words(const lab::SourceUnit& unit) {
  static const std::regex no_words(R"(%[-+ #0-9.*lhzjt]*[A-Za-z%])"), escape(R"(\\.)"),
      words(R"([A-Za-z]{3,}:|[A-Za-z]{2,} +[A-Za-z]{2,})"), any("[A-Za-z]");
  std::vector<std::string> texts = unit.texts();
  texts.emplace_back();
  for (const std::string& piece : unit.texts()) texts.back() += piece;
  return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
    if (unit.kind == lab::SourceUnit::Kind::Comment) return std::regex_search(text, any);
    return std::regex_search(std::regex_replace(std::regex_replace(text, no_words, ""), escape, " "), words);
  });
}

TEST(words_of_lessons, words_are_told_from_names_and_numbers) {
  const auto one_has_words = [](std::string_view source) {
    const auto found = lab::units_in_source(source);
    return found.size() == 1 && has_words(found.front());
  };
  for (const char* source :
       {R"("two words")", R"("sum: %d\n")", R"("a" "b two" "c")", "// word", R"("%d of them")"})
    EXPECT_TRUE(one_has_words(source)) << source;
  for (const char* source :
       {R"("cuMemAlloc")", R"("%d %s\n")", R"("\n%lld to %lld")", "// 1 + 2", R"("%llu: %p")"})
    EXPECT_FALSE(one_has_words(source)) << source;
}

TEST(words_of_lessons, each_comment_and_each_sentence_has_its_chinese) {
  for (const Translated& told : all_lessons())
    for (const auto& [name, text] : told.sources)
      for (const lab::SourceUnit& unit : lab::units_in_source(text))
        EXPECT_TRUE(told.words.find(unit) != nullptr || !has_words(unit))
            << told.place(name, line_of(text, unit.pieces.front().begin)) << "no Chinese for “"
            << unit.pieces.front().text << "”: write it in words.zh.toml";
}

// "21 became 42" is no sentence by its form, but a student reads it.
TEST(words_of_lessons, whatever_a_program_claims_or_prints_has_its_chinese) {
  const std::regex prints(R"((\bclaim|\bprintf|\bputs)\(\s*$)");
  const std::regex no_words(R"(%[-+ #0-9.*]*(hh|h|ll|l|z|j|t)?[a-zA-Z%]|\\.)"), word("[A-Za-z]{2}");
  std::size_t found = 0;
  for (const Translated& told : all_lessons())
    for (const auto& [name, text] : told.sources)
      for (const lab::SourceUnit& unit : lab::units_in_source(text)) {
        const std::size_t begin = text.rfind('"', unit.pieces.front().begin);
        if (unit.kind != lab::SourceUnit::Kind::String || begin == std::string::npos) continue;
        const std::string before =
            text.substr(begin - std::min<std::size_t>(begin, 80), std::min<std::size_t>(begin, 80));
        std::string all;
        for (const std::string& piece : unit.texts()) all += piece;
        if (!std::regex_search(before, prints) ||
            !std::regex_search(std::regex_replace(all, no_words, " "), word))
          continue;
        ++found;
        EXPECT_NE(told.words.find(unit), nullptr)
            << told.place(name, line_of(text, begin)) << "no Chinese for “" << all
            << "”: write it in words.zh.toml";
      }
  EXPECT_GT(found, 200u);
}

TEST(words_of_lessons, ptx_by_hand_has_no_comment) {
  for (const lab::Lesson& lesson : lessons_and_template())
    for (const std::string& name : lesson.files()) {
      if (!name.ends_with(".ptx")) continue;
      const auto text = lab::read_file(lesson.folder / name);
      ASSERT_TRUE(text) << name;
      EXPECT_EQ(text->find("//"), std::string::npos)
          << name << ": explain it in the notes, in both languages";
      EXPECT_EQ(text->find("/*"), std::string::npos)
          << name << ": explain it in the notes, in both languages";
    }
}

TEST(words_of_lessons, no_entry_is_left_over) {
  for (const Translated& told : all_lessons()) {
    std::set<const lab::SourceWords::Entry*> used;
    for (const auto& [name, text] : told.sources)
      for (const lab::SourceUnit& unit : lab::units_in_source(text)) used.insert(told.words.find(unit));
    for (const auto& [key, entry] : told.words.entries())
      EXPECT_TRUE(used.contains(&entry)) << told.place("words.zh.toml", static_cast<int>(entry.line))
                                         << "no source has “" << key.second.front() << "”";
  }
}

TEST(words_of_lessons, no_line_is_too_long) {
  constexpr int kLongest = 120;
  for (const Translated& told : all_lessons())
    for (const auto& [name, text] : told.sources) {
      const std::string chinese = told.words.chinese(text);
      for (const lab::SourceUnit& unit : lab::units_in_source(chinese))
        for (const lab::SourceUnit::Piece& piece : unit.pieces)
          EXPECT_LE(columns_until(chinese, piece.end), kLongest)
              << told.place(name, line_of(chinese, piece.end)) << piece.text;
    }
}

TEST(words_of_lessons, the_code_is_the_same_in_both_languages_line_by_line) {
  const auto steps_of = [](const std::string& source) {
    std::vector<std::pair<std::string, int>> steps;
    for (const lab::StepMark& mark : lab::step_marks_in_source("", source))
      steps.emplace_back(mark.name, mark.first_line);
    return steps;
  };
  for (const Translated& told : all_lessons())
    for (const auto& [name, text] : told.sources) {
      const std::string chinese = told.words.chinese(text);
      EXPECT_EQ(code_of(text), code_of(chinese)) << told.place(name, 1);
      EXPECT_EQ(steps_of(text), steps_of(chinese)) << told.place(name, 1);
    }
}

}  // namespace
