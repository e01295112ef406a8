// SPDX-License-Identifier: MIT
// The workbench's last run: kept when it has ended or the window closes, brought back by the next window.
// Part of Workbench (workbench.hpp).
#include <utility>

#include "workbench/workbench_impl.hpp"

namespace lab {

void Workbench::Impl::keep_last_run() {
  if (shown.session() && !program) last_run.keep(shown.session(), shown.info());
}

void Workbench::Impl::forget_last_run() {
  last_run.drop();
  if (shown.session()) last_run.forget();
}

// A run that is held or still runs ends with its window, and the next window shows it up to there. A run on
// another machine may take a minute to end: that is not waited for.
void Workbench::Impl::stop_and_keep_last_run() {
  const auto& session = shown.session();
  if (!session || !session->running() || session->request().remote) return;
  session->stop();
  session->wait();
  keep_last_run();
}

bool Workbench::Impl::take_last_run() {
  if (!last_run.read()) return false;
  std::shared_ptr<Session> past = last_run.take();
  // It belongs to another lesson, or to this lesson's exercise; or the user has already started a run.
  if (!past || lesson.get() == nullptr || shown.any() || builds.building() || builds.failed()) return false;
  const trace::RunInfo& info = past->request().info;
  const std::string& main = lesson.get()->sources.front();
  if (info.lesson != lesson.get()->slug || !info.sources.contains(main)) return false;
  shown.show_session(past, info);
  end_taken = true;  // it was counted when it was made
  if (last_run_calls) shown.cursor().return_to(*last_run_calls);
  return true;
}

void Workbench::bring_back_run(std::optional<std::size_t> calls) {
  if (impl_->shown.any() || impl_->builds.building() || impl_->builds.failed() || impl_->last_run.reading())
    return;
  impl_->last_run_calls = calls;
  impl_->last_run.begin_reading([wake = impl_->wake] { (*wake)(); });
}

}  // namespace lab
