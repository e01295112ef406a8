// SPDX-License-Identifier: MIT
// The command line: one file a subcommand, over app/lab. What needs a window comes in as functions, so that
// this layer builds without one.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "lab/text.hpp"

namespace cli {

struct ShotRequest {
  std::filesystem::path output;
  std::string lesson;  // or
  std::filesystem::path recording;
  std::filesystem::path beside;     // a second recording, drawn beside it; or nothing
  std::optional<std::size_t> pin;   // calls made: the difference from that moment is drawn
  std::optional<std::size_t> call;  // 1-based; the last one when absent
  lab::Language language = lab::Language::English;
  int scale = 100;                  // percent, 75 to 250
  int width = 1600, height = 1000;  // pixels, 320×240 to 7680×4320
  std::string theme = "dark";       // dark, light, projector
  bool predict = false;             // with the question before the next call
  std::string panel;                // what is open, or alone: one of kPanels; or nothing
};

// What a picture of the window can open (a list, a card of settings) or show alone (a panel).
inline constexpr std::string_view kPanels[] = {"lessons", "driver",   "remote", "look", "keys",    "search",
                                               "share",   "exercise", "notes",  "code", "picture", "calls"};

struct ExportRequest {
  ShotRequest shot;              // its `call` is not looked at
  std::size_t from = 1, to = 0;  // 1-based; 0: the last one
  bool progress = false;         // say after each picture how many are drawn
  bool keep_paths = false;       // with what lab/discretion.hpp leaves out
};

struct FrontEnd {
  std::function<int(const std::string& recording)> open_window;  // empty when built without the window
  std::function<int(const ShotRequest&)> draw_shot;
  std::function<int(const ExportRequest&)> draw_export;
};

int run(int argc, char** argv, const FrontEnd& front_end);

}  // namespace cli
