// SPDX-License-Identifier: MIT
// See open_files.hpp.
#include "workbench/open_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "base/folders.hpp"
#include "lab/files.hpp"
#include "lab/outside.hpp"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;
// Typed text is on the disk this long after the last key, or after the first one while typing goes on.
constexpr auto kSaveAfter = std::chrono::milliseconds(700), kSaveAtLast = std::chrono::milliseconds(3000);
constexpr std::uintmax_t kRoom = 1u << 20;  // beyond the texts, for what else is written there
constexpr auto kLookOutside = std::chrono::milliseconds(400);
constexpr auto kStampIsOld = std::chrono::milliseconds(100);  // file systems count in jiffies

}  // namespace

// Saves typed text in the background: saving waits for the disk, and a frame must not wait.
struct OpenFiles::SaveJob {
  std::map<std::string, std::string> texts, expected;  // expected: what the disk held when last looked
  std::map<std::string, Problem> failed;               // readable once done, like `said`
  std::vector<Problem> said;
  std::atomic<bool> done = false;
  std::thread thread;
  ~SaveJob() {
    if (thread.joinable()) thread.join();
  }
};

OpenFiles::OpenFiles(const DataHome& home, ProblemList& problems, std::shared_ptr<Wake> wake, Changed changed)
    : home_(home), problems_(problems), wake_(std::move(wake)), changed_(std::move(changed)) {}
OpenFiles::~OpenFiles() = default;

void OpenFiles::open(const Lesson& lesson) {
  names_ = lesson.files();
  auto copies = Workspace::open(lesson, home_, language_);
  if (!copies) return problems_.report(copies.error());
  workspace_ = std::move(*copies);
  if (workspace_->problem_of_words()) problems_.report(*workspace_->problem_of_words());
  for (const std::string& file : names_) {
    auto english = workspace_->original(file, Language::English);
    auto chinese = workspace_->original(file, Language::Chinese);
    if (english && chinese) originals_[file] = {{std::move(*english), std::move(*chinese)}};
    read_copy(file);
  }
}

void OpenFiles::close() {
  (void)save();
  workspace_.reset();
  names_.clear();
  texts_.clear(), originals_.clear(), on_disk_.clear();
  unsaved_.clear(), missing_.clear(), given_up_.clear();
}

void OpenFiles::read_copy(const std::string& file) {
  auto text = workspace_->read(file);
  if (!text) return problems_.report(text.error());
  on_disk_[file].text = texts_[file] = std::move(*text);
  if (const auto original = originals_.find(file); original != originals_.end())
    original->second.language = workspace_->language_of(file);
  changed_(file, nullptr);
}

void OpenFiles::set_text(const std::string& file, std::string text) {
  const auto found = texts_.find(file);
  if (found == texts_.end() || found->second == text) return;
  const std::string before = std::exchange(found->second, std::move(text));
  if (const auto original = originals_.find(file); original != originals_.end())
    original->second.language =
        original->second.language_of(found->second).value_or(original->second.language);
  given_up_.erase(file);
  changed_(file, &before);
}

void OpenFiles::type(const std::string& file, std::string text) {
  const auto found = texts_.find(file);
  if (found == texts_.end() || found->second == text) return;
  set_text(file, std::move(text));
  last_edit_ = std::max(last_edit_, Clock::now());
  if (unsaved_.empty()) first_unsaved_ = last_edit_;
  unsaved_.insert(file);
}

bool OpenFiles::edited(const std::string& file) const {
  const auto text = texts_.find(file);
  const auto original = originals_.find(file);
  return text != texts_.end() && original != originals_.end() && !original->second.language_of(text->second);
}

void OpenFiles::restore(const std::string& file) {
  if (!workspace_ || !save()) return;  // the copy that is set aside must be the text on the screen
  if (const auto done = workspace_->restore(file); !done) return problems_.report(done.error());
  read_copy(file);
}

void OpenFiles::open_outside(const std::string& file) {
  if (!workspace_ || !texts_.contains(file)) return;
  if (!save()) return;  // the other editor must show the text on the screen
  if (const auto opened = open_in_editor(workspace_->folder() / file); !opened)
    problems_.report(opened.error());
}

// The two originals of a file.

std::optional<Language> OpenFiles::Original::language_of(const std::string& whole) const {
  if (whole == begun()) return language;
  for (const Language other : {Language::English, Language::Chinese})
    if (whole == text[static_cast<std::size_t>(other)]) return other;
  return std::nullopt;
}

