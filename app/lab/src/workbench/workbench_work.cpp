// SPDX-License-Identifier: MIT
// The workbench's long work: what it is, how much is done, and how it is cancelled. Part of Workbench.
//
// Separate threads build, read a recording or share a run (sharing.hpp); nothing here waits.
#include <algorithm>
#include <chrono>
#include <utility>

#include "workbench/workbench_impl.hpp"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kWorthSaying = std::chrono::milliseconds(400);  // shorter work needs no message

}  // namespace

std::optional<Workbench::Work> Workbench::work() const {
  if (auto sharing = impl_->sharing.work()) return sharing;
  const ReplayJob* const recording = impl_->shown.recording();
  if (loading() && Clock::now() - recording->began >= kWorthSaying) {
    const double part = std::min(recording->part(), 1.0);
    return Work{{Text::WorkLoading,
                 {recording->path.filename().string(), std::to_string(static_cast<int>(part * 100))}},
                part};
  }
  if (impl_->builds.building_since(kWorthSaying)) return Work{{Text::WorkBuilding, {}}, -1};
  return std::nullopt;
}

void Workbench::cancel_work() {
  if (impl_->sharing.busy()) return impl_->sharing.cancel();
  if (loading())
    impl_->shown.recording()->watch.cancel = true;
  else if (impl_->builds.building())
    stop();
}

bool Workbench::can_share() const {
  return impl_->shown.any() && store().calls() > 0 && !loading();
}

void Workbench::share(ShareKind kind, const std::filesystem::path& output, std::size_t from, std::size_t to,
                      std::vector<std::string> look, bool whole) {
  if (!can_share() || impl_->sharing.busy()) return;
  ShareRequest request;
  request.kind = kind;
  request.output = output;
  request.from = from, request.to = to;
  request.look = std::move(look);
  request.whole = whole;
  if (impl_->shown.recording()) {
    request.recording = std::filesystem::absolute(impl_->shown.recording()->path);
  } else {
    request.store = &impl_->shown.session()->store();
    request.owner = impl_->shown.session();
    request.info = impl_->shown.info();
  }
  impl_->sharing.start(std::move(request));
}

std::optional<Problem> Workbench::take_shared() {
  return impl_->sharing.take();
}

}  // namespace lab
