// SPDX-License-Identifier: MIT
// Pixels to a PNG in memory. Knows libpng and nothing else.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace gui {

// Opaque RGBA rows, top first; alpha is left out. Empty when libpng fails.
std::string encode_png(std::span<const std::uint8_t> rgba, int width, int height);

}  // namespace gui
