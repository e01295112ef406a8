// SPDX-License-Identifier: MIT
// The command line: one file for each subcommand, using app/lab. Functions for what needs a window are passed
// in, so that this layer can be built without a window.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "lab/shot_request.hpp"

namespace cli {

// What a picture of the window can show opened (a list, a card of settings) or alone (a panel).
inline constexpr std::string_view kPanels[] = {"lessons",   "driver", "remote",   "look",     "keys",
                                               "search",    "share",  "teaching", "exercise", "questions",
                                               "notes",     "code",   "picture",  "timeline", "calls",
                                               "presenter", "find",   "files",    "trace"};

struct FrontEnd {
  std::function<int(const std::string& recording)> open_window;  // empty if built without the window
  std::function<int(const lab::ShotRequest&)> draw_shot;
  std::function<int(const lab::ExportRequest&)> draw_export;
};

int run(int argc, char** argv, const FrontEnd& front_end);

}  // namespace cli
