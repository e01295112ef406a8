// SPDX-License-Identifier: MIT
// A picture to draw into without any display: EGL without a surface, and a framebuffer of its own, which
// Renderer::read() reads.
//
// Always drawn by the software rasteriser, so that the same input gives the same bytes on every machine with
// the same packages. Does not depend on ImGui or panels.
#pragma once
#include <memory>
#include <string>

namespace gui {

class Offscreen {
 public:
  static std::unique_ptr<Offscreen> create(int width, int height, std::string* error);
  ~Offscreen();

 private:
  Offscreen() = default;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gui
