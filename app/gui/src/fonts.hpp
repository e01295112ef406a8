// SPDX-License-Identifier: MIT
// The window's letters: three faces in at most four sizes, each with Chinese from a second font on the same
// baseline. Only glyphs of text in use are drawn into the atlas, which keeps the start under a quarter
// second.
//
// add_text() gets the text that will be shown. If it returns true, the atlas lacks a glyph and rebuild() has
// to run between frames. Files are found by fontconfig and mapped, never copied. Does not depend on panels or
// lessons.
#pragma once
#include <imgui.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gui {

enum class Face { Ui, Bold, Mono };
// At 100 %: 12, 14, 17 and 22 pixels to the em. Title and Large exist in Bold only; Mono in Small and Body.
enum class Size { Small, Body, Title, Large };

class Fonts {
 public:
  Fonts();
  ~Fonts();
  // Never null after a rebuild(); if a size lacks a face, the nearest one is returned.
  ImFont* get(Face face, Size size) const;
  float height(Face face, Size size) const;  // of a line, pixels

  bool add_text(std::string_view utf8);  // true: something new, rebuild() wanted
  bool stale() const;
  // Builds ImGui's atlas for `scale` (1 = 100 %). The renderer's texture has to be made again afterwards.
  void rebuild(float scale);
  float scale() const;

  bool has_chinese() const;                       // false: no font of this machine has Chinese
  const std::vector<std::string>& files() const;  // what was found, for `doctor` and for tests

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gui
