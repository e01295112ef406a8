// SPDX-License-Identifier: MIT
// See lab/recording.hpp.
#include "lab/recording.hpp"

namespace lab {

std::optional<Problem> problem_of(const trace::RecordingResult& result, const std::filesystem::path& path,
                                  std::size_t events) {
  const auto make = [&](Text key) {
    return Problem{key, {path.string(), std::to_string(result.offset), std::to_string(events)}};
  };
  const bool some = events > 0;
  switch (result.problem) {
    case trace::RecordingProblem::None:
      return std::nullopt;
    case trace::RecordingProblem::NotARecording:
      return make(Text::RecordingNotARecording);
    case trace::RecordingProblem::NewerVersion:
      return make(Text::RecordingNewerVersion);
    case trace::RecordingProblem::CutOff:
      return make(some ? Text::RecordingCutOff : Text::RecordingCutAtOnce);
    case trace::RecordingProblem::Damaged:
      return make(some ? Text::RecordingDamaged : Text::RecordingDamagedAtOnce);
    case trace::RecordingProblem::TooLarge:
      return make(some ? Text::RecordingTooLarge : Text::RecordingTooLargeAtOnce);
    case trace::RecordingProblem::CannotOpen:
    case trace::RecordingProblem::CannotWrite:
      break;
  }
  return make(Text::RecordingCannotOpen);
}

bool is_recording(const std::filesystem::path& path) {
  return trace::begins_as_recording(path).problem == trace::RecordingProblem::None;
}

}  // namespace lab
