// SPDX-License-Identifier: MIT
// Turns pixels into a PNG in memory, for screenshots and exports. Uses libpng and nothing else.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace gui {

// Opaque RGBA rows, top first; alpha is left out. Empty when libpng fails.
std::string encode_png(std::span<const std::uint8_t> rgba, int width, int height);

}  // namespace gui
