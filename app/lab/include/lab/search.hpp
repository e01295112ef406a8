// SPDX-License-Identifier: MIT
// Looks for words in the notes and exercises of all lessons, in both languages at once.
//
// create() reads every note and task once, which takes some milliseconds for this course; find() is fast
// enough to be called after every key. Several threads may use a const LessonSearch. Of Markdown, only
// paragraphs and step marks are understood.
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
  std::string title;                     // of the lesson, in that language
  std::string step;                      // "" before the first one
  std::string exercise, exercise_title;  // its name and title, if the words stand in its title or task
  std::string excerpt;                   // around the first word found, one line
  std::vector<std::pair<std::size_t, std::size_t>>
      found;  // the places of the words in it: begin and length, in bytes
};

class LessonSearch {
 public:
  static LessonSearch create(const Catalogue& catalogue);
  // Paragraphs, titles, taught calls and tasks that contain every word of the query, in capitals or not.
  // Lessons with all the words in their titles come first, then the others, in their order; hits in the
  // language `first` come before those in the other language.
  std::vector<SearchHit> find(std::string_view query, Language first, std::size_t most = 60) const;

 private:
  struct Paragraph {
    std::size_t lesson = 0;
    Language language = Language::English;
    std::string step, text, folded;
    std::string exercise, exercise_title;
  };
  std::vector<Lesson> lessons_;
  std::vector<Paragraph> paragraphs_;
};

}  // namespace lab
