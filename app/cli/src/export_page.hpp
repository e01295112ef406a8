// SPDX-License-Identifier: MIT
// driverlab export: a recording or a fresh run of a lesson as one page, as pictures or as a recording.
#pragma once
#include "cli/command_line.hpp"
#include "lab/page_export.hpp"
#include "shell.hpp"

namespace cli {
// The title of the run's lesson, if this installation has that lesson.
void name_page(lab::PageOptions& page, const trace::RunInfo& info);
int export_page(const Shell& shell, const lab::ExportRequest& request);  // an exit status
// A recording or a fresh run as a recording that can be shared; returns an exit status.
int export_recording(const Shell& shell, const lab::ExportRequest& request);
// The same as an animated picture, which needs the window's drawing.
int export_picture(const Shell& shell, lab::ExportRequest request);
// Prints what the file contains, so that a user who shares it knows.
void say_what_it_holds(const Shell& shell, const std::filesystem::path& file, bool keep_paths,
                       std::FILE* where = stdout);
// The same for the file that --record wrote; not if it is no regular file, such as /dev/null.
void say_what_a_recording_holds(const Shell& shell, const std::filesystem::path& file, std::FILE* where);
}  // namespace cli
