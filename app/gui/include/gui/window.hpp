// SPDX-License-Identifier: MIT
// The functions of the window for the rest of the program: the real window on a display, and one frame of it
// (or one for each call), drawn into a PNG without a display.
//
// The command line uses them through functions that main() passes to it. Everything else in app/gui is
// private.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "lab/text.hpp"

namespace gui {

struct WindowOptions {
  std::filesystem::path recording;  // opened at start if not empty
};
// Runs until the window is closed; returns the exit status. Without a display, it prints what to do and
// returns 3.
int run_window(const WindowOptions& options);

struct ShotOptions {
  std::filesystem::path output;
  std::string lesson;
  std::filesystem::path recording;
  std::filesystem::path beside;     // a second recording: both runs are drawn, at the same place
  std::optional<std::size_t> pin;   // a number of calls: the difference from that moment is drawn
  std::optional<std::size_t> call;  // 1-based
  lab::Language language = lab::Language::English;
  int scale = 100;
  int width = 1600, height = 1000;
  std::string theme = "dark";
  bool predict = false;  // with the question before the next call
  std::string panel;     // what is opened or shown alone (Shell::open); empty: all panels
};
int draw_shot(const ShotOptions& options);

// Every call from `from` to `to` (1-based, 0: the last one), as an animated picture. `call` is not used.
struct ExportOptions {
  ShotOptions shot;
  std::size_t from = 1, to = 0;
  bool progress = false;  // "3/12" on stdout after each picture
};
int draw_export(const ExportOptions& options);

}  // namespace gui
