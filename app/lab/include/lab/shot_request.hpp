// SPDX-License-Identifier: MIT
// What a picture of the window shows: the command line reads the request, the window draws it. The two do not
// know each other.
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "lab/settings.hpp"
#include "lab/text.hpp"

namespace lab {

struct ShotRequest {
  std::filesystem::path output;
  std::string lesson;               // either a lesson
  std::filesystem::path recording;  // or a recording
  std::filesystem::path beside;     // a second recording, drawn next to the first; may be empty
  std::filesystem::path ghost;      // a recording of the run before, drawn in grey; may be empty
  std::optional<std::size_t> pin;   // a number of calls: the difference from that moment is drawn
  std::optional<std::size_t> call;  // 1-based; nothing: the last one
  Language language = Language::English;
  int scale = 100;                  // percent, 75 to 250
  int width = 1600, height = 1000;  // pixels, 320×240 to 7680×4320
  ThemeChoice theme = ThemeChoice::Dark;
  bool predict = false;  // with the question before the next call
  std::string panel;     // what is opened or shown alone (Shell::open); empty: all panels
};

// Every call from `from` to `to`, as an animated picture.
struct ExportRequest {
  ShotRequest shot;              // its `call` is not used
  std::size_t from = 1, to = 0;  // 1-based; to 0: the last one
  bool progress = false;         // "3/12" on stdout after each picture
  bool keep_paths = false;       // includes what lab/discretion.hpp removes, before it is drawn
};

}  // namespace lab
