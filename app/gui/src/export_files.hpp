// SPDX-License-Identifier: MIT
// Many pictures in one file: an animated PNG. Pure; works on PNG's chunks.
#pragma once
#include <string>
#include <vector>

namespace gui {

struct ExportFrame {
  std::string png;
};

// An APNG made of PNGs of one size, each shown for the given time; empty if one of them is no such PNG.
// Programs without animation show the first.
std::string animated_png(const std::vector<ExportFrame>& frames, int milliseconds);

}  // namespace gui
