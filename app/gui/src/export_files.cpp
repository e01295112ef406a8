// SPDX-License-Identifier: MIT
// See export_files.hpp. The library writes single pictures only, so the chunks of an animation (acTL, fcTL,
// fdAT, as the PNG specification's third edition has them) are put together here from the pictures' own.
#include "export_files.hpp"

#include <zlib.h>

#include <cstddef>
#include <cstdint>

namespace gui {
namespace {

constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);

std::string word(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>((value >> shift) & 0xff);
  return bytes;
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

std::string chunk(std::string_view type, std::string_view content) {
  std::string body(type);
  body += content;
  const uLong crc = ::crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return word(static_cast<std::uint32_t>(content.size())) + body + word(static_cast<std::uint32_t>(crc));
}

struct Parts {
  std::string header, data;  // IHDR's content; all IDAT's together
};

bool take_apart(std::string_view png, Parts& parts) {
  if (!png.starts_with(kSignature)) return false;
  for (std::size_t at = kSignature.size(); at + 12 <= png.size();) {
    const std::uint32_t size = word_at(png, at);
    if (size > png.size() - at - 12) return false;
    const std::string_view type = png.substr(at + 4, 4), content = png.substr(at + 8, size);
    if (type == "IHDR") parts.header = content;
    if (type == "IDAT") parts.data += content;
    at += 12 + size;
  }
  return parts.header.size() == 13 && !parts.data.empty();
}

}  // namespace

std::string animated_png(const std::vector<ExportFrame>& frames, int milliseconds) {
  std::string out(kSignature);
  std::string header;
  std::uint32_t sequence = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    Parts parts;
    if (!take_apart(frames[i].png, parts) || (i > 0 && parts.header != header)) return {};
    if (i == 0) {
      header = parts.header;
      out += chunk("IHDR", header);
      out += chunk("acTL", word(static_cast<std::uint32_t>(frames.size())) + word(0));
    }
    std::string control = word(sequence++) + header.substr(0, 8) + word(0) + word(0);
    control += static_cast<char>(milliseconds >> 8 & 0xff);
    control += static_cast<char>(milliseconds & 0xff);
    control += std::string("\x03\xe8\0\0", 4);  // thousandths of a second; replace the picture before
    out += chunk("fcTL", control);
    out += i == 0 ? chunk("IDAT", parts.data) : chunk("fdAT", word(sequence++) + parts.data);
  }
  return frames.empty() ? std::string() : out + chunk("IEND", "");
}

}  // namespace gui
