// SPDX-License-Identifier: MIT
// See sharing.hpp.
#include "workbench/sharing.hpp"

#include <string>
#include <utility>

namespace lab {

void Sharing::start(ShareRequest request) {
  job_ = std::make_unique<ShareJob>(std::move(request));
}

std::optional<Workbench::Work> Sharing::work() const {
  if (!busy()) return std::nullopt;
  const std::size_t drawn = job_->drawn(), all = job_->all();
  const std::string name = job_->output().filename().string();
  if (all == 0) return Workbench::Work{{Text::WorkWriting, {name}}, -1};
  return Workbench::Work{{Text::WorkExporting, {name, std::to_string(drawn), std::to_string(all)}},
                         static_cast<double>(drawn) / static_cast<double>(all)};
}

std::optional<Problem> Sharing::take() {
  if (!job_ || !job_->done()) return std::nullopt;
  const auto job = std::move(job_);
  if (job->ok()) return job->outcome();
  if (!job->cancelled()) problems_.report(job->outcome());
  return std::nullopt;
}

}  // namespace lab
