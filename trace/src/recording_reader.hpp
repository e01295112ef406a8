// SPDX-License-Identifier: MIT
// Reads a recording from any stream. For tests and the fuzzer, which have no file; everyone else calls
// read_recording().
#pragma once
#include <istream>

#include "trace/recording.hpp"

namespace trace {

RecordingResult read_recording(std::istream& in, Store& store, RunInfo& info,
                               const RecordingLimits& limits = {});

}  // namespace trace