void OpenFiles::set_language(Language language) {
  if (language == language_) return;
  language_ = language;
  if (!workspace_) return;
  (void)save();  // what is kept nowhere else stays on the screen, in whatever language
  workspace_->set_language(language);
  for (const std::string& file : names_) {
    if (unsaved_.contains(file) || given_up_.contains(file)) continue;
    if (const auto fetched = workspace_->fetch(file); !fetched) problems_.report(fetched.error());
    read_copy(file);
  }
}

Language OpenFiles::language_of(const std::string& file) const {
  const auto found = originals_.find(file);
  return found == originals_.end() ? language_ : found->second.language;
}

const std::string& OpenFiles::original_text(const std::string& file) const {
  static const std::string nothing;
  const auto found = originals_.find(file);
  return found == originals_.end() ? nothing : found->second.begun();
}

Result<std::string> OpenFiles::original(const std::string& file, Language language) const {
  return workspace_->original(file, language);
}

const std::string& OpenFiles::in_language_of_now(const std::string& file, const std::string& text) const {
  const auto original = originals_.find(file);
  return original != originals_.end() && original->second.language_of(text) ? original->second.begun() : text;
}

// Saving.

void OpenFiles::say_not_saved(const std::string& file, const Problem& why, Text complaint) {
  // The message that nothing was run is still true when saving is tried again a moment later.
  if (const auto before = not_saved_.find(file); before != not_saved_.end()) {
    if (before->second.key == Text::RunNotSaved && why.key == Text::FileCannotWrite)
      complaint = Text::RunNotSaved;
  }
  now_saved(file);
  const Problem said = why.key == Text::FileCannotWrite ? Problem{complaint, why.values} : why;
  not_saved_.emplace(file, said);
  problems_.report(said);
}

void OpenFiles::now_saved(const std::string& file) {
  const auto said = not_saved_.find(file);
  if (said == not_saved_.end()) return;
  problems_.withdraw(said->second);
  not_saved_.erase(said);
}

bool OpenFiles::save(Text complaint) {
  if (!workspace_) return true;
  if (saving_) {
    saving_->thread.join();
    (void)take_saved();
  }
  for (const auto& [file, text] : texts_) {  // deleted files are written again
    std::error_code error;
    if (!given_up_.contains(file) && !std::filesystem::exists(workspace_->folder() / file, error))
      unsaved_.insert(file);
  }
  for (const std::string& file : std::exchange(unsaved_, {})) {
    if (given_up_.contains(file)) continue;
    if (auto other = keep_theirs(*workspace_, file, on_disk_[file].text, texts_[file]))
      problems_.report(std::move(*other));
    if (const auto written = workspace_->write(file, texts_[file]); !written) {
      unsaved_.insert(file);
      say_not_saved(file, written.error(), complaint);
    } else {
      on_disk_[file].text = texts_[file];
      now_saved(file);
    }
  }
  return unsaved_.empty();
}

// A text that could not be saved counts as unsaved again, and is tried again with the next change.
bool OpenFiles::take_saved() {
  const auto done = std::move(saving_);
  if (done->thread.joinable()) done->thread.join();
  bool changed = !done->said.empty();
  for (const auto& [file, text] : done->texts) {
    if (!texts_.contains(file)) continue;
    if (const auto failed = done->failed.find(file); failed != done->failed.end()) {
      unsaved_.insert(file);
      say_not_saved(file, failed->second, Text::FileNotSaved);
      changed = true;
      continue;
    }
    on_disk_[file].text = text;
    changed = changed || not_saved_.contains(file);
    now_saved(file);
  }
  for (Problem& each : done->said) problems_.report(std::move(each));
  first_unsaved_ = last_edit_ = Clock::now() + (done->failed.empty() ? std::chrono::seconds(0) : kTryAgain);
  return changed;
}

bool OpenFiles::save_soon() {
  if (saving_) return saving_->done && take_saved();
  if (unsaved_.empty() || !workspace_) return false;
  const auto now = Clock::now();
  if (now - last_edit_ < kSaveAfter && now - first_unsaved_ < kSaveAtLast) return false;
  saving_ = std::make_unique<SaveJob>();
  for (const std::string& file : std::exchange(unsaved_, {})) {
    saving_->texts[file] = texts_[file];
    saving_->expected[file] = on_disk_[file].text;
  }
  saving_->thread = std::thread([job = saving_.get(), into = *workspace_, wake = wake_]() mutable {
    for (const auto& [file, text] : job->texts) {
      if (auto other = keep_theirs(into, file, job->expected[file], text))
        job->said.push_back(std::move(*other));
      if (const auto written = into.write(file, text); !written) job->failed.emplace(file, written.error());
    }
    job->done = true;
    (*wake)();
  });
  return false;
}

