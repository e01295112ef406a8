// SPDX-License-Identifier: MIT
// Finds the font files of this machine for the window with fontconfig, and maps them.
//
// Only outlines that ImGui's rasteriser reads are accepted (TrueType and CFF, alone or in a collection). Does
// not depend on sizes, atlases or drawing.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace gui {

// A font file in memory, read-only, for as long as this lives.
class FontFile {
 public:
  static std::optional<FontFile> open(const std::string& path, int index);
  FontFile(FontFile&& other) noexcept;
  FontFile& operator=(FontFile&& other) noexcept;
  ~FontFile();

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(data_), size_}; }
  void* data() const { return data_; }
  int index() const { return index_; }
  const std::string& path() const { return path_; }
  // Pixels from the highest to the lowest point of a line for one pixel of em: what ImGui calls a size.
  float height_per_em() const { return height_per_em_; }

 private:
  FontFile() = default;
  std::string path_;
  int index_ = 0;
  void* data_ = nullptr;
  std::size_t size_ = 0;
  float height_per_em_ = 1;
};

struct FontFiles {
  std::optional<FontFile> ui, bold, mono, chinese, chinese_bold, chinese_mono;
};
FontFiles find_font_files();

}  // namespace gui
