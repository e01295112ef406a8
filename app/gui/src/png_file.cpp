// SPDX-License-Identifier: MIT
// See png_file.hpp. Written without a time or a gamma chunk, so that equal pixels are equal files.
#include "png_file.hpp"

#include <png.h>

#include <vector>

namespace gui {

std::string encode_png(std::span<const std::uint8_t> rgba, int width, int height) {
  const auto pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  if (rgba.size() < pixels * 4) return {};
  std::vector<std::uint8_t> rgb(pixels * 3);
  for (std::size_t i = 0; i < pixels; ++i)
    for (std::size_t c = 0; c < 3; ++c) rgb[i * 3 + c] = rgba[i * 4 + c];
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  // What a window shows has few colours in long rows: libpng's fast way takes a sixth of the time for it, and
  // the file is smaller too.
  image.flags = PNG_IMAGE_FLAG_FAST;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, rgb.data(), 0, nullptr) == 0) return {};
  bytes.resize(size);
  return bytes;
}

}  // namespace gui
