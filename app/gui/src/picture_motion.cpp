// SPDX-License-Identifier: MIT
// See picture_motion.hpp. A pushed card slides in from above, a popped one moves up and away, an allocation
// grows from its left edge; everything else fades.
#include "picture_motion.hpp"

#include <algorithm>
#include <unordered_map>

namespace gui::picture {
namespace {

constexpr float kSlide = 26;
constexpr std::size_t kMostLeaving = 300;

float lerp(float from, float to, float t) {
  return from + (to - from) * t;
}

void come(Sprite& sprite, float t, float scale) {
  sprite.alpha = t;
  if (sprite.box.kind == BoxKind::Card) sprite.box.rect.y -= (1 - t) * kSlide * scale;
  if (sprite.box.kind == BoxKind::Allocation) sprite.box.share *= t;
  if (sprite.box.kind == BoxKind::RibbonSpan) sprite.box.rect.w *= t;
}

}  // namespace

float ease_out(float progress) {
  const float left = 1 - std::clamp(progress, 0.0f, 1.0f);
  return 1 - left * left * left;
}

std::vector<Sprite> between(const Scene& from, const Scene& to, float progress, float scale) {
  const float t = ease_out(progress);
  std::unordered_map<std::uint64_t, const Box*> before;
  before.reserve(from.boxes.size());
  for (const Box& box : from.boxes) before.emplace(box.id, &box);
  std::vector<Sprite> arriving;
  arriving.reserve(to.boxes.size());
  for (const Box& box : to.boxes) {
    Sprite sprite{box, 1, false};
    const auto found = before.find(box.id);
    if (found == before.end()) {
      come(sprite, t, scale);
    } else {
      const Box& old = *found->second;
      sprite.box.rect = {lerp(old.rect.x, box.rect.x, t), lerp(old.rect.y, box.rect.y, t),
                         lerp(old.rect.w, box.rect.w, t), lerp(old.rect.h, box.rect.h, t)};
      sprite.box.share = lerp(old.share, box.share, t);
      sprite.box.dead = lerp(old.dead, box.dead, t);
      before.erase(found);
    }
    arriving.push_back(std::move(sprite));
  }
  std::vector<Sprite> sprites;
  if (t < 1) {
    for (const Box& box : from.boxes) {
      if (before.find(box.id) == before.end() || sprites.size() >= kMostLeaving) continue;
      Sprite sprite{box, 1 - t, true};
      if (box.kind == BoxKind::Card) sprite.box.rect.y -= t * kSlide * scale;
      if (box.kind == BoxKind::Allocation) sprite.box.share *= 1 - t;
      sprites.push_back(std::move(sprite));
    }
  }
  sprites.insert(sprites.end(), std::make_move_iterator(arriving.begin()),
                 std::make_move_iterator(arriving.end()));
  return sprites;
}

}  // namespace gui::picture
