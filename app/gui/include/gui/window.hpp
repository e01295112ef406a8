// SPDX-License-Identifier: MIT
// The functions of the window for the rest of the program: the real window on a display, and one frame of it
// (or one for each call), drawn into a PNG without a display.
//
// The command line uses them through functions that main() passes to it. Everything else in app/gui is
// private.
#pragma once
#include <filesystem>

#include "lab/shot_request.hpp"

namespace gui {

struct WindowOptions {
  std::filesystem::path recording;  // opened at start if not empty
};
// Runs until the window is closed; returns the exit status. Without a display, it prints what to do and
// returns 3.
int run_window(const WindowOptions& options);

int draw_shot(const lab::ShotRequest& request);
int draw_export(const lab::ExportRequest& request);

}  // namespace gui
