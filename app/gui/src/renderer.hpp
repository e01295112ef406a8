// SPDX-License-Identifier: MIT
// ImGui's context and its OpenGL side, the same for a window and for an offscreen picture.
//
// Needs a current OpenGL context made by whoever owns the surface (window.cpp, offscreen.cpp). Knows fonts
// and the renderer's texture; nothing of panels.
#pragma once
#include <imgui.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "fonts.hpp"

namespace gui {

class Renderer {
 public:
  static std::unique_ptr<Renderer> create();  // nothing when OpenGL 3.3 cannot be used
  ~Renderer();

  // Builds the atlas for this scale and hands it to OpenGL; between frames only.
  void rebuild_fonts(Fonts& fonts, float scale);
  void begin_frame(int width, int height, double seconds_since_last);
  // Draws what ImGui collected over a background of `clear`.
  void end_frame(int width, int height, ImU32 clear);
  // What was drawn last, before it is shown: RGBA, top row first.
  static std::vector<std::uint8_t> read(int width, int height);

 private:
  Renderer() = default;
  bool ready_ = false;
};

}  // namespace gui
