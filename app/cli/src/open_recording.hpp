// SPDX-License-Identifier: MIT
// A recording for a subcommand: what is wrong with it is said, and has one exit status everywhere.
#pragma once
#include <filesystem>

#include "shell.hpp"
#include "trace/recording.hpp"
#include "trace/store.hpp"

namespace cli {

// kDone: whole. kNo: cut, damaged or too large; `store` has what comes before that. kUsage: nothing of it.
int open_recording(const Shell& shell, const std::filesystem::path& path, trace::Store& store,
                   trace::RunInfo& info);

}  // namespace cli
