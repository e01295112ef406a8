// SPDX-License-Identifier: MIT
// The command line: one file for each subcommand, using app/lab. Functions for what needs a window are passed
// in, so that this layer can be built without a window.
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
  std::string lesson;               // either a lesson
  std::filesystem::path recording;  // or a recording
  std::filesystem::path beside;     // a second recording, drawn next to the first; may be empty
  std::optional<std::size_t> pin;   // a number of calls: the difference from that moment is drawn
  std::optional<std::size_t> call;  // 1-based; nothing: the last one
  lab::Language language = lab::Language::English;
  int scale = 100;                  // percent, 75 to 250
  int width = 1600, height = 1000;  // pixels, 320×240 to 7680×4320
  std::string theme = "dark";       // dark, light, projector
  bool predict = false;             // with the question before the next call
  std::string panel;                // one of kPanels; may be empty
};

// What a picture of the window can show opened (a list, a card of settings) or alone (a panel).
inline constexpr std::string_view kPanels[] = {"lessons", "driver", "remote",   "look",     "keys",
                                               "search",  "share",  "teaching", "exercise", "questions",
                                               "notes",   "code",   "picture",  "calls"};

struct ExportRequest {
  ShotRequest shot;              // its `call` is not used
  std::size_t from = 1, to = 0;  // calls, 1-based; to 0: the last one
  bool progress = false;         // print after each picture how many are drawn
  bool keep_paths = false;       // includes what lab/discretion.hpp removes
};

struct FrontEnd {
  std::function<int(const std::string& recording)> open_window;  // empty if built without the window
  std::function<int(const ShotRequest&)> draw_shot;
  std::function<int(const ExportRequest&)> draw_export;
};

int run(int argc, char** argv, const FrontEnd& front_end);

}  // namespace cli
