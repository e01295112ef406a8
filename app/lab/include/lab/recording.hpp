// SPDX-License-Identifier: MIT
// What there is to say of a recording that could not be read, or not to its end.
//
// One sentence for the window and the command line alike. Knows nothing of how a recording is read.
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
