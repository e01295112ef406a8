// SPDX-License-Identifier: MIT
// From one scene to the next: where each box is on the way, how solid, and which are leaving.
//
// Pure. Motion explains what a step did; it never delays one: a new scene starts from wherever the one before
// has got to, and time 1 is exactly the new scene.
#pragma once
#include <vector>

#include "picture_scene.hpp"

namespace gui::picture {

inline constexpr double kMotionSeconds = 0.18;

struct Sprite {
  Box box;
  float alpha = 1;
  bool leaving = false;  // of the scene before; drawn under everything else
};

// `progress` 0…1. Boxes that lie in the new scene come in its order, behind those that leave.
std::vector<Sprite> between(const Scene& from, const Scene& to, float progress, float scale);
// 0…1, fast first.
float ease_out(float progress);

}  // namespace gui::picture
