// SPDX-License-Identifier: MIT
// The sentence about a recording that could not be read, or not to its end; the same for the window and the
// command line. How a recording is read is trace/recording.hpp's.
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>

#include "lab/text.hpp"
#include "trace/recording.hpp"

namespace lab {

// Nothing where the recording is whole. `events` is how many could be read.
std::optional<Problem> problem_of(const trace::RecordingResult& result, const std::filesystem::path& path,
                                  std::size_t events);

}  // namespace lab
