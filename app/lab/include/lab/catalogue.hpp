// SPDX-License-Identifier: MIT
// The lessons: the contents of lessons/NN_slug/lesson.toml and the files next to it, and the parts of the
// course in lessons/parts.toml, read strictly. Also the places of the steps in a lesson's source and notes.
//
// A lesson's number is its place in the course and may change; its slug never does. What is kept for a user
// names lessons by slug.
//
// A lesson that cannot be read is a Problem in the catalogue; the other lessons are read all the same.
// Nothing here depends on workspaces or runs.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/result.hpp"

namespace lab {

struct Limits {
  double seconds = 30;                                  // wall clock, not counting time held
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;  // resident, of the whole process group
  std::uint64_t output_bytes = std::uint64_t{8} << 20;
};

// A library of the lesson's own, for lessons about other people's code: C files that are built as libNAME.so
// next to the program, which is linked with it. The sources include the header by its name.
struct OwnLibrary {
  std::string name;
  std::vector<std::string> sources;  // .c files, relative to the folder
  std::string header;                // what the program includes
};

// The name of a lesson's first exercise, and of the only one in lessons written for earlier versions.
inline constexpr const char* kFirstExercise = "repair";

// A part of the course: what it is for, and what the reader can do after it.
struct Part {
  std::string name;                // "contexts"
  std::string title[2], about[2];  // by Language
};

// How far a lesson goes.
enum class Level {
  Basic,    // for everyone who begins
  Core,     // for everyone who writes programs with the driver API
  Advanced  // for authors of libraries and tools; others may leave it for later
};

Text word_for(Level level);

struct Lesson {
  int number = 0;    // from the folder: 04
  std::string slug;  // "context_stack"
  std::filesystem::path folder;
  std::string title[2], summary[2];  // by Language
  // Where the lesson stands in the course. A lesson of a user's own may have none of this.
  std::string part;  // its name, "" if there is none
  std::optional<Level> level;
  int minutes = 0;                 // to read it and to run its program, without the exercise; 0 if not given
  std::vector<std::string> needs;  // slugs of earlier lessons
  std::string why[2];              // one line by Language: why the lesson is worth the time
  std::vector<std::string> sources;  // files to build, main first, relative to the folder
  std::vector<std::string>
      libraries;                     // "cudart", "nvrtc": needed besides the driver; a .cu file needs cudart
  std::vector<std::string> kernels;  // .cu and .ptx files, made into NAME.ptx next to the program
  std::vector<OwnLibrary> own_libraries;
  std::vector<std::string> teaches;    // API names, for the list and the search
  std::vector<std::string> documents;  // the sources of its material: "4", "1 L.1"
  Limits limits;
  std::vector<std::string> exercises;      // their names, in order; lab/exercise.hpp reads what they are
  std::vector<std::string> files() const;  // all that a reader may edit: sources, kernels, libraries
  std::filesystem::path notes(Language language) const;  // notes.md, notes.zh.md
  std::filesystem::path words() const;  // words.zh.toml, which may be absent: the sources are English then
};

struct Catalogue {
  std::filesystem::path home;     // the folder that they are in
  std::vector<Lesson> lessons;    // by number
  std::vector<Part> parts;        // in the order of the course; none without a parts.toml
  std::vector<Problem> problems;  // what could not be read: file, line, what was expected
  // `name` is "4", "04", "stack" or "04_stack"; a name with a slug is also found if the
  // lesson has another number now.
  Result<Lesson> find(std::string_view name) const;
};
Catalogue read_catalogue(const std::filesystem::path& lessons_folder);
// Without what only the whole course can tell: whether `part` and `needs` name anything.
Result<Lesson> read_lesson(const std::filesystem::path& folder);
Result<std::vector<Part>> read_parts(const std::filesystem::path& lessons_folder);
// "04_stack" -> "stack"; a name without a number is a slug.
std::string slug_of(std::string_view folder_name);

std::string lesson_number(int number);  // "05", as everywhere that a reader sees it

// The lessons as a reader sees them, part by part, by number in each. Lessons of no part come last.
struct LessonsOfPart {
  const Part* part = nullptr;  // null: of no part
  std::vector<const Lesson*> lessons;
};
std::vector<LessonsOfPart> by_part(const Catalogue& catalogue);  // pointers into `catalogue`

// The place of a step in a lesson's source or notes. A step begins at a comment `// step: NAME` in a source
// file and at `<!-- step: NAME -->` in the notes, and lasts to the next one.
struct StepMark {
  std::string name;
  std::string file;                   // source marks only: file name
  int first_line = 0, last_line = 0;  // 1-based, inclusive
};
std::vector<StepMark> step_marks_in_source(std::string_view file, std::string_view source_text);
std::vector<StepMark> step_marks_in_notes(std::string_view notes_text);  // lines are of the notes
// The step whose lines contain this place; nullptr if there is none.
const StepMark* step_at(const std::vector<StepMark>& marks, std::string_view file, int line);

// The step of each call of a run. A call in the lines of a step belongs to that step. A call in code outside
// of all steps, such as a helper function or a library's source, belongs to the step from which this code was
// called: the last step that its thread was in or, if the thread was in none yet, that any thread was in. So
// a step has to make a call of its own before it calls a helper that makes some; a test checks this in all
// lessons.
class StepsOfRun {
 public:
  // The step of the next call, as its number in `marks`; nothing before the first step.
  std::optional<std::size_t> next(const std::vector<StepMark>& marks, std::uint32_t thread,
                                  std::string_view file, int line);

 private:
  std::map<std::uint32_t, std::size_t> last_of_thread_;
  std::optional<std::size_t> last_;
};

}  // namespace lab
