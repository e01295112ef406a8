// Many pictures in one file: a page that needs nothing else, or an animated PNG. Pure; knows PNG's chunks and
// HTML.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lab/text.hpp"

namespace gui {

struct ExportFrame {
  std::string png, words;  // words: what the picture shows, on one line
};

// One HTML file with every picture in it, stepped through by keys, a slider, or a click on a call.
std::string html_page(const std::vector<ExportFrame>& frames, std::string_view title, lab::Language language);
// An APNG of PNGs of one size, each shown for so long; empty when one of them is no such PNG. Programs that
// know no animation show the first.
std::string animated_png(const std::vector<ExportFrame>& frames, int milliseconds);

}  // namespace gui
