// SPDX-License-Identifier: MIT
// What the course offers a teacher: the plan of lessons/sessions.toml, and for each lesson what its
// teaching.toml says to show, to ask and to print. Both are read strictly; a lesson may have no
// teaching.toml, and lessons of one's own need no plan.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lab/catalogue.hpp"
#include "lab/result.hpp"

namespace lab {

// A step has a name in the source, by which the files know it, and a heading in the notes, which people read.
struct TeachingStep {
  std::string name;
  std::string heading[2];  // the name, where the notes have no heading
};

// What the screen shows once this step has run.
struct TeachingShow {
  TeachingStep step;
  std::string text[2];  // by Language, as all texts here
};

// What students often say instead of the expected answer, and how the teacher replies.
struct TeachingWrong {
  std::string heard[2], reply[2];
};

// A question to the class before this step runs.
struct TeachingAsk {
  TeachingStep step;
  std::string question[2], expected[2];
  std::vector<TeachingWrong> wrong;
};

struct TeachingNotes {
  std::vector<TeachingStep> steps;  // all of the lesson, in the order of its sources
  std::vector<TeachingShow> shows;
  std::vector<TeachingAsk> asks;
  std::vector<std::string> print;  // figures worth printing, relative to the lesson's folder, in English
};

struct SessionPart {
  int minutes = 0;            // 1 to 255
  std::optional<int> lesson;  // the number of the lesson that it is about
  TeachingStep step;          // to the end of which the lesson runs; its name may be empty
  std::string what[2];        // what the teacher and the class do
};

struct TeachingSession {
  std::string title[2], goal[2];
  std::vector<int> lessons;  // numbers, in the order in which they are taught
  std::vector<SessionPart> parts;
};

// Empty where the lesson has no teaching.toml.
Result<TeachingNotes> read_teaching(const Lesson& lesson);
// Empty where the catalogue's folder has no sessions.toml. A session names lessons of the catalogue only.
Result<std::vector<TeachingSession>> read_sessions(const Catalogue& catalogue);

int minutes_of(const TeachingSession& session);
// The number of the session, from 1, in which the lesson is taught; nothing if it is in none.
std::optional<std::size_t> session_of(const std::vector<TeachingSession>& sessions, int lesson);
// "05, to the end of “Popping”". Empty if the part is about no lesson.
std::string place_words(const SessionPart& part, Language language);
// "lessons/05_context_stack/figures/push.zh.svg": the figure for readers of this language.
std::string print_file(const Lesson& lesson, const std::string& figure, Language language);

}  // namespace lab
