// SPDX-License-Identifier: MIT
// See progress_file.hpp.
#include "workbench/progress_file.hpp"

#include <utility>

namespace lab {

ProgressFile::ProgressFile(const std::filesystem::path& data_home, ProblemList& problems,
                           std::shared_ptr<Wake> wake)
    : path_(progress_path(data_home)),
      problems_(problems),
      wake_(std::move(wake)),
      progress_(read_progress(path_)) {}

void ProgressFile::keep() {
  const std::shared_future<std::optional<Problem>> before = writing_.share();
  const auto write = [before, path = path_, now = progress_, wake = wake_]() -> std::optional<Problem> {
    if (before.valid()) before.wait();
    Progress both = read_progress(path);
    merge(both, now);
    const auto written = write_progress(path, both);
    (*wake)();
    if (written) return std::nullopt;
    return written.error();
  };
  writing_ = std::async(std::launch::async, write);
  write_again_.reset();
}

bool ProgressFile::poll() {
  if (write_again_ && std::chrono::steady_clock::now() >= *write_again_) keep();
  if (!writing_.valid() || writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return false;
  const std::optional<Problem> failed = writing_.get();
  const bool told = told_.has_value();
  if (told) problems_.withdraw(*std::exchange(told_, std::nullopt));
  if (!failed) return told;
  write_again_ = std::chrono::steady_clock::now() + kTryAgain;
  told_ = failed->key == Text::FileCannotWrite ? Problem{Text::ProgressNotSaved, failed->values} : failed;
  problems_.report(*told_);
  return true;
}

void ProgressFile::finish() {
  if (!writing_.valid() && !write_again_) return;
  if (writing_.valid() && !writing_.get()) return;
  keep();
  writing_.wait();
}

}  // namespace lab
