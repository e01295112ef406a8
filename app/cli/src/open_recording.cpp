// SPDX-License-Identifier: MIT
// See open_recording.hpp. The messages are those of the window.
#include "open_recording.hpp"

#include "lab/recording.hpp"

namespace cli {

int open_recording(const Shell& shell, const std::filesystem::path& path, trace::Store& store,
                   trace::RunInfo& info) {
  const trace::RecordingResult result = trace::read_recording(path, store, info);
  const auto problem = lab::problem_of(result, path, store.size());
  return problem ? shell.fail(*problem, store.size() > 0 ? kNo : kUsage) : kDone;
}

}  // namespace cli
