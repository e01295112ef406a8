// SPDX-License-Identifier: MIT
// A student's copies of lessons, in XDG_DATA_HOME/driverlab/workspace/NN_slug/: made, read, saved, and reset
// to the original. They are found by their slug, also if the lesson had another number when they were made.
// The originals are never changed. There is one in each language (lab/source_translation.hpp); a copy that is
// not edited follows the reader's language.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "lab/catalogue.hpp"
#include "lab/source_translation.hpp"

namespace lab {

// $XDG_DATA_HOME/driverlab, or ~/.local/share/driverlab. If neither can be written, a temporary folder, with
// `temporary` set; the problem says so, and work goes on.
struct DataHome {
  std::filesystem::path path;
  bool temporary = false;
  std::optional<Problem> problem;
};
DataHome data_home();

class Workspace {
 public:
  // Makes missing copies. Makes a copy again if the lesson's file or the language has changed and the copy
  // was never edited; edited copies are not changed.
  static Result<Workspace> open(const Lesson& lesson, const DataHome& home,
                                Language language = Language::English);
  // Why the lesson's words.zh.toml cannot be read; the originals are English then.
  const std::optional<Problem>& problem_of_words() const { return problem_of_words_; }
  const std::filesystem::path& folder() const { return folder_; }
  // Of the copies that fetch() makes from now on.
  void set_language(Language language) { language_ = language; }
  Result<bool> fetch(const std::string& file);  // does for one file of the lesson what open() does for all
  Result<std::string> read(const std::string& file) const;
  Result<bool> write(const std::string& file, std::string_view text);  // atomic: temporary, fsync, rename
  Result<std::string> original(const std::string& file, Language language) const;
  // The language in which the copy was begun, whatever was edited since.
  Language language_of(const std::string& file) const;
  bool edited(const std::string& file) const;     // differs from the originals of both languages
  Result<bool> restore(const std::string& file);  // keeps the edited one as FILE.before-reset-N
  // Writes `text` next to `file`, under a name made of the name of `file`, `mark` and the first free number;
  // returns the new name.
  Result<std::string> keep_beside(const std::string& file, std::string_view mark, std::string_view text);

 private:
  Result<bool> copy(const std::string& file, std::string_view text);
  bool is_original(const std::string& file, std::string_view text) const;
  Language language_ = Language::English;
  SourceWords words_;
  std::optional<Problem> problem_of_words_;
  std::filesystem::path folder_, original_;
  std::filesystem::path copied_;  // each file as it was copied: an edited copy differs from it
};

// The folder of a lesson in this language, for a run without a workspace: the lesson's own folder for
// English, otherwise a folder in the cache that holds files().
Result<std::filesystem::path> lesson_in(Language language, const Lesson& lesson);

}  // namespace lab
