// SPDX-License-Identifier: MIT
// See lessons_by_word.hpp.
#include "lab/lessons_by_word.hpp"

#include "lab/api_help.hpp"
#include "lab/files.hpp"

namespace lab {

LessonsByWord LessonsByWord::create(const Catalogue& catalogue) {
  LessonsByWord words;
  for (const Lesson& lesson : catalogue.lessons)
    for (const std::string& word : lesson.teaches) words.lessons_.emplace(word, lesson.slug);
  for (const Lesson& lesson : catalogue.lessons)
    for (const std::string& file : lesson.sources) {
      const std::string text = read_file(lesson.folder / file).value_or("");
      for (std::size_t at = 0; at < text.size(); ++at) {
        const std::string_view word = word_at(text, at);
        if (word.empty()) continue;
        if (words.find(word).empty() && api_help(word, Language::English))
          words.lessons_.emplace(word, lesson.slug);
        at += word.size();
      }
    }
  return words;
}

std::string_view LessonsByWord::find(std::string_view word) const {
  const auto at = lessons_.find(word);
  return at == lessons_.end() ? std::string_view() : std::string_view(at->second);
}

}  // namespace lab
