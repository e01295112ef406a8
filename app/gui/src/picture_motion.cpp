// SPDX-License-Identifier: MIT
// See picture_motion.hpp. A pushed card slides in from above, a popped one moves up and away, an allocation
// grows from its left edge; everything else fades.
#include "picture_motion.hpp"

#include <algorithm>
#include <memory_resource>
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

// The boxes of a moment, taken by their ids, each once. Those of two moments that follow each other come in
// nearly the same order, so the one behind the last that was taken is looked at first.
class Boxes {
 public:
  explicit Boxes(const std::vector<Box>& boxes) : boxes_(boxes), taken_(boxes.size()) {}
  const Box* take(std::uint64_t id) {
    const std::size_t at =
        next_ < boxes_.size() && boxes_[next_].id == id && !taken_[next_] ? next_ : find(id);
    if (at == boxes_.size()) return nullptr;
    taken_[at] = true;
    next_ = at + 1;
    return &boxes_[at];
  }
  bool is_taken(std::size_t index) const { return taken_[index]; }

 private:
  std::size_t find(std::uint64_t id) {
    if (by_id_.empty()) {
      by_id_.reserve(boxes_.size());
      for (std::size_t i = 0; i < boxes_.size(); ++i) by_id_.emplace(boxes_[i].id, i);
    }
    const auto found = by_id_.find(id);
    return found == by_id_.end() || taken_[found->second] ? boxes_.size() : found->second;
  }

  const std::vector<Box>& boxes_;
  std::vector<bool> taken_;
  std::size_t next_ = 0;
  std::pmr::monotonic_buffer_resource memory_;
  std::pmr::unordered_map<std::uint64_t, std::size_t> by_id_{&memory_};  // made when the order differs
};

}  // namespace

float ease_out(float progress) {
  const float left = 1 - std::clamp(progress, 0.0f, 1.0f);
  return 1 - left * left * left;
}

std::vector<Sprite> between(const Scene& from, const Scene& to, float progress, float scale) {
  const float t = ease_out(progress);
  Boxes before(from.boxes);
  std::vector<Sprite> arriving;
  arriving.reserve(to.boxes.size());
  for (const Box& box : to.boxes) {
    Sprite sprite{box, 1, false};
    const Box* const was = before.take(box.id);
    if (was == nullptr) {
      come(sprite, t, scale);
    } else {
      const Box& old = *was;
      sprite.box.rect = {lerp(old.rect.x, box.rect.x, t), lerp(old.rect.y, box.rect.y, t),
                         lerp(old.rect.w, box.rect.w, t), lerp(old.rect.h, box.rect.h, t)};
      sprite.box.share = lerp(old.share, box.share, t);
      sprite.box.dead = lerp(old.dead, box.dead, t);
    }
    arriving.push_back(std::move(sprite));
  }
  std::vector<Sprite> sprites;
  if (t < 1) {
    for (std::size_t i = 0; i < from.boxes.size() && sprites.size() < kMostLeaving; ++i) {
      if (before.is_taken(i)) continue;
      const Box& box = from.boxes[i];
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
