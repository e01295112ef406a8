// SPDX-License-Identifier: MIT
// See search.hpp.
#include "lab/search.hpp"
#include "lab/letters.hpp"

#include <algorithm>

#include "lab/exercise.hpp"
#include "lab/files.hpp"

namespace lab {
namespace {

constexpr std::size_t kExcerpt = 120;  // bytes, about

std::vector<std::string> words_of(std::string_view query) {
  std::vector<std::string> words;
  std::string word;
  const std::string low = lower_case(query) + " ";
  for (std::size_t i = 0; i < low.size(); ++i) {
    const bool wide_space = low.compare(i, 3, "\u3000") == 0;
    if (low[i] != ' ' && !wide_space) {
      word += low[i];
      continue;
    }
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
    if (wide_space) i += 2;
  }
  return words;
}

bool inside_character(const std::string& text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

std::string excerpt_of(const std::string& text, std::size_t at) {
  std::size_t begin = at > kExcerpt / 3 ? at - kExcerpt / 3 : 0;
  while (begin > 0 && inside_character(text, begin)) --begin;
  std::size_t end = std::min(text.size(), begin + kExcerpt);
  while (end < text.size() && inside_character(text, end)) ++end;
  return (begin > 0 ? "…" : "") + text.substr(begin, end - begin) + (end < text.size() ? "…" : "");
}

// Emphasis and code marks are no part of what is looked for.
std::string without_marks(std::string_view line) {
  std::string out;
  std::size_t at = line.find_first_not_of("#> \t");
  for (; at < line.size(); ++at) {
    // Of ![a picture](path) and [a link](place), only the words in the square brackets are read.
    if (line[at] == '!' && at + 1 < line.size() && line[at + 1] == '[') continue;
    if (const std::size_t close = line.find("](", at); line[at] == '[' && close != std::string_view::npos) {
      out += without_marks(line.substr(at + 1, close - at - 1));
      at = std::min(line.find(')', close), line.size() - 1);
      continue;
    }
    if (line[at] != '*' && line[at] != '`') out += line[at];
  }
  return out;
}

}  // namespace

LessonSearch LessonSearch::create(const Catalogue& catalogue) {
  LessonSearch search;
  search.lessons_ = catalogue.lessons;
  for (std::size_t i = 0; i < search.lessons_.size(); ++i) {
    const Lesson& lesson = search.lessons_[i];
    // What is wrong with a lesson is said by the list of lessons.
    const std::vector<Exercise> exercises = read_exercises(lesson).value_or(std::vector<Exercise>());
    for (const Language language : {Language::English, Language::Chinese}) {
      const int index = static_cast<int>(language);
      std::string head = lesson.title[index] + " · " + lesson.summary[index];
      for (const std::string& name : lesson.teaches) head += " · " + name;
      search.paragraphs_.push_back({i, language, "", head, lower_case(head), "", ""});
      const std::string text = read_file(lesson.notes(language)).value_or("") + "\n\n";
      std::string step, paragraph;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = std::string_view(text).substr(at, end - at);
        at = end + 1;
        constexpr std::string_view kMark = "<!-- step: ", kEnd = "<!-- end of steps -->";
        const bool comment = line.starts_with("<!--");
        const std::string words = comment ? std::string() : without_marks(line);
        if (!words.empty()) {
          paragraph += (paragraph.empty() ? "" : " ") + words;
          if (!line.starts_with('#')) continue;  // a heading is a paragraph by itself
        }
        if (!paragraph.empty())
          search.paragraphs_.push_back({i, language, step, paragraph, lower_case(paragraph), "", ""});
        paragraph.clear();
        if (line.starts_with(kEnd))
          step.clear();
        else if (line.starts_with(kMark))
          step = line.substr(kMark.size(), line.find(' ', kMark.size()) - kMark.size());
      }
      for (const Exercise& exercise : exercises) {
        const std::string both = exercise.title[index] + " · " + without_marks(exercise.task[index]);
        search.paragraphs_.push_back(
            {i, language, "", both, lower_case(both), exercise.name, exercise.title[index]});
      }
    }
  }
  return search;
}

std::vector<SearchHit> LessonSearch::find(std::string_view query, Language first, std::size_t most) const {
  std::vector<SearchHit> hits;
  const std::vector<std::string> words = words_of(query);
  if (words.empty()) return hits;
  const Language other = first == Language::English ? Language::Chinese : Language::English;
  const auto holds_all = [&words](const std::string& text) {
    return std::all_of(words.begin(), words.end(),
                       [&text](const std::string& word) { return text.find(word) != std::string::npos; });
  };
  for (const Language language : {first, other})
    for (const bool titled : {true, false})  // a lesson that is about it before those that mention it
      for (const Paragraph& paragraph : paragraphs_) {
        if (paragraph.language != language || hits.size() >= most || !holds_all(paragraph.folded)) continue;
        const Lesson& lesson = lessons_[paragraph.lesson];
        const std::string& title = lesson.title[static_cast<int>(language)];
        if (holds_all(lower_case(title)) != titled) continue;
        SearchHit hit;
        hit.lesson = lesson.slug, hit.number = lesson.number;
        hit.language = language, hit.title = title;
        hit.step = paragraph.step;
        hit.exercise = paragraph.exercise, hit.exercise_title = paragraph.exercise_title;
        hit.excerpt = excerpt_of(paragraph.text, paragraph.folded.find(words.front()));
        const std::string low = lower_case(hit.excerpt);
        for (const std::string& word : words)
          for (std::size_t at = low.find(word); at != std::string::npos;
               at = low.find(word, at + word.size()))
            hit.found.emplace_back(at, word.size());
        hits.push_back(std::move(hit));
      }
  return hits;
}

}  // namespace lab
