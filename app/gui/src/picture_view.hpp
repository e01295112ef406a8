// SPDX-License-Identifier: MIT
// The part of a scene that is on the screen: zoom, pan and scrolling, and what has to be brought into view.
//
// Scrolls the open ImGui window, which the picture has begun. Lengths of the scene are pixels at a zoom of 1;
// lengths on the screen are those times zoom(). The zoom is between 0.3 and 3.
#pragma once
#include <imgui.h>

#include <vector>

#include "layout.hpp"
#include "picture_layout.hpp"

namespace gui::picture {

class View {
 public:
  float zoom() const { return zoom_; }
  float pan() const { return pan_; }  // to the right, on the screen; 0 or less
  // Whether the zoom follows the scene, so that all of it is visible.
  bool fits() const { return fit_; }
  void full_size() { zoom_ = 1, pan_ = 0, fit_ = false; }
  // Between full size and all of it.
  void toggle_fit();

  // A scene that must fit is laid out at full size first, then smaller as long as shrink() says so: it is
  // lower where it may be wider. A picture that is `alone` in the window must always fit, though not at less
  // than three quarters of its size.
  void begin_fit(bool alone);
  bool shrink(float height_of_scene, float room);

  // Ctrl and the wheel zoom around the top; the middle button drags.
  void move_by_mouse(const Frame& frame, ImVec2 room, float width_of_scene);
  // After a change of the zoom by toggle_fit() the scene is shown from its top. ImGui scrolls in the next
  // frame; this one has to be drawn lower by what is returned.
  float scroll_to_top(Frame& frame);
  // What keep_in_view() is to show, the most important first, in the scene. In place of what was told before.
  void tell(std::vector<Rect> places) { told_ = std::move(places); }
  // Scrolls so that as much of what was told as possible is visible, in any case the first of it. Scrolls no
  // further than needed, and not at all if it is visible already. `top` lies above the scene, on the screen.
  void keep_in_view(Frame& frame, float top, float visible);

 private:
  void aim(const Frame& frame, float top, float visible);

  float zoom_ = 1, pan_ = 0;
  bool fit_ = false, to_top_ = false;
  bool shrinks_ = false;  // this scene, and no further than least_
  float least_ = 1;
  std::vector<Rect> told_;
  float scroll_from_ = 0, scroll_to_ = -1;  // -1: nothing is on its way
  double scroll_began_ = 0;
};

}  // namespace gui::picture
