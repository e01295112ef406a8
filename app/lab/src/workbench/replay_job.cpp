// SPDX-License-Identifier: MIT
// See replay_job.hpp.
#include "workbench/replay_job.hpp"

#include <system_error>
#include <utility>

#include "lab/recording.hpp"

namespace lab {

ReplayJob::ReplayJob(std::filesystem::path recording) : path(std::move(recording)) {
  std::error_code unknown;
  size = std::filesystem::file_size(path, unknown);
  if (unknown) size = 0;
}

ReplayJob::~ReplayJob() {
  watch.cancel = true;
  if (thread.joinable()) thread.join();
}

void ReplayJob::start(std::shared_ptr<Wake> wake) {
  thread = std::thread([this, wake = std::move(wake)] {
    result = trace::read_recording(path, store, info, &watch);
    end = end_of(store);
    done = true;
    (*wake)();
  });
}

double ReplayJob::part() const {
  return size == 0 ? 0 : static_cast<double>(watch.bytes) / static_cast<double>(size);
}

std::optional<Problem> ReplayJob::take() {
  taken = true;
  thread.join();
  return problem_of(result, path, store.size());
}

}  // namespace lab
