// SPDX-License-Identifier: MIT
// Bytes as numbers, and how wide an image of them is.
#include "picture_contents.hpp"

#include <gtest/gtest.h>

namespace gui::picture {
namespace {

using Known = lab::Contents::Known;

lab::Contents bytes(std::vector<std::uint8_t> values) {
  lab::Contents contents;
  contents.size = values.size();
  contents.known.assign(values.size(), Known::Yes);
  contents.bytes = std::move(values);
  return contents;
}

TEST(picture_contents, four_bytes_are_one_number_low_byte_first) {
  const lab::Contents contents = bytes({0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0xc0, 0x3f});
  EXPECT_EQ(value_words(contents, 0, Reading::Ints), "-1");
  EXPECT_EQ(value_words(contents, 4, Reading::Floats), "1.5");
}

TEST(picture_contents, a_number_of_which_a_byte_is_unknown_is_unknown) {
  lab::Contents contents = bytes({1, 0, 0, 0, 2, 0, 0, 0});
  contents.known[2] = Known::No;
  contents.known[7] = Known::Perhaps;
  EXPECT_EQ(value_words(contents, 0, Reading::Ints), "·");
  EXPECT_EQ(value_words(contents, 4, Reading::Ints), "~2");
}

TEST(picture_contents, the_end_of_a_memory_that_is_no_multiple_of_four_is_no_number) {
  EXPECT_EQ(value_words(bytes({1, 2, 3}), 0, Reading::Ints), "·");
}

TEST(picture_contents, an_image_is_about_as_wide_as_high) {
  EXPECT_EQ(image_width(4096), 64u);
  EXPECT_EQ(image_width(1024), 32u);
  EXPECT_EQ(image_width(1000), 32u);
  EXPECT_EQ(image_width(1), 1u);
  EXPECT_EQ(image_width(0), 1u);
}

}  // namespace
}  // namespace gui::picture
