// SPDX-License-Identifier: MIT
// A student's copies of the lessons and their folder. Originals are only read. If the folder cannot be
// written, a temporary one is used, and a problem says so. A link that leads out of the folder is not
// followed.
#include "lab/workspace.hpp"
#include "lab/files.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <set>

#include "base/folders.hpp"
#include "base/lines.hpp"

namespace lab {
namespace {

// It must belong to this user: another user could have put it there.
bool private_folder(const std::filesystem::path& path) {
  struct stat about{};
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return false;
  return ::lstat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == ::getuid() &&
         (about.st_mode & 077) == 0;
}

bool plain_relative(const std::filesystem::path& file) {
  return !file.empty() && file.is_relative() &&
         std::none_of(file.begin(), file.end(), [](const auto& part) { return part == ".."; });
}

// The file inside the folder that `file` names, links followed; a Problem when it leads out.
Result<std::filesystem::path> place_inside(const std::filesystem::path& folder, const std::string& file) {
  std::error_code error;
  const auto base = std::filesystem::weakly_canonical(folder, error);
  auto full = error ? folder / file : std::filesystem::weakly_canonical(base / file, error);
  const auto relative = full.lexically_relative(base);
  if (error || !plain_relative(file) || relative.empty() || *relative.begin() == ".." || relative == ".")
    return problem(Text::WorkspaceOutside, {(folder / file).string(), folder.string()});
  return full;
}

Result<bool> make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return problem(Text::FileCannotWrite, {folder.string(), error.message()});
  return true;
}

std::size_t lines_in_common(std::string_view text, std::string_view other) {
  const auto different = [](std::string_view all) {
    const std::vector<std::string_view> lines = lines_in(all);
    return std::set<std::string_view>(lines.begin(), lines.end());
  };
  const std::set<std::string_view> known = different(other);
  std::size_t common = 0;
  for (const std::string_view line : different(text)) common += known.contains(line) ? 1 : 0;
  return common;
}

}  // namespace

bool folder_can_be_written(const std::filesystem::path& folder, std::string* why) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    *why = error.message();
    return false;
  }
  // Checking the permissions is not enough: a file system may be read-only, or a disk full.
  std::string probe = (folder / ".write-XXXXXX").string();
  const int fd = ::mkostemp(probe.data(), O_CLOEXEC);
  if (fd < 0) {
    *why = std::strerror(errno);
    return false;
  }
  ::close(fd);
  ::unlink(probe.c_str());
  return true;
}

std::filesystem::path temporary_folder() {
  const char* value = std::getenv("TMPDIR");
  return value != nullptr && *value == '/' ? value : "/tmp";
}

// The same folder at every start, so that work done there is found again until the system removes it.
std::filesystem::path private_temporary_folder() {
  const std::filesystem::path base = temporary_folder();
  std::filesystem::path usual = base / ("driverlab-" + std::to_string(::getuid()));
  if (private_folder(usual)) return usual;
  std::string fresh = (base / "driverlab-XXXXXX").string();
  return ::mkdtemp(fresh.data()) != nullptr ? std::filesystem::path(fresh) : usual;
}

std::filesystem::path cache_folder() {
  const std::filesystem::path usual = home_folder("XDG_CACHE_HOME", ".cache");
  std::string why;
  return folder_can_be_written(usual, &why) ? usual : private_temporary_folder() / "cache";
}

void keep_newest(const std::filesystem::path& folder, std::size_t kept, std::size_t at_most) {
  namespace fs = std::filesystem;
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    std::error_code ignored;
    entries.emplace_back(entry.last_write_time(ignored), entry.path());
  }
  if (entries.size() <= at_most) return;
  std::sort(entries.begin(), entries.end());
  for (std::size_t i = 0; i + kept < entries.size(); ++i) fs::remove_all(entries[i].second, error);
}

std::filesystem::path home_folder(const char* variable, const char* below_home) {
  const char* value = std::getenv(variable);
  if (value != nullptr && *value == '/') return std::filesystem::path(value) / "driverlab";
  return user_home() / below_home / "driverlab";
}

std::filesystem::path user_home() {
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/') {
    const passwd* entry = ::getpwuid(::getuid());
    home = entry != nullptr ? entry->pw_dir : "/nonexistent";
  }
  return home;
}

DataHome data_home() {
  DataHome home;
  home.path = home_folder("XDG_DATA_HOME", ".local/share");
  std::string why;
  if (folder_can_be_written(home.path, &why)) return home;
  const std::filesystem::path wanted = home.path;
  home.path = private_temporary_folder();
  home.temporary = true;
  home.problem = Problem{Text::HomeNotWritable, {wanted.string(), why, home.path.string()}};
  return home;
}

namespace {

// The folder with the student's copies of the lesson. The lesson may have had another number when they were
// made: then they stay where they are, and of several such folders the one that was changed last is used.
std::string folder_of_copies(const std::filesystem::path& workspace, const Lesson& lesson) {
  std::string today = lesson.folder.filename().string();
  const std::string slug = slug_of(today);
  std::error_code error;
  if (std::filesystem::is_directory(workspace / today, error)) return today;
  std::string found = today;
  std::filesystem::file_time_type newest = std::filesystem::file_time_type::min();
  std::filesystem::directory_iterator entry(workspace, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    const std::string name = entry->path().filename().string();
    if (slug_of(name) != slug || !entry->is_directory(ignored)) continue;
    const auto changed = entry->last_write_time(ignored);
    if (changed > newest) newest = changed, found = name;
  }
  return found;
}

}  // namespace

