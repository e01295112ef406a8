// SPDX-License-Identifier: MIT
// The workbench's second run: the previous run, which is kept when the next one begins, or a recording; and
// the comparison of the two. Part of Workbench (workbench.hpp).
//
// A separate thread makes the comparison when both runs are complete; the thread that draws never waits.
#include <algorithm>

#include "lab/recording.hpp"
#include "workbench_impl.hpp"

namespace lab {
namespace {

constexpr std::size_t kFoldEvents = 20'000;  // of the other run, a frame

}  // namespace

void Workbench::Impl::drop_pair() {
  expected_beside.clear();
  if (pair_job) abandoned_pairs.push_back(std::move(pair_job));
  std::erase_if(abandoned_pairs, [](const auto& old) { return old->done.load(); });
}

void Workbench::Impl::keep_run() {
  if (!session || replay || session->store().calls() == 0) return;
  drop_pair();
  run_before.clear();
  run_before.session = session;
  run_before.model = std::move(model);
}

bool Workbench::Impl::take_other() {
  Model* const other = beside == Beside::Before ? run_before.model.get() : other_model.get();
  if (beside == Beside::Nothing || other == nullptr) return false;
  const std::size_t known = other->moments();
  const bool more = other->follow_some(kFoldEvents);
  if (more) (*wake)();
  bool changed = other->moments() != known;
  const bool recording = beside == Beside::Recording;
  if (recording && other_replay->done && !other_replay->taken) {
    other_replay->taken = changed = true;
    other_replay->thread.join();
    const trace::Store& read = other_replay->store;
    if (auto problem = problem_of(other_replay->result, other_replay->path, read.size())) {
      report(*problem);
      if (read.size() == 0) {  // nothing of it can be shown
        other_model.reset();
        other_replay.reset();
        beside = Beside::Nothing;
        return true;
      }
    }
  }
  const bool running = (session && !replay && session->running()) || (replay && !replay->taken) ||
                       (recording && !other_replay->taken);
  const trace::Store& mine = store();
  const trace::Store& theirs = recording ? other_replay->store : run_before.session->store();
  if (more || running || model->moments() != mine.size() || mine.calls() == 0) return changed;
  if (pair_job && (pair_job->stores[0] != &mine || pair_job->stores[1] != &theirs ||
                   pair_job->sizes[0] != mine.size() || pair_job->sizes[1] != theirs.size()))
    drop_pair();
  if (pair_job) {
    if (pair_job->done && pair_job->thread.joinable()) pair_job->thread.join(), changed = true;
    return changed;
  }
  pair_job = std::make_unique<PairJob>();
  PairJob& pairing = *pair_job;
  pairing.owners[0] = replay ? std::shared_ptr<const void>(replay) : std::shared_ptr<const void>(session);
  pairing.owners[1] =
      recording ? std::shared_ptr<const void>(other_replay) : std::shared_ptr<const void>(run_before.session);
  pairing.stores[0] = &mine, pairing.stores[1] = &theirs;
  pairing.sizes[0] = mine.size(), pairing.sizes[1] = theirs.size();
  pairing.thread = std::thread([&work = pairing, numbers = !recording && !replay, wake = wake] {
    Model first(*work.stores[0]), second(*work.stores[1]);
    first.follow();
    second.follow();
    CompareOptions options;
    options.numbers = numbers;  // another machine may have other sizes and counts
    work.pair = std::make_unique<RunPair>(ComparedRun{first, *work.stores[0]},
                                          ComparedRun{second, *work.stores[1]}, options);
    work.done = true;
    (*wake)();
  });
  return true;
}

bool Workbench::has_run_before() const {
  return impl_->run_before.model != nullptr;
}

std::filesystem::path Workbench::hardware_recording() const {
  const std::optional<Lesson>& lesson = impl_->base ? impl_->base : impl_->lesson;
  if (!lesson) return {};
  const std::filesystem::path file =
      impl_->installation.assets / "recordings" / ("h200_" + lesson->folder.filename().string() + ".dlrec");
  std::error_code error;
  return std::filesystem::exists(file, error) ? file : std::filesystem::path();
}

void Workbench::compare_with_run_before() {
  if (!has_run_before()) return;
  impl_->drop_pair();
  impl_->beside = Impl::Beside::Before;
}

void Workbench::compare_with(const std::filesystem::path& recording) {
  impl_->drop_pair();
  impl_->other_model.reset();
  impl_->other_replay = std::make_shared<ReplayJob>();
  ReplayJob& replay = *impl_->other_replay;
  replay.path = recording;
  impl_->other_model = std::make_unique<Model>(replay.store);
  impl_->beside = Impl::Beside::Recording;
  impl_->begin_reading(replay);
}

std::optional<Workbench::Other> Workbench::other() const {
  Other other;
  switch (impl_->beside) {
    case Impl::Beside::Nothing:
      return std::nullopt;
    case Impl::Beside::Before:
      if (!impl_->run_before.model) return std::nullopt;
      other.driver = impl_->run_before.session->request().info.driver_name;
      other.store = &impl_->run_before.session->store();
      other.model = impl_->run_before.model.get();
      return other;
    case Impl::Beside::Recording:
      break;
  }
  const ReplayJob& replay = *impl_->other_replay;
  other.recording = true;
  other.file = replay.path.filename().string();
  other.loading = !replay.taken;
  if (replay.taken) other.driver = replay.info.driver_name;
  other.store = &replay.store;
  other.model = impl_->other_model.get();
  return other;
}

bool Workbench::expected_failure_beside(std::size_t event) const {
  const std::optional<Other> beside = other();
  if (!beside || beside->loading || event >= beside->store->size() ||
      beside->store->kind_at(event) != trace::EventKind::Call)
    return false;
  return impl_->expected_beside.asks_for(beside->store->at(event), impl_->sources_beside());
}

// Of the run in other(), once it is read.
const Sources& Workbench::Impl::sources_beside() const {
  return beside == Beside::Recording ? other_replay->info.sources
                                     : run_before.session->request().info.sources;
}

const RunPair* Workbench::pair() const {
  if (impl_->beside == Impl::Beside::Nothing || !impl_->pair_job || !impl_->pair_job->done) return nullptr;
  const PairJob& job = *impl_->pair_job;
  return job.stores[0] == &store() && job.sizes[0] == store().size() ? job.pair.get() : nullptr;
}

}  // namespace lab
