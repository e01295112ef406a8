// SPDX-License-Identifier: MIT
// The student's copies of the open lesson's files: their texts as on the screen, in the reader's language,
// and on the disk. A part of the workbench.
//
// Invariant: a text is on the disk, or is being saved, or is among unsaved(), or the user gave it up. Text
// that cannot be saved stays on the screen, and a problem says so; nothing drops it without asking. What
// another program writes is taken over or kept beside, never lost. Owned by the thread that draws.
#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lab/workspace.hpp"
#include "workbench/problem_list.hpp"
#include "workbench/wake.hpp"

namespace lab {

class OpenFiles {
 public:
  // Called after a text has changed. `before`: what an edit replaced; null: the file was read anew.
  using Changed = std::function<void(const std::string& file, const std::string* before)>;
  OpenFiles(const DataHome& home, ProblemList& problems, std::shared_ptr<Wake> wake, Changed changed);
  ~OpenFiles();

  void open(const Lesson& lesson);  // nothing is open before; complains if it cannot
  void close();                     // saves; what cannot be saved is lost
  bool is_open() const { return workspace_.has_value(); }
  const std::filesystem::path& folder() const { return workspace_->folder(); }
  const std::vector<std::string>& names() const { return names_; }
  const std::map<std::string, std::string>& texts() const { return texts_; }  // by name
  void type(const std::string& file, std::string text);                       // saved soon
  bool edited(const std::string& file) const;  // differs from the originals of both languages
  void restore(const std::string& file);
  void open_outside(const std::string& file);

  // Files that nobody edited change with the language, the others stay.
  void set_language(Language language);
  Language language() const { return language_; }
  Language language_of(const std::string& file) const;  // in which the copy was begun
  const std::string& original_text(const std::string& file) const;
  Result<std::string> original(const std::string& file, Language language) const;
  // The text, or the original in the language of now if it is an original of this file in any language.
  const std::string& in_language_of_now(const std::string& file, const std::string& text) const;

  bool save(Text complaint = Text::FileNotSaved);  // at once; false: some text could not be saved
  bool save_soon();     // a moment after the last change; true when it changed something on screen
  bool look_outside();  // takes over what other programs wrote; true if there was any
  const std::set<std::string>& unsaved() const { return unsaved_; }
  std::filesystem::path place_for_unsaved() const;  // a folder on a disk that has room
  Result<std::filesystem::path> keep_elsewhere(const std::filesystem::path& below);
  void discard_unsaved();

 private:
  struct Original {
    std::string text[2];                    // by Language
    Language language = Language::English;  // in which the copy was begun
    const std::string& begun() const { return text[static_cast<std::size_t>(language)]; }
    std::optional<Language> language_of(const std::string& whole) const;  // nothing: it is none of the two
  };
  struct OnDisk {
    std::string text;  // as we last wrote or read it
    // Of the file when `text` was compared with it, if that was old.
    std::optional<std::filesystem::file_time_type> stamp;
  };
  struct SaveJob;

  void read_copy(const std::string& file);
  void set_text(const std::string& file, std::string text);
  bool take_saved();
  void say_not_saved(const std::string& file, const Problem& why, Text complaint);
  void now_saved(const std::string& file);
  void take_outside(const std::string& file, const std::string& theirs);
  // If another program has changed the file, its text is kept in another file, and the Problem says so.
  static std::optional<Problem> keep_theirs(Workspace& workspace, const std::string& file,
                                            const std::string& expected, const std::string& ours);

  const DataHome& home_;
  ProblemList& problems_;
  std::shared_ptr<Wake> wake_;
  Changed changed_;
  std::optional<Workspace> workspace_;
  std::vector<std::string> names_;
  Language language_ = Language::English;  // of the reader
  std::map<std::string, std::string> texts_;
  std::map<std::string, Original> originals_;
  std::map<std::string, OnDisk> on_disk_;
  std::chrono::steady_clock::time_point looked_outside_;
  std::set<std::string> unsaved_;
  std::set<std::string> missing_;             // files that were gone at the last look at the disk
  std::set<std::string> given_up_;            // the user gave up their text, or has it elsewhere
  std::map<std::string, Problem> not_saved_;  // also among the problems, until the file is saved
  std::chrono::steady_clock::time_point first_unsaved_, last_edit_;
  std::unique_ptr<SaveJob> saving_;
};

}  // namespace lab
