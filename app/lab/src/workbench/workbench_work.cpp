// SPDX-License-Identifier: MIT
// The workbench's long work: what it is, how much is done, and how it is cancelled. Part of Workbench.
//
// Separate threads build, read a recording or share a run; nothing here waits.
#include "workbench/workbench_impl.hpp"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kWorthSaying = std::chrono::milliseconds(400);  // shorter work needs no message

}  // namespace

std::optional<Workbench::Work> Workbench::work() const {
  const Impl& it = *impl_;
  if (it.sharing && !it.sharing->done()) {
    const std::size_t drawn = it.sharing->drawn(), all = it.sharing->all();
    const std::string name = it.sharing->output().filename().string();
    if (all == 0) return Work{{Text::WorkWriting, {name}}, -1};
    return Work{{Text::WorkExporting, {name, std::to_string(drawn), std::to_string(all)}},
                static_cast<double>(drawn) / static_cast<double>(all)};
  }
  if (loading() && Clock::now() - it.shown.recording()->began >= kWorthSaying) {
    const double part = it.shown.recording()->size == 0
                            ? 0
                            : static_cast<double>(it.shown.recording()->watch.bytes) /
                                  static_cast<double>(it.shown.recording()->size);
    const double shown = std::min(part, 1.0);
    return Work{
        {Text::WorkLoading,
         {it.shown.recording()->path.filename().string(), std::to_string(static_cast<int>(shown * 100))}},
        shown};
  }
  if (it.builds.building_since(kWorthSaying)) return Work{{Text::WorkBuilding, {}}, -1};
  return std::nullopt;
}

void Workbench::cancel_work() {
  if (impl_->sharing && !impl_->sharing->done()) return impl_->sharing->cancel();
  if (loading()) {
    impl_->shown.recording()->watch.cancel = true;
    return;
  }
  if (impl_->builds.building()) stop();
}

bool Workbench::can_share() const {
  return (impl_->shown.session() || impl_->shown.recording()) && store().calls() > 0 && !loading();
}

void Workbench::share(ShareKind kind, const std::filesystem::path& output, std::size_t from, std::size_t to,
                      std::vector<std::string> look, bool whole) {
  if (!can_share() || (impl_->sharing && !impl_->sharing->done())) return;
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
  impl_->sharing = std::make_unique<ShareJob>(std::move(request));
}

std::optional<Problem> Workbench::take_shared() {
  if (!impl_->sharing || !impl_->sharing->done()) return std::nullopt;
  const auto job = std::move(impl_->sharing);
  if (job->ok()) return job->outcome();
  if (!job->cancelled()) impl_->report(job->outcome());
  return std::nullopt;
}

}  // namespace lab
