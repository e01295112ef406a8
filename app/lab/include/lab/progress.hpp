// SPDX-License-Identifier: MIT
// How far a student has come, lesson by lesson: kept in progress.json in the data home, shown, and told to a
// teacher as CSV.
//
// Reading never fails: a file that cannot be understood is kept beside the new one as progress.json.broken,
// and keys that this version does not know are written back. Not thread-safe: a value. Knows no window.
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "lab/catalogue.hpp"
#include "lab/text.hpp"

namespace lab {

struct LessonProgress {
  bool opened = false, ran = false;        // a run of its program came to its end
  int checks = 0;                          // of its exercise
  int hints = 0;                           // most hints shown
  bool solution_seen = false;              // before it was passed
  std::string passed_at;                   // ISO 8601, UTC; "" while not passed
  int predicted = 0, predicted_right = 0;  // questions before calls that were answered, and rightly
  bool operator==(const LessonProgress&) const = default;
};

struct Progress {
  std::map<std::string, LessonProgress> lessons;  // by folder name: "04_context_stack"
  std::string unknown;                            // JSON object of the keys that this version does not know
};

std::filesystem::path progress_path(const std::filesystem::path& data_home);
Progress read_progress(const std::filesystem::path& path);
Result<bool> write_progress(const std::filesystem::path& path, const Progress& progress);
// One more check of the exercise, now.
void count_check(LessonProgress& progress, bool passed);
// Takes in what another program may have written meanwhile: of each field whatever is further.
void merge(Progress& into, const Progress& other);
// A line for each lesson of the catalogue, after a line of column names (English: they are read by programs).
// RFC 4180, UTF-8.
std::string progress_csv(const Progress& progress, const Catalogue& catalogue, Language titles);

}  // namespace lab
