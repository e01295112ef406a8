// SPDX-License-Identifier: MIT
// The workbench's saving: typed text is written to the disk soon, and before anything reads it there. Part of
// Workbench (workbench.hpp).
//
// Text that cannot be saved stays on the screen, and a problem says so; nothing drops it without asking.
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "folders.hpp"
#include "workbench_impl.hpp"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;
// Typed text is on the disk this long after the last key, or after the first one while typing goes on.
constexpr auto kSaveAfter = std::chrono::milliseconds(700), kSaveAtLast = std::chrono::milliseconds(3000);
constexpr std::uintmax_t kRoom = 1u << 20;  // beyond the texts, for what else is written there

}  // namespace

void Workbench::Impl::say_not_saved(const std::string& file, const Problem& why, Text complaint) {
  // The message that nothing was run is still true when saving is tried again a moment later.
  if (const auto before = not_saved.find(file); before != not_saved.end()) {
    if (before->second.key == Text::RunNotSaved && why.key == Text::FileCannotWrite)
      complaint = Text::RunNotSaved;
  }
  now_saved(file);
  const Problem said = why.key == Text::FileCannotWrite ? Problem{complaint, why.values} : why;
  not_saved.emplace(file, said);
  report(said);
}

void Workbench::Impl::now_saved(const std::string& file) {
  const auto said = not_saved.find(file);
  if (said == not_saved.end()) return;
  problems.withdraw(said->second);
  not_saved.erase(said);
}

bool Workbench::Impl::save(Text complaint) {
  if (!workspace) return true;
  if (saving) {
    saving->thread.join();
    (void)take_saved();
  }
  for (const auto& [file, text] : texts) {  // deleted files are written again
    std::error_code error;
    if (!given_up.contains(file) && !std::filesystem::exists(workspace->folder() / file, error))
      unsaved.insert(file);
  }
  for (const std::string& file : std::exchange(unsaved, {})) {
    if (given_up.contains(file)) continue;
    if (auto other = keep_theirs(*workspace, file, on_disk[file], texts[file])) report(std::move(*other));
    if (const auto written = workspace->write(file, texts[file]); !written) {
      unsaved.insert(file);
      say_not_saved(file, written.error(), complaint);
    } else {
      on_disk[file] = texts[file];
      now_saved(file);
    }
  }
  return unsaved.empty();
}

// A text that could not be saved counts as unsaved again, and is tried again with the next change.
bool Workbench::Impl::take_saved() {
  const auto done = std::move(saving);
  if (done->thread.joinable()) done->thread.join();
  bool changed = !done->said.empty();
  for (const auto& [file, text] : done->texts) {
    if (!texts.contains(file)) continue;
    if (const auto failed = done->failed.find(file); failed != done->failed.end()) {
      unsaved.insert(file);
      say_not_saved(file, failed->second, Text::FileNotSaved);
      changed = true;
      continue;
    }
    on_disk[file] = text;
    changed = changed || not_saved.contains(file);
    now_saved(file);
  }
  for (Problem& each : done->said) report(std::move(each));
  first_unsaved = last_edit = Clock::now() + (done->failed.empty() ? std::chrono::seconds(0) : kTryAgain);
  return changed;
}

bool Workbench::Impl::save_by_and_by() {
  if (saving) return saving->done && take_saved();
  if (unsaved.empty() || !workspace) return false;
  const auto now = Clock::now();
  if (now - last_edit < kSaveAfter && now - first_unsaved < kSaveAtLast) return false;
  saving = std::make_unique<SaveJob>();
  for (const std::string& file : std::exchange(unsaved, {})) {
    saving->texts[file] = texts[file];
    saving->expected[file] = on_disk[file];
  }
  saving->thread = std::thread([job = saving.get(), into = *workspace, wake = wake]() mutable {
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

std::vector<std::string> Workbench::unkept() {
  if (impl_->replay || impl_->save()) return {};
  return {impl_->unsaved.begin(), impl_->unsaved.end()};
}

std::filesystem::path Workbench::place_for_unkept() const {
  std::uintmax_t bytes = kRoom;
  for (const std::string& file : impl_->unsaved) bytes += impl_->texts.at(file).size();
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

Result<std::filesystem::path> Workbench::keep_elsewhere(const std::filesystem::path& below) {
  const std::string name = impl_->workspace ? impl_->workspace->folder().filename().string() : "lesson";
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
  for (const std::string& file : impl_->unsaved) {
    const std::filesystem::path place = folder / file;
    std::filesystem::create_directories(place.parent_path(), error);
    if (error) return problem(Text::FileCannotWrite, {place.parent_path().string(), error.message()});
    if (const auto written = write_file(place, impl_->texts.at(file)); !written)
      return tl::unexpected<Problem>(written.error());
  }
  discard_unkept();
  return folder;
}

void Workbench::discard_unkept() {
  for (const std::string& file : std::exchange(impl_->unsaved, {})) {
    impl_->given_up.insert(file);
    impl_->now_saved(file);
  }
}

}  // namespace lab
