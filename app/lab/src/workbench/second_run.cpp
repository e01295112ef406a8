// SPDX-License-Identifier: MIT
// See second_run.hpp.
#include "workbench/second_run.hpp"

#include <atomic>
#include <thread>
#include <utility>

namespace lab {
namespace {

constexpr std::size_t kFoldEvents = 20'000;  // of the other run, a frame

}  // namespace

// Compares two complete runs in a separate thread, with separate models.
struct SecondRun::PairJob {
  std::shared_ptr<const void> owners[2];  // of the stores
  const trace::Store* stores[2] = {};
  std::size_t sizes[2] = {};
  std::unique_ptr<RunPair> pair;  // readable once done, and so is the ghost
  std::unique_ptr<Ghost> ghost;
  std::atomic<bool> done = false;
  std::thread thread;
  ~PairJob() {
    if (thread.joinable()) thread.join();
  }
  bool is_of(const trace::Store& first, const trace::Store& second) const {
    return stores[0] == &first && stores[1] == &second && sizes[0] == first.size() &&
           sizes[1] == second.size();
  }
};

SecondRun::SecondRun(ProblemList& problems, std::shared_ptr<Wake> wake)
    : problems_(problems), wake_(std::move(wake)) {}
SecondRun::~SecondRun() = default;

void SecondRun::drop_pair() {
  expected_.clear();
  if (pair_job_) abandoned_.push_back(std::move(pair_job_));
  std::erase_if(abandoned_, [](const auto& old) { return old->done.load(); });
}

void SecondRun::keep(std::shared_ptr<Session> session, std::unique_ptr<Model> model) {
  drop_pair();
  before_.clear();
  before_.session = std::move(session);
  before_.model = std::move(model);
}

void SecondRun::choose_run_before() {
  if (!has_run_before()) return;
  drop_pair();
  choice_ = Choice::Before;
}

void SecondRun::choose_recording(const std::filesystem::path& recording, Workbench::Beside as) {
  drop_pair();
  as_ = as;
  recording_model_.reset();
  recording_ = std::make_shared<ReplayJob>(recording);
  recording_model_ = std::make_unique<Model>(recording_->store);
  choice_ = Choice::Recording;
  recording_->start(wake_);
}

void SecondRun::clear() {
  drop_pair();
  choice_ = Choice::Nothing;
  before_.clear();
}

Model* SecondRun::model() const {
  if (choice_ == Choice::Nothing) return nullptr;
  return choice_ == Choice::Before ? before_.model.get() : recording_model_.get();
}

const trace::Store& SecondRun::store() const {
  return choice_ == Choice::Recording ? recording_->store : before_.session->store();
}

const Sources& SecondRun::sources() const {
  return choice_ == Choice::Recording ? recording_->info.sources : before_.session->request().info.sources;
}

bool SecondRun::take_recording() {
  if (auto problem = recording_->take()) {
    problems_.report(std::move(*problem));
    if (recording_->store.size() == 0) {
      recording_model_.reset();
      recording_.reset();
      choice_ = Choice::Nothing;
      return false;
    }
  }
  return true;
}

bool SecondRun::poll(const Shown& shown) {
  Model* const other = model();
  if (other == nullptr) return false;
  const std::size_t known = other->moments();
  const bool more = other->follow_some(kFoldEvents);
  if (more) (*wake_)();
  bool changed = other->moments() != known;
  const bool recording = choice_ == Choice::Recording;
  if (recording && recording_->done && !recording_->taken) {
    changed = true;
    if (!take_recording()) return true;
  }
  const bool growing = shown.growing || (recording && !recording_->taken);
  if (more || growing || shown.moments != shown.store.size() || shown.store.calls() == 0) return changed;
  return compare(shown) || changed;
}

bool SecondRun::compare(const Shown& shown) {
  if (pair_job_ && !pair_job_->is_of(shown.store, store())) drop_pair();
  if (pair_job_) {
    if (!pair_job_->done || !pair_job_->thread.joinable()) return false;
    pair_job_->thread.join();
    return true;
  }
  const bool recording = choice_ == Choice::Recording;
  pair_job_ = std::make_unique<PairJob>();
  PairJob& job = *pair_job_;
  job.owners[0] = shown.owner;
  job.owners[1] =
      recording ? std::shared_ptr<const void>(recording_) : std::shared_ptr<const void>(before_.session);
  job.stores[0] = &shown.store, job.stores[1] = &store();
  job.sizes[0] = shown.store.size(), job.sizes[1] = store().size();
  const bool before = is_run_before();
  const bool numbers = before && (recording || !shown.recording);
  job.thread = std::thread([&job, before, numbers, wake = wake_] {
    Model first(*job.stores[0]), second(*job.stores[1]);
    first.follow();
    second.follow();
    CompareOptions options;
    options.numbers = numbers;  // another machine may have other sizes and counts
    const ComparedRun here{first, *job.stores[0]}, there{second, *job.stores[1]};
    job.pair = std::make_unique<RunPair>(here, there, options);
    if (before && job.pair->comparison().first) job.ghost = std::make_unique<Ghost>(*job.pair, here, there);
    job.done = true;
    (*wake)();
  });
  return true;
}

std::optional<Workbench::Other> SecondRun::other() const {
  if (model() == nullptr) return std::nullopt;
  Workbench::Other other;
  other.store = &store();
  other.model = model();
  if (choice_ == Choice::Before) {
    other.driver = before_.session->request().info.driver_name;
    return other;
  }
  other.recording = !is_run_before();
  other.file = recording_->path.filename().string();
  other.loading = !recording_->taken;
  if (recording_->taken) other.driver = recording_->info.driver_name;
  return other;
}

const SecondRun::PairJob* SecondRun::done_job(const trace::Store& shown) const {
  if (choice_ == Choice::Nothing || !pair_job_ || !pair_job_->done) return nullptr;
  return pair_job_->stores[0] == &shown && pair_job_->sizes[0] == shown.size() ? pair_job_.get() : nullptr;
}

const RunPair* SecondRun::pair(const trace::Store& shown) const {
  const PairJob* const job = done_job(shown);
  return job == nullptr ? nullptr : job->pair.get();
}

const Ghost* SecondRun::ghost(const trace::Store& shown) const {
  const PairJob* const job = done_job(shown);
  return job == nullptr ? nullptr : job->ghost.get();
}

bool SecondRun::expected_failure(std::size_t event) {
  const std::optional<Workbench::Other> beside = other();
  if (!beside || beside->loading || event >= beside->store->size() ||
      beside->store->kind_at(event) != trace::EventKind::Call)
    return false;
  return expected_.asks_for(beside->store->at(event), sources());
}

std::string SecondRun::variable(const trace::Event& call, std::size_t argument) const {
  const std::optional<Workbench::Other> beside = other();
  return beside && !beside->loading ? variable_in(sources(), call, argument) : std::string();
}

}  // namespace lab
