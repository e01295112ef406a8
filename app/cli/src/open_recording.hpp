// SPDX-License-Identifier: MIT
// Opens a recording for a subcommand. If something is wrong with the recording, it prints what, and the exit
// status is the same for all subcommands.
#pragma once
#include <filesystem>

#include "shell.hpp"
#include "trace/recording.hpp"
#include "trace/store.hpp"

namespace cli {

// kDone: complete. kNo: cut off, damaged or too large; `store` has what comes before that. kUsage: nothing
// was read.
int open_recording(const Shell& shell, const std::filesystem::path& path, trace::Store& store,
                   trace::RunInfo& info);

}  // namespace cli
