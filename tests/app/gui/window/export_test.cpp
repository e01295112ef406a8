// SPDX-License-Identifier: MIT
// Files of many pictures: what is put together can be taken apart, and what is no picture is refused.
#include <gtest/gtest.h>
#include <png.h>

#include <vector>

#include "export_files.hpp"
#include "png_file.hpp"

namespace {

std::string picture(std::uint8_t shade, int width = 4, int height = 3) {
  const std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width * height * 4), shade);
  return gui::encode_png(pixels, width, height);
}

TEST(export_files, an_animation_is_a_png_that_others_can_read) {
  const std::string animated = gui::animated_png({{picture(10)}, {picture(200)}}, 500);
  ASSERT_FALSE(animated.empty());
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&image, animated.data(), animated.size()), 0) << image.message;
  image.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(image));
  ASSERT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0) << image.message;
  EXPECT_EQ(pixels[0], 10);
  std::size_t controls = 0;
  for (std::size_t at = animated.find("fcTL"); at != std::string::npos; at = animated.find("fcTL", at + 1))
    ++controls;
  EXPECT_EQ(controls, 2u);
  EXPECT_NE(animated.find("fdAT"), std::string::npos);
}

TEST(export_files, pictures_of_other_sizes_or_none_make_no_animation) {
  EXPECT_TRUE(gui::animated_png({}, 500).empty());
  EXPECT_TRUE(gui::animated_png({{"no picture"}}, 500).empty());
  EXPECT_TRUE(gui::animated_png({{picture(1)}, {picture(1, 5)}}, 500).empty());
  EXPECT_TRUE(gui::animated_png({{picture(1).substr(0, 40)}}, 500).empty());
}

}  // namespace
