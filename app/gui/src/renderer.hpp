// SPDX-License-Identifier: MIT
// ImGui's context and its OpenGL side, the same for a window and for an offscreen picture.
//
// Needs a current OpenGL context made by the owner of the surface (window.cpp, offscreen.cpp). Does not
// depend on panels.
#pragma once
#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "fonts.hpp"

namespace gui {

class Renderer {
 public:
  static std::unique_ptr<Renderer> create();  // nothing when OpenGL 3.3 cannot be used
  ~Renderer();

  // Builds the atlas for this scale and passes it to OpenGL; between frames only.
  void rebuild_fonts(Fonts& fonts, float scale);
  void begin_frame(int width, int height, double seconds_since_last);
  // Draws what ImGui collected over a background of `clear`. A frame that looks like the last one drawn is
  // skipped, unless `always`: most frames after a key or a movement look the same, and drawing takes most of
  // the time without a GPU. Returns whether there is something new to show.
  bool end_frame(int width, int height, ImU32 clear, bool always);
  // What was drawn last, before it is shown: RGBA, top row first.
  static std::vector<std::uint8_t> read(int width, int height);

 private:
  Renderer() = default;
  bool ready_ = false;
  std::size_t drawn_ = 0;  // look_of what was drawn last
};

// A number for the pixels of a frame: two frames with the same number look the same; with different numbers
// they may look different. 0 if that cannot be known, because something has not been passed to OpenGL yet.
std::size_t look_of(const ImDrawData& data, int width, int height, ImU32 clear);

}  // namespace gui
