// SPDX-License-Identifier: MIT
// See open_lesson.hpp.
#include "workbench/open_lesson.hpp"

#include <utility>

#include "lab/files.hpp"

namespace lab {

OpenLesson::OpenLesson(const DataHome& home, ProblemList& problems, ProgressFile& progress,
                       std::shared_ptr<Wake> wake, Changed changed)
    : problems_(problems),
      changed_(std::move(changed)),
      files_(home, problems, std::move(wake),
             [this](const std::string& file, const std::string* before) {
               const bool moved =
                   before != nullptr && breakpoints_.move(file, *before, files_.texts().at(file));
               changed_(file, moved);
             }),
      quiz_(problems, progress) {}

void OpenLesson::open(const Lesson& lesson) {
  files_.close();
  breakpoints_.clear();
  lesson_ = lesson;
  for (const Language language : {Language::English, Language::Chinese}) {
    std::string& notes = notes_[static_cast<std::size_t>(language)];
    notes.clear();
    if (auto text = read_file(lesson.notes(language)))
      notes = std::move(*text);
    else
      problems_.report(text.error());
  }
  quiz_.open(lesson);
  files_.open(lesson);
}

void OpenLesson::close() {
  files_.close();
  breakpoints_.clear();
  lesson_.reset();
  for (std::string& notes : notes_) notes.clear();
  quiz_.close();
}

}  // namespace lab
