// SPDX-License-Identifier: MIT
// See builds.hpp.
#include "workbench/builds.hpp"

#include <atomic>
#include <thread>
#include <utility>

#include "lab/remote.hpp"

namespace lab {

struct Builds::Job {
  Order order;
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  std::optional<BuildResult> result;  // readable once done, as what follows
  std::optional<Driver> driver;
  std::shared_ptr<Remote> remote;  // where it was built, if not here
  std::optional<Problem> problem;
  std::atomic<bool> cancel = false;  // ends the compiler
  std::atomic<bool> done = false;
  std::thread thread;
  ~Job() {
    cancel = true;
    if (thread.joinable()) thread.join();
  }

  void build_here(const Installation& parts);
  void build_elsewhere();
};

void Builds::Job::build_here(const Installation& parts) {
  auto chosen = choose_driver(order.driver, parts);
  if (!chosen) {
    problem = chosen.error();
    return;
  }
  if (!order.request.command.empty()) {
    driver = *chosen;
    return;
  }
  BuildResult built = build_lesson(order.lesson, order.request.source_folder, *chosen, parts, &cancel);
  driver = *chosen;
  result = std::move(built);
}

void Builds::Job::build_elsewhere() {
  const auto words = split_launcher(order.launcher, "--via");
  if (!words) {
    problem = words.error();
    return;
  }
  auto machine = Remote::connect(*words, &cancel);
  if (!machine) {
    problem = machine.error();
    return;
  }
  if (!order.request.command.empty()) {
    const auto sent = (*machine)->send_program(order.request.command, order.request.working_folder,
                                               DriverChoice::Auto, &cancel);
    if (!sent) {
      problem = sent.error();
      return;
    }
    driver = (*machine)->driver();
    remote = std::move(*machine);
    return;
  }
  BuildResult built =
      (*machine)->build(order.lesson, order.request.source_folder, DriverChoice::Auto, &cancel);
  driver = (*machine)->driver();
  remote = std::move(*machine);
  result = std::move(built);
}

Builds::Builds(ProblemList& problems, std::shared_ptr<Wake> wake)
    : problems_(problems), wake_(std::move(wake)) {}
Builds::~Builds() = default;

void Builds::start(Order order, const Installation& installation) {
  stop();
  std::erase_if(stopped_, [](const auto& old) { return old->done.load(); });
  failed_ = false;
  if (told_) problems_.withdraw(*std::exchange(told_, std::nullopt));
  job_ = std::make_unique<Job>();
  job_->order = std::move(order);
  job_->thread = std::thread([job = job_.get(), parts = installation, wake = wake_] {
    if (job->order.launcher.empty())
      job->build_here(parts);
    else
      job->build_elsewhere();
    job->done = true;
    (*wake)();
  });
}

void Builds::stop() {
  if (!job_) return;
  job_->cancel = true;
  stopped_.push_back(std::move(job_));
}

bool Builds::building_since(std::chrono::steady_clock::duration time) const {
  return job_ && std::chrono::steady_clock::now() - job_->began >= time;
}

std::optional<Builds::Finished> Builds::take() {
  if (!job_ || !job_->done) return std::nullopt;
  const auto done = std::move(job_);
  done->thread.join();
  if (done->problem) {
    problems_.report(*done->problem);
    return Finished{};
  }
  if (!done->result) {  // there was nothing to build
    result_.reset();
    Finished finished{true, false, done->order.hold, std::move(done->order.request)};
    finished.request.driver = *done->driver;
    finished.request.remote = done->remote;
    finished.request.describe_run();
    return finished;
  }
  result_ = std::move(done->result);
  told_ = result_->problem;
  if (told_) problems_.report(*told_);
  failed_ = !result_->ok;
  Finished finished{result_->ok, failed_, done->order.hold, std::move(done->order.request)};
  if (failed_) return finished;
  RunRequest& request = finished.request;
  request.command = {result_->program.string()};
  request.driver = *done->driver;
  request.remote = done->remote;
  request.info.program = result_->program.filename().string();
  request.describe_run();
  return finished;
}

void Builds::forget() {
  result_.reset();
  failed_ = false;
}

}  // namespace lab
