// SPDX-License-Identifier: MIT
// Reads a recording from any stream; for tests and fuzzing, which have no file.
#pragma once
#include <istream>

#include "trace/recording.hpp"

namespace trace {

RecordingResult read_recording(std::istream& in, Store& store, RunInfo& info,
                               const RecordingLimits& limits = {});

}  // namespace trace
