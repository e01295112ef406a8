// SPDX-License-Identifier: MIT
// The motion from one scene to the next: the place of each box in between, how solid it is, and which boxes
// disappear.
//
// Pure. Motion explains what a step did, and never delays a step: a new scene starts from the present state
// of the one before, and time 1 is exactly the new scene.
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

// `progress` 0…1. Boxes of the new scene come in its order, after those that disappear.
std::vector<Sprite> between(const Scene& from, const Scene& to, float progress, float scale);
// 0…1, fast first.
float ease_out(float progress);

}  // namespace gui::picture