std::filesystem::path OpenFiles::place_for_unsaved() const {
  std::uintmax_t bytes = kRoom;
  for (const std::string& file : unsaved_) bytes += texts_.at(file).size();
  for (const std::filesystem::path& base :
       {user_home(), temporary_folder(), std::filesystem::path("/var/tmp"),
        std::filesystem::path("/dev/shm")}) {
    std::error_code error;
    const auto space = std::filesystem::space(base, error);
    if (!error && space.available >= bytes && ::access(base.c_str(), W_OK) == 0)
      return base / "driverlab-unsaved";
  }
  return temporary_folder() / "driverlab-unsaved";
}

Result<std::filesystem::path> OpenFiles::keep_elsewhere(const std::filesystem::path& below) {
  const std::string name = workspace_ ? workspace_->folder().filename().string() : "lesson";
  // Text typed into a field: a folder in the user's home if it does not begin with a slash.
  const std::string typed = below.string();
  const std::filesystem::path base = typed == "~" || typed.starts_with("~/")
                                         ? user_home() / typed.substr(std::min<std::size_t>(2, typed.size()))
                                     : below.is_relative() ? user_home() / below
                                                           : below;
  std::filesystem::path folder = base / name;
  std::error_code error;
  for (int number = 2; std::filesystem::exists(folder, error); ++number)  // never over existing files
    folder = base / (name + "-" + std::to_string(number));
  for (const std::string& file : unsaved_) {
    const std::filesystem::path place = folder / file;
    std::filesystem::create_directories(place.parent_path(), error);
    if (error) return problem(Text::FileCannotWrite, {place.parent_path().string(), error.message()});
    if (const auto written = write_file(place, texts_.at(file)); !written)
      return tl::unexpected<Problem>(written.error());
  }
  discard_unsaved();
  return folder;
}

void OpenFiles::discard_unsaved() {
  for (const std::string& file : std::exchange(unsaved_, {})) {
    given_up_.insert(file);
    now_saved(file);
  }
}

// What other programs write.

std::optional<Problem> OpenFiles::keep_theirs(Workspace& workspace, const std::string& file,
                                              const std::string& expected, const std::string& ours) {
  const auto theirs = workspace.read(file);
  if (!theirs || *theirs == expected || *theirs == ours) return std::nullopt;
  const auto kept = workspace.keep_beside(file, ".from-outside-", *theirs);
  return kept ? Problem{Text::FileChangedTwice, {file, *kept}} : kept.error();
}

void OpenFiles::take_outside(const std::string& file, const std::string& theirs) {
  if (!unsaved_.contains(file)) {
    on_disk_[file].text = theirs;
    return set_text(file, theirs);
  }
  if (auto problem = keep_theirs(*workspace_, file, on_disk_[file].text, texts_[file]))
    problems_.report(std::move(*problem));
  on_disk_[file].text = theirs;
}

bool OpenFiles::look_outside() {
  const auto now = Clock::now();
  if (!workspace_ || saving_ || now - looked_outside_ < kLookOutside) return false;
  looked_outside_ = now;
  bool taken = false;
  for (const std::string& file : names_) {
    std::error_code error;
    const auto stamp = std::filesystem::last_write_time(workspace_->folder() / file, error);
    if (error) {
      // Another editor may be replacing it. If the file is still gone at the next look, it is written again.
      if (texts_.contains(file) && !given_up_.contains(file) && !missing_.insert(file).second &&
          unsaved_.insert(file).second)
        first_unsaved_ = last_edit_ = std::max(last_edit_, now);
      continue;
    }
    missing_.erase(file);
    OnDisk& known = on_disk_[file];
    if (known.stamp == stamp) continue;
    // A file that is being written may change again with the same time stamp: it is looked at once more.
    if (std::filesystem::file_time_type::clock::now() - stamp > kStampIsOld) known.stamp = stamp;
    const auto text = workspace_->read(file);
    if (!text || *text == known.text || *text == texts_[file]) continue;
    take_outside(file, *text);
    taken = true;
  }
  return taken;
}

}  // namespace lab
