// SPDX-License-Identifier: MIT
// driverlab export NAME.html: a recording or a fresh run of a lesson as one page. Needs no window.
#pragma once
#include "cli/command_line.hpp"
#include "lab/page_export.hpp"
#include "shell.hpp"

namespace cli {
// The title of the run's lesson, where it is one that is here.
void name_page(lab::PageOptions& page, const trace::RunInfo& info);
int export_page(const Shell& shell, const ExportRequest& request);  // an exit status
// A recording or a fresh run as a recording that can be given away; an exit status.
int export_recording(const Shell& shell, const ExportRequest& request);
}  // namespace cli