Result<Workspace> Workspace::open(const Lesson& lesson, const DataHome& home, Language language) {
  Workspace workspace;
  workspace.language_ = language;
  if (auto words = read_source_words(lesson.words()))
    workspace.words_ = std::move(*words);
  else
    workspace.problem_of_words_ = words.error();
  workspace.original_ = lesson.folder;
  const std::string name = folder_of_copies(home.path / "workspace", lesson);
  workspace.folder_ = home.path / "workspace" / name;
  workspace.copied_ = home.path / "copied" / name;
  if (const auto made = make_folder(workspace.folder_); !made) return tl::unexpected<Problem>(made.error());
  for (const std::string& file : lesson.files())
    if (const auto fetched = workspace.fetch(file); !fetched) return tl::unexpected<Problem>(fetched.error());
  return workspace;
}

Result<bool> Workspace::copy(const std::string& file, std::string_view text) {
  const auto place = place_inside(folder_, file);
  if (!place) return tl::unexpected<Problem>(place.error());
  if (const auto made = make_folder(place->parent_path()); !made) return made;
  if (const auto written = write_file(*place, text); !written) return written;
  // Without this note the copy counts as edited, which loses nothing.
  if (make_folder((copied_ / file).parent_path())) (void)write_file(copied_ / file, text);
  return true;
}

Result<bool> Workspace::fetch(const std::string& file) {
  const auto place = place_inside(folder_, file);
  if (!place) return tl::unexpected<Problem>(place.error());
  const auto text = original(file, language_);
  std::error_code error;
  if (!std::filesystem::exists(*place, error))
    return text ? copy(file, *text) : Result<bool>(tl::unexpected<Problem>(text.error()));
  if (!text) return false;
  const auto mine = read(file), then = read_file(copied_ / file);
  if (!mine) return false;
  if (*mine == *text) return then && *then == *text ? Result<bool>(false) : copy(file, *text);
  const bool never_edited = (then && *then == *mine) || is_original(file, *mine);
  return never_edited ? copy(file, *text) : Result<bool>(false);
}

Result<std::string> Workspace::read(const std::string& file) const {
  const auto place = place_inside(folder_, file);
  if (!place) return tl::unexpected<Problem>(place.error());
  return read_file(*place);
}

Result<bool> Workspace::write(const std::string& file, std::string_view text) {
  const auto place = place_inside(folder_, file);
  if (!place) return tl::unexpected<Problem>(place.error());
  // If the folder was deleted, that was about the old files, not about the text that is being saved.
  if (const auto made = make_folder(place->parent_path()); !made) return made;
  return write_file(*place, text);
}

Result<std::string> Workspace::original(const std::string& file, Language language) const {
  const auto place = place_inside(original_, file);
  if (!place) return tl::unexpected<Problem>(place.error());
  auto text = read_file(*place);
  if (text && language == Language::Chinese) text = words_.chinese(*text);
  return text;
}

bool Workspace::is_original(const std::string& file, std::string_view text) const {
  const auto is_in = [&](Language language) {
    const auto theirs = original(file, language);
    return theirs && *theirs == text;
  };
  return is_in(Language::English) || is_in(Language::Chinese);
}

bool Workspace::edited(const std::string& file) const {
  const auto mine = read(file);
  return mine && original(file, Language::English) && !is_original(file, *mine);
}

// The original that has more lines in common with it. The copy as it was made says most; one that an older
// lab made has no such note.
Language Workspace::language_of(const std::string& file) const {
  const auto english = original(file, Language::English), chinese = original(file, Language::Chinese);
  const auto mine = read(file);
  if (!english || !chinese || !mine) return language_;
  const auto begun = is_original(file, *mine) ? mine : read_file(copied_ / file);
  const std::string& text = begun ? *begun : *mine;
  const std::size_t as_english = lines_in_common(text, *english),
                    as_chinese = lines_in_common(text, *chinese);
  if (as_english == as_chinese) return language_;
  return as_english > as_chinese ? Language::English : Language::Chinese;
}

Result<bool> Workspace::restore(const std::string& file) {
  const auto theirs = original(file, language_);
  if (!theirs) return tl::unexpected<Problem>(theirs.error());
  const auto mine = read(file);
  if (mine && *mine == *theirs) return true;
  const auto place = place_inside(folder_, file);
  if (!place) return tl::unexpected<Problem>(place.error());
  if (mine && !is_original(file, *mine))
    if (const auto kept = keep_beside(file, ".before-reset-", *mine); !kept)
      return tl::unexpected<Problem>(kept.error());
  return copy(file, *theirs);
}

Result<std::string> Workspace::keep_beside(const std::string& file, std::string_view mark,
                                           std::string_view text) {
  std::string kept;
  std::error_code error;
  for (int number = 1; kept.empty() || std::filesystem::exists(folder_ / kept, error); ++number)
    (kept = file).append(mark) += std::to_string(number);
  if (const auto written = write(kept, text); !written) return tl::unexpected<Problem>(written.error());
  return kept;
}

Result<std::filesystem::path> lesson_in(Language language, const Lesson& lesson) {
  if (language == Language::English) return lesson.folder;
  const auto words = read_source_words(lesson.words());
  if (!words) return tl::unexpected<Problem>(words.error());
  if (words->entries().empty()) return lesson.folder;
  std::filesystem::path folder = cache_folder() / "chinese" / lesson.folder.filename();
  for (const std::string& file : lesson.files()) {
    const auto english = read_file(lesson.folder / file);
    if (!english) return tl::unexpected<Problem>(english.error());
    const std::string chinese = words->chinese(*english);
    if (const auto there = read_file(folder / file); there && *there == chinese) continue;
    if (const auto made = make_folder((folder / file).parent_path()); !made)
      return tl::unexpected<Problem>(made.error());
    if (const auto written = write_file(folder / file, chinese); !written)
      return tl::unexpected<Problem>(written.error());
  }
  return folder;
}

}  // namespace lab
