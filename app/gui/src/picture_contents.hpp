// SPDX-License-Identifier: MIT
// What is known of the bytes in a piece of memory, drawn in the form that the reader has chosen: hexadecimal,
// as integers, as floating point numbers, as a curve, as an image.
//
// Needs the bytes and how certain they are; does not depend on where they came from.
#pragma once
#include "lab/contents.hpp"
#include "view.hpp"

namespace gui::picture {

enum class Reading : std::uint8_t { Hex, Ints, Floats, Plot, Image };
inline constexpr int kReadings = 5;

class ContentsPage {
 public:
  // Draws into the rest of the open window, from the cursor on.
  void draw(Frame& frame, const lab::Contents& contents);

 private:
  Reading reading_ = Reading::Hex;
};

// "1.5", "−3", "·" where nothing is known; one value of four bytes. For tests, too.
std::string value_words(const lab::Contents& contents, std::size_t at, Reading reading);
// How many pixels a row of an image with so many bytes has: the power of two nearest to its square root.
std::size_t image_width(std::size_t bytes);

}  // namespace gui::picture
