// SPDX-License-Identifier: MIT
// Looks for words in the notes of all lessons, in both languages at once.
//
// create() reads every note once, some milliseconds for this course; find() is quick enough for every key.
// Const use from several threads is fine. Knows Markdown only as far as paragraphs and step marks go.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/catalogue.hpp"
#include "lab/text.hpp"

namespace lab {

struct SearchHit {
  std::string lesson;  // slug
  int number = 0;
  Language language = Language::English;
  std::string title;    // of the lesson, in that language
  std::string step;     // "" before the first one
  std::string excerpt;  // around the first word found, one line
  std::vector<std::pair<std::size_t, std::size_t>>
      found;  // where the words stand in it: begin and length, bytes
};

class LessonSearch {
 public:
  static LessonSearch create(const Catalogue& catalogue);
  // Paragraphs, titles and taught calls that hold every word of the query, whatever its capitals; lessons
  // with all the words in their titles before the others, in their order; those in `first` before those in
  // the other language.
  std::vector<SearchHit> find(std::string_view query, Language first, std::size_t most = 60) const;

 private:
  struct Paragraph {
    std::size_t lesson = 0;
    Language language = Language::English;
    std::string step, text, folded;
  };
  std::vector<Lesson> lessons_;
  std::vector<Paragraph> paragraphs_;
};

}  // namespace lab
