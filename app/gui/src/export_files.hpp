// SPDX-License-Identifier: MIT
// Many pictures in one file: an animated PNG. Pure; works on PNG's chunks.
#pragma once
#include <string>
#include <vector>

namespace gui {

struct ExportFrame {
  std::string png;
};

// An APNG of PNGs of one size, each shown for so long; empty when one of them is no such PNG. Programs that
// know no animation show the first.
std::string animated_png(const std::vector<ExportFrame>& frames, int milliseconds);

}  // namespace gui
