// SPDX-License-Identifier: MIT
// The message about a recording that could not be read, or not to its end, for the window and the command
// line. trace/recording.hpp reads recordings.
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>

#include "lab/text.hpp"
#include "trace/recording.hpp"

namespace lab {

// Nothing if the recording is complete. `events` is how many could be read.
std::optional<Problem> problem_of(const trace::RecordingResult& result, const std::filesystem::path& path,
                                  std::size_t events);

// A file that begins as a recording of a version that is read here.
bool is_recording(const std::filesystem::path& path);

}  // namespace lab
